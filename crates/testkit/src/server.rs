//! A server that speaks MongoDB's wire protocol, for the tests of live collections.

use std::env;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::peers::{skip, workspace_root};

/// A server: that of `BOSON_TEST_MONGODB`, else `SecantusDB`, as its own process on a free port of this machine, in a temporary
/// folder. It ends with the value, and with the test's process however that ends.
#[derive(Debug)]
pub struct TestServer {
    uri: String,
    own: Option<Own>,
}

/// A server that we started.
#[derive(Debug)]
struct Own {
    port: u16,
    folder: TempDir,
    process: Option<Child>,
}

/// How long a server may take until it can be talked to.
const PATIENCE: Duration = Duration::from_mins(1);

impl TestServer {
    /// The one server that the tests of a binary share; `None` after [`skip`] where none can be had.
    ///
    /// # Panics
    ///
    /// As [`skip`]; when it is installed and does not start.
    pub fn shared() -> Option<&'static Self> {
        static SERVER: OnceLock<Option<TestServer>> = OnceLock::new();
        SERVER.get_or_init(Self::start).as_ref().or_else(|| {
            skip(MISSING);
            None
        })
    }

    /// A server for one test alone, which may [`kill`](Self::kill) it.
    ///
    /// # Panics
    ///
    /// As [`shared`](Self::shared).
    pub fn start() -> Option<Self> {
        if let Ok(uri) = env::var("BOSON_TEST_MONGODB") {
            return Some(Self { uri, own: None });
        }
        let own = Own::start()?;
        Some(Self { uri: format!("mongodb://127.0.0.1:{}", own.port), own: Some(own) })
    }

    /// Its address.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// A name for a database that no other test uses.
    pub fn database(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        format!("boson_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
    }

    /// Whether it was started here, and so may be killed.
    pub const fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// Ends it as a crash does. Not that of `BOSON_TEST_MONGODB`.
    pub fn kill(&mut self) {
        if let Some(own) = &mut self.own {
            own.stop();
        }
    }

    /// Starts it again, with what it has stored.
    ///
    /// # Panics
    ///
    /// When it does not start.
    #[expect(clippy::panic, reason = "a test that needs the server cannot go on")]
    pub fn restart(&mut self) {
        if let Some(own) = &mut self.own {
            own.stop();
            if let Err(error) = own.run() {
                panic!("the server does not start again: {error}");
            }
        }
    }
}

const MISSING: &str = "the server for live collections is not installed: cargo xtask peers install";

impl Own {
    #[expect(clippy::panic, reason = "what is installed has to work")]
    fn start() -> Option<Self> {
        if !workspace_root().join(".peers/server/installed").is_file() {
            skip(MISSING);
            return None;
        }
        // Between finding a free port and using it somebody else may take it.
        let mut last = None;
        for _ in 0..5 {
            match Self::try_start() {
                Ok(own) => return Some(own),
                Err(error) => last = Some(error),
            }
        }
        panic!("SecantusDB is installed and does not start: {last:?}");
    }

    fn try_start() -> io::Result<Self> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let mut own = Self { port, folder: tempfile::tempdir()?, process: None };
        own.run()?;
        Ok(own)
    }

    /// Starts the process, and returns when it answers.
    fn run(&mut self) -> io::Result<()> {
        let root = workspace_root();
        let python = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        let mut command = Command::new(root.join(".peers/server").join(python));
        command.arg(root.join("xtask/peers/server.py")).args(["--host", "127.0.0.1", "--log-level", "ERROR"]);
        // What is acknowledged outlives a crash; fail points make retries testable.
        command.args(["--sync-on-commit", "--enable-test-commands", "--port", &self.port.to_string()]);
        command.arg("--storage-path").arg(self.folder.path());
        let log = std::fs::File::create(self.folder.path().join("log"))?;
        command.stdin(Stdio::piped()).stdout(log.try_clone()?).stderr(log).current_dir(self.folder.path());
        self.process = Some(command.spawn()?);
        self.wait()
    }

    fn wait(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        while TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_err() {
            if let Some(status) = self.process.as_mut().map(Child::try_wait).transpose()?.flatten() {
                let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
                return Err(io::Error::other(format!("it ended ({status}): {log}")));
            }
            if Instant::now() > deadline {
                self.stop();
                return Err(io::ErrorKind::TimedOut.into());
            }
            sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // Where it is gone already there is nobody to tell.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        self.stop();
    }
}

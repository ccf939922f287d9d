//! The other implementations that Boson is compared with: their installation, and talking to them.
//!
//! `xtask/peers/README.md` describes the protocol.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::workspace;

/// Where the installed peers are.
#[derive(Debug, Clone)]
pub(crate) struct Peers {
    /// `xtask/peers`.
    sources: PathBuf,
    /// `.peers` of the workspace.
    target: PathBuf,
    /// What could not be installed, and why.
    missing: Vec<String>,
}

/// One peer's co-process: a question per line in, an answer per line out.
#[derive(Debug)]
pub(crate) struct Peer {
    name: &'static str,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// Installs the peers into `.peers` of the workspace, unless just these are there already. One that cannot be installed
/// is named by [`Peers::missing`], and what was there of it is removed: a peer whose folder exists works.
pub(crate) fn install() -> Result<Peers> {
    let root = workspace::root()?;
    let mut peers = Peers { sources: root.join("xtask/peers"), target: root.join(".peers"), missing: Vec::new() };
    fs::create_dir_all(&peers.target).with_context(|| format!("cannot make {}", peers.target.display()))?;
    // Two runs at a time (tests of several crates) must not install over each other.
    let lock = File::create(peers.target.join("lock"))?;
    lock.lock().context("cannot lock .peers")?;
    peers.install_one(&peers.venv(), &["requirements.txt"], install_python)?;
    peers.install_one(&peers.server(), &["server.txt"], install_server)?;
    peers.install_one(&peers.node_modules(), &["package.json", "package-lock.json"], install_node)?;
    Ok(peers)
}

fn install_python(peers: &Peers) -> Result<()> {
    install_into(&peers.venv(), &peers.sources.join("requirements.txt"))
}

fn install_server(peers: &Peers) -> Result<()> {
    install_into(&peers.server(), &peers.sources.join("server.txt"))
}

/// Installs what is on `list` into a virtual environment of Python.
fn install_into(venv: &Path, list: &Path) -> Result<()> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    run(Command::new(python).args(["-m", "venv", "--clear"]).arg(venv), "Python 3 with its venv module")?;
    let mut pip = Command::new(interpreter(venv));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]).arg(list);
    run(&mut pip, "pip and the package registry it is set up for")
}

fn interpreter(venv: &Path) -> PathBuf {
    venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn install_node(peers: &Peers) -> Result<()> {
    run(Command::new("node").arg("--version").stdout(Stdio::null()), "Node.js")?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(peers.sources.join(name), peers.target.join(name))?;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    // The install script only checks for Oracle's client libraries, which the codec does not need.
    command.args(["ci", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error"]);
    run(command.current_dir(&peers.target), "npm and the package registry it is set up for")
}

fn run(command: &mut Command, needs: &str) -> Result<()> {
    workspace::run(command).with_context(|| format!("to install the peers takes {needs}"))
}

impl Peers {
    /// The folder of the virtual environment of Python.
    pub(crate) fn venv(&self) -> PathBuf {
        self.target.join("venv")
    }

    /// The folder of npm's packages.
    pub(crate) fn node_modules(&self) -> PathBuf {
        self.target.join("node_modules")
    }

    /// The Python that pymongo is installed for.
    pub(crate) fn interpreter(&self) -> PathBuf {
        interpreter(&self.venv())
    }

    /// The folder of the virtual environment of the server that live collections are tried on.
    fn server(&self) -> PathBuf {
        self.target.join("server")
    }

    /// Installs what goes into `folder`, unless what stands in the files `requirements` is there already.
    fn install_one(
        &mut self,
        folder: &Path,
        requirements: &[&str],
        install: impl FnOnce(&Self) -> Result<()>,
    ) -> Result<()> {
        let wanted = self.read(requirements)?;
        let stamp = folder.join("installed");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        if let Err(error) = install(self).and_then(|()| Ok(fs::write(&stamp, wanted)?)) {
            self.missing.push(format!("{error:#}"));
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
        }
        Ok(())
    }

    fn read(&self, names: &[&str]) -> Result<String> {
        let texts = names.iter().map(|name| {
            let path = self.sources.join(name);
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
        });
        texts.collect()
    }

    /// What could not be installed, and why; nothing when all of them are there.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &str> {
        self.missing.iter().map(String::as_str)
    }

    /// Starts every peer that is installed.
    pub(crate) fn start(&self) -> Result<Vec<Peer>> {
        let mut started = Vec::new();
        if self.venv().exists() {
            started.push(self.python()?);
        }
        if self.node_modules().exists() {
            started.push(self.node()?);
        }
        Ok(started)
    }

    /// Starts pymongo and python-oracledb.
    pub(crate) fn python(&self) -> Result<Peer> {
        Peer::start("python", Command::new(self.interpreter()).arg(self.sources.join("peer.py")))
    }

    /// Starts node-oracledb.
    pub(crate) fn node(&self) -> Result<Peer> {
        let mut command = Command::new("node");
        command.arg(self.sources.join("peer.js")).env("NODE_PATH", self.node_modules());
        Peer::start("node", &mut command)
    }
}

impl Peer {
    fn start(name: &'static str, command: &mut Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start the peer {name}"))?;
        let questions = child.stdin.take().context("no stdin")?;
        let answers = BufReader::new(child.stdout.take().context("no stdout")?);
        Ok(Self { name, child, questions, answers })
    }

    /// The key of this peer's column in the tables.
    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Asks one question and waits for its answer.
    pub(crate) fn ask(&mut self, question: &Value) -> Result<Value> {
        let line = serde_json::to_string(question)? + "\n";
        self.questions.write_all(line.as_bytes()).with_context(|| format!("{} is gone", self.name))?;
        self.questions.flush()?;
        let mut answer = String::new();
        if self.answers.read_line(&mut answer)? == 0 {
            bail!("{} died on {question}", self.name);
        }
        Ok(serde_json::from_str(&answer)?)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Nobody is left to tell if it cannot be stopped or was gone before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

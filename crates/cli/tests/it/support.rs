//! Running `boson` in a folder of its own.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder that is gone when the test is over.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// What a command printed and ended with.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path().join(name), bytes).expect("a file in the sandbox");
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).expect("a file in the sandbox")
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).expect("the sandbox");
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `boson` with arguments separated by spaces.
    pub(crate) fn boson(&self, arguments: &str) -> Ran {
        self.boson_with(arguments, b"")
    }

    /// The same with `input` on standard input.
    pub(crate) fn boson_with(&self, arguments: &str, input: &[u8]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boson"));
        command.args(arguments.split_whitespace());
        self.run(command, input)
    }

    /// Runs a line of the shell in which `boson` is this build.
    pub(crate) fn shell(&self, line: &str) -> Ran {
        let folder = Path::new(env!("CARGO_BIN_EXE_boson")).parent().expect("the build's folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("bash");
        command.arg("-c").arg(line).env("PATH", format!("{}:{path}", folder.display()));
        self.run(command, b"")
    }

    fn run(&self, mut command: Command, input: &[u8]) -> Ran {
        command.current_dir(self.path()).env_remove("NO_COLOR").env("COLUMNS", "120");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // The command may end without reading all of it.
        let _ = stdin.write_all(input);
        drop(stdin);
        Ran::from(child.wait_with_output().expect("the command ends"))
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code().unwrap_or(-1) }
    }
}

impl Ran {
    /// The output of a command that must succeed.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.stdout, self.stderr);
        self.stdout
    }

    /// The complaint of a command that must end with `code`.
    #[track_caller]
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        self.stderr
    }
}

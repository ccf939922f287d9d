//! The other implementations that Boson is compared with: their installation, and talking to them.
//!
//! `xtask/peers/README.md` describes the protocol.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// Files that decide what is installed: a change in any of them installs anew.
const REQUIREMENTS: [&str; 3] = ["requirements.txt", "package.json", "package-lock.json"];

/// Where the installed peers are.
#[derive(Debug, Clone)]
pub(crate) struct Peers {
    sources: PathBuf,
    python: PathBuf,
    node_modules: PathBuf,
}

/// One peer's co-process: a question per line in, an answer per line out.
#[derive(Debug)]
pub(crate) struct Peer {
    name: &'static str,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The folder that holds the workspace's `Cargo.toml`.
pub(crate) fn workspace_root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(Path::to_path_buf).context("xtask has no parent folder")
}

/// Installs the peers into `.peers` of the workspace, unless just these are there already.
pub(crate) fn install() -> Result<Peers> {
    let root = workspace_root()?;
    let target = root.join(".peers");
    let peers = Peers {
        sources: root.join("xtask/peers"),
        python: target.join(if cfg!(windows) { "venv/Scripts/python.exe" } else { "venv/bin/python" }),
        node_modules: target.join("node_modules"),
    };
    fs::create_dir_all(&target).with_context(|| format!("cannot make {}", target.display()))?;
    // Two runs at a time (tests of several crates) must not install over each other.
    let lock = File::create(target.join("lock"))?;
    lock.lock().context("cannot lock .peers")?;

    let wanted = requirements(&peers.sources)?;
    let stamp = target.join("stamp");
    let present = peers.python.exists() && peers.node_modules.exists();
    if present && fs::read_to_string(&stamp).is_ok_and(|stamped| stamped == wanted) {
        return Ok(peers);
    }
    if stamp.exists() {
        fs::remove_file(&stamp)?;
    }
    install_python(&peers, &target)?;
    install_node(&peers, &target)?;
    fs::write(&stamp, wanted)?;
    Ok(peers)
}

fn requirements(sources: &Path) -> Result<String> {
    let mut all = String::new();
    for name in REQUIREMENTS {
        let path = sources.join(name);
        all += &fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(all)
}

fn install_python(peers: &Peers, target: &Path) -> Result<()> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    let venv = target.join("venv");
    run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&venv), "Python 3 with its venv module")?;
    let list = peers.sources.join("requirements.txt");
    let mut pip = Command::new(&peers.python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]).arg(list);
    run(&mut pip, "pip and the package registry it is set up for")
}

fn install_node(peers: &Peers, target: &Path) -> Result<()> {
    run(Command::new("node").arg("--version").stdout(Stdio::null()), "Node.js")?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(peers.sources.join(name), target.join(name))?;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    // The install script only checks for Oracle's client libraries, which the codec does not need.
    command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    run(command.current_dir(target), "npm and the package registry it is set up for")
}

fn run(command: &mut Command, needs: &str) -> Result<()> {
    let shown = format!("{command:?}");
    let status =
        command.status().with_context(|| format!("cannot start {shown}: installing the peers needs {needs}"))?;
    ensure!(status.success(), "{shown} failed ({status}): installing the peers needs {needs}");
    Ok(())
}

impl Peers {
    /// Starts pymongo and python-oracledb.
    pub(crate) fn python(&self) -> Result<Peer> {
        Peer::start("python", Command::new(&self.python).arg(self.sources.join("peer.py")))
    }

    /// Starts node-oracledb.
    pub(crate) fn node(&self) -> Result<Peer> {
        let mut command = Command::new("node");
        command.arg(self.sources.join("peer.js")).env("NODE_PATH", &self.node_modules);
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

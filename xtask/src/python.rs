//! The Python package: a wheel is built, installed into an empty environment and tested, first alone, then beside the
//! packages whose work it takes over.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// What builds and tests the package. The peers' versions stand in `xtask/peers/requirements.txt`.
const TOOLS: &[&str] = &["maturin==1.16.0", "mypy==2.4.1", "pytest==9.2.0", "typing_extensions"];

/// Builds, installs and tests the package. A user without Python is told so.
///
/// # Errors
///
/// When something fails; with `CI` set also when Python is missing.
pub(crate) fn check() -> Result<()> {
    if !workspace::succeeds(Command::new(python()).args(["-m", "venv", "--help"])) {
        return workspace::skip(
            "Python 3.10 or later with its venv module is not here: the Python package is not tested",
        );
    }
    let package = Package::new()?;
    let wheel = package.build()?;
    package.test_alone(&wheel)?;
    package.test_beside_peers(&wheel)
}

const fn python() -> &'static str {
    if cfg!(windows) { "python" } else { "python3" }
}

/// Where the package's sources are, and where things are made.
struct Package {
    sources: PathBuf,
    folder: PathBuf,
    peers: PathBuf,
}

/// A virtual environment.
struct Environment {
    interpreter: PathBuf,
}

impl Package {
    fn new() -> Result<Self> {
        let root = workspace::root()?;
        Ok(Self {
            sources: root.join("crates/python"),
            folder: root.join("target/python"),
            peers: root.join("xtask/peers/requirements.txt"),
        })
    }

    /// Builds a wheel; returns its file.
    fn build(&self) -> Result<PathBuf> {
        let tools = Environment::empty(&self.folder.join("tools"))?;
        tools.install(TOOLS)?;
        let wheels = self.folder.join("wheels");
        if wheels.exists() {
            std::fs::remove_dir_all(&wheels)?;
        }
        let mut maturin = tools.run("maturin")?;
        maturin.args(["build", "--profile", "dev", "--interpreter"]).arg(&tools.interpreter).arg("--out").arg(&wheels);
        workspace::run(&mut maturin)?;
        let mut files = std::fs::read_dir(&wheels)?;
        let wheel = files.next().context("maturin made no wheel")??;
        Ok(wheel.path())
    }

    /// In an environment that has neither pymongo nor python-oracledb.
    fn test_alone(&self, wheel: &Path) -> Result<()> {
        let alone = Environment::with(&self.folder.join("alone"), wheel)?;
        self.test(&alone, &["alone"])
    }

    /// In one that has both; there the types are checked as well, since they are those packages' own.
    fn test_beside_peers(&self, wheel: &Path) -> Result<()> {
        let beside = Environment::with(&self.folder.join("beside"), wheel)?;
        workspace::run(beside.run("pip")?.args(["install", "--quiet", "-r"]).arg(&self.peers))?;
        self.test(&beside, &["alone", "peers"])?;
        let mut mypy = beside.run("mypy")?;
        workspace::run(mypy.args(["--strict", "--cache-dir"]).arg(self.folder.join("mypy")).args(["-p", "boson"]))?;
        workspace::run(beside.run("mypy.stubtest")?.arg("boson._boson"))
    }

    fn test(&self, environment: &Environment, folders: &[&str]) -> Result<()> {
        let mut pytest = environment.run("pytest")?;
        pytest.args(["--quiet", "-p", "no:cacheprovider", "--strict-markers"]);
        pytest.args(folders.iter().map(|folder| self.sources.join("tests").join(folder)));
        let output = workspace::output(&mut pytest);
        let summary = output?;
        println!("{}", summary.trim_end());
        ensure!(!summary.contains("skipped"), "tests of the Python package were skipped");
        Ok(())
    }
}

impl Environment {
    /// A new one in `folder`, in place of what was there.
    fn empty(folder: &Path) -> Result<Self> {
        workspace::run(Command::new(python()).args(["-m", "venv", "--clear"]).arg(folder))?;
        Ok(Self { interpreter: folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" }) })
    }

    /// A new one that has the package and what tests it.
    fn with(folder: &Path, wheel: &Path) -> Result<Self> {
        let environment = Self::empty(folder)?;
        environment.install(TOOLS.get(1..).unwrap_or_default())?;
        workspace::run(environment.run("pip")?.args(["install", "--quiet", "--no-deps"]).arg(wheel))?;
        Ok(environment)
    }

    fn install(&self, packages: &[&str]) -> Result<()> {
        let mut pip = self.run("pip")?;
        workspace::run(pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages))
    }

    /// `python -m module`, in the workspace's folder.
    fn run(&self, module: &str) -> Result<Command> {
        let mut command = workspace::program(&self.interpreter)?;
        command.args(["-m", module]);
        Ok(command)
    }
}

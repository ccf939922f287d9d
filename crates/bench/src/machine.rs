//! Where something was measured.

use std::fmt;
use std::{fs, thread};

/// What a figure depends on besides the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The model of the processor, as it calls itself.
    pub cpu: String,
    /// How many threads run at the same time.
    pub cores: usize,
    /// Operating system and its version.
    pub os: String,
    /// The compiler and how it was asked to build.
    pub build: String,
}

impl Machine {
    /// This machine, and the build that runs on it.
    pub fn here() -> Self {
        let profile = if cfg!(debug_assertions) { "debug build: slow, not to be compared" } else { "release build" };
        Self {
            cpu: cpu().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: thread::available_parallelism().map_or(1, usize::from),
            os: os(),
            build: format!("{}, {profile}", env!("BOSON_COMPILER")),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cpu, cores, os, build } = self;
        write!(f, "{cpu}, {cores} cores, {os}; {build}")
    }
}

/// The value of the first line `key … : value` or `key=value`.
fn value(text: &str, key: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(key))?;
    let (_, value) = line.split_once([':', '='])?;
    Some(value.trim().trim_matches('"').to_owned())
}

fn cpu() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let family = value(&text, "cpu family").zip(value(&text, "model\t"));
    let of = family.map_or(String::new(), |(family, model)| format!(" (family {family}, model {model})"));
    Some(format!("{}{of}", value(&text, "model name")?))
}

fn os() -> String {
    let release = fs::read_to_string("/etc/os-release").ok();
    let name = release.and_then(|text| value(&text, "PRETTY_NAME"));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let name = name.unwrap_or_else(|| std::env::consts::OS.to_owned());
    format!("{name} {} {}", kernel.trim(), std::env::consts::ARCH)
}

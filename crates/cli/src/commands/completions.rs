//! `boson completions`: what shells and `man` want to know.

use std::io::Write;

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::Exit;

/// The arguments of `boson completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boson completions bash > ~/.local/share/bash-completion/completions/boson
  boson completions man > boson.1")]
pub(crate) struct CompletionsArgs {
    /// The shell, or `man` for the manual page
    #[arg(value_enum)]
    target: Target,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Target {
    Bash,
    Elvish,
    Fish,
    Man,
    Powershell,
    Zsh,
}

/// Prints the file to standard output.
pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    let mut text = Vec::new();
    match args.target.shell() {
        Some(shell) => clap_complete::generate(shell, &mut command, "boson", &mut text),
        None => clap_mangen::Man::new(command).render(&mut text)?,
    }
    let mut out = std::io::stdout();
    out.write_all(&text)?;
    out.flush()?;
    Ok(Exit::Done)
}

impl Target {
    const fn shell(self) -> Option<Shell> {
        match self {
            Self::Bash => Some(Shell::Bash),
            Self::Elvish => Some(Shell::Elvish),
            Self::Fish => Some(Shell::Fish),
            Self::Powershell => Some(Shell::PowerShell),
            Self::Zsh => Some(Shell::Zsh),
            Self::Man => None,
        }
    }
}

//! `boson merge`.

use boson_profile::Profile;
use boson_store::Location;
use clap::Args;

use super::saved;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::counted;

/// The arguments of `boson merge`.
#[derive(Debug, Args)]
#[command(after_help = "\
The result is the profile of all their documents, the same to the byte as if one `boson analyze` had read them, whatever
the split and the order.

Examples:
  boson merge monday.profile tuesday.profile -o week.profile
  boson analyze week.profile")]
pub(crate) struct MergeArgs {
    /// Profiles that `boson analyze --save-profile` wrote
    #[arg(value_name = "PROFILE", required = true)]
    profiles: Vec<Location>,

    /// The file to write, `-` for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Location,

    /// Replace a file that is there already
    #[arg(long)]
    overwrite: bool,
}

/// Merges the profiles into one.
pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    saved::check(&args.output, args.overwrite)?;
    let mut merged: Option<Profile> = None;
    for file in &args.profiles {
        interrupt::check()?;
        let profile = saved::read(file)?;
        merged = Some(match merged {
            None => profile,
            Some(merged) => merged.merge(profile)?,
        });
    }
    if let Some(profile) = merged {
        saved::write(&profile, &args.output, args.overwrite)?;
        let documents = counted(profile.documents().count(), "document");
        anstream::eprintln!("{documents} in {}", counted(args.profiles.len() as u64, "profile"));
    }
    Ok(Exit::Done)
}

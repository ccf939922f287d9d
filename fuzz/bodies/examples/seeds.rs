//! `seeds FOLDER [FROM…]` writes the inputs that fuzzing begins with into a folder for each target: those that are made
//! from a seed, and every document in the JSON files of the folders FROM. `cargo xtask fuzz` calls it.

use std::error::Error;
use std::path::{Path, PathBuf};

use boson_fuzz_bodies::Seeds;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("expected a folder to write into")?;
    let from: Vec<_> = arguments.collect();
    let from: Vec<&Path> = from.iter().map(PathBuf::as_path).collect();
    let count = Seeds::generated()?.write(&folder)? + Seeds::found(&from)?.write(&folder)?;
    println!("{count} seeds in {}", folder.display());
    Ok(())
}

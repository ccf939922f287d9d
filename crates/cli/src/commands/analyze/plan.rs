//! `--plan`: the findings as a plan for `boson migrate`.

use std::fs;
use std::io::{self, Write};

use anyhow::Context;
use boson_migrate::{Drafted, SourceNote, draft};
use boson_store::{CollectionKind, Location};
use tempfile::NamedTempFile;

use super::{AnalyzeArgs, Outcome};
use crate::exit::Refused;
use crate::output::{counted, tell};

/// Refuses, before any work, what [`write`](fn@write) would refuse after it.
pub(super) fn check(to: &Location, overwrite: bool) -> anyhow::Result<()> {
    match to.path() {
        Some(path) if !overwrite && path.exists() => Err(exists(to).into()),
        _ => Ok(()),
    }
}

fn exists(to: &Location) -> Refused {
    Refused(format!("{to}: is there already; --overwrite replaces it"))
}

/// Writes the plan; the file appears when it is complete.
pub(super) fn write(args: &AnalyzeArgs, outcomes: &[Outcome], to: &Location) -> anyhow::Result<()> {
    let drafted: Vec<Drafted> = outcomes.iter().map(drafted).collect();
    let names: Vec<String> = args.files.iter().map(ToString::to_string).collect();
    let source = SourceNote {
        name: names.join(" "),
        documents: drafted.iter().map(|drafted| drafted.plan.documents).sum(),
        bytes: drafted.iter().map(|drafted| drafted.bytes).sum(),
        sample: outcomes.iter().any(|outcome| outcome.profile.is_sample()),
    };
    let text = boson_migrate::write(&source, &drafted);
    put(&text, to, args.overwrite).with_context(|| to.to_string())?;
    let converted: usize = drafted.iter().map(|drafted| drafted.plan.converted().count()).sum();
    let asked =
        drafted.iter().flat_map(|drafted| &drafted.plan.hazards).filter(|hazard| !hazard.answers.is_empty()).count();
    if to.path().is_some() {
        let (fields, answers) = (counted(converted as u64, "field"), counted(asked as u64, "question"));
        tell!("plan {to}: {fields} to convert, {answers} to answer in it");
    }
    Ok(())
}

fn drafted(outcome: &Outcome) -> Drafted {
    let (name, kind, metadata) = match &outcome.collection {
        Some(collection) => (collection.namespace.to_string(), collection.kind, collection.metadata.as_ref()),
        None => (String::new(), CollectionKind::Documents, None),
    };
    draft(&name, kind, metadata, &outcome.profile)
}

fn put(text: &str, to: &Location, overwrite: bool) -> anyhow::Result<()> {
    let Some(path) = to.path() else {
        let mut out = io::stdout().lock();
        return Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?);
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(std::path::Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    let persisted = if overwrite { file.persist(path) } else { file.persist_noclobber(path) };
    match persisted {
        Ok(_) => {
            readable(path);
            Ok(())
        }
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(exists(to).into()),
        Err(error) => Err(error.error.into()),
    }
}

/// A plan is for others to read as well, which a temporary file is not.
fn readable(path: &std::path::Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Where it fails the owner can read it nevertheless.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o644));
    }
}

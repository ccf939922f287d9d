//! `--plan`: the findings as a plan for `boson migrate`.

use anyhow::Context;
use boson_migrate::{Drafted, SourceNote, draft};
use boson_report::Outcome;
use boson_store::{CollectionKind, Location};

use super::AnalyzeArgs;
use crate::output::{counted, tell};
use crate::text_file;

/// Writes the plan; the file appears when it is complete.
pub(super) fn write(args: &AnalyzeArgs, outcomes: &[Outcome], to: &Location) -> anyhow::Result<()> {
    let drafted: Vec<Drafted> = outcomes.iter().map(drafted).collect();
    let names: Vec<String> = args.reading.files.iter().map(ToString::to_string).collect();
    let source = SourceNote {
        name: names.join(" "),
        documents: drafted.iter().map(|drafted| drafted.plan.documents).sum(),
        bytes: drafted.iter().map(|drafted| drafted.bytes).sum(),
        sample: outcomes.iter().any(|outcome| outcome.profile.is_sample()),
    };
    let text = boson_migrate::write(&source, &drafted);
    text_file::write(&text, to, args.overwrite).with_context(|| to.to_string())?;
    let converted: usize = drafted.iter().map(|drafted| drafted.plan.converted().count()).sum();
    let asked =
        drafted.iter().flat_map(|drafted| &drafted.plan.hazards).filter(|hazard| !hazard.answers.is_empty()).count();
    if to.path().is_some() {
        let (fields, answers) = (counted(converted as u64, "field"), counted(asked as u64, "question"));
        tell!("plan {to}: {fields} to convert, {answers} to answer in it");
    }
    Ok(())
}

/// The part of a plan for what came of one collection.
pub(in crate::commands) fn drafted(outcome: &Outcome) -> Drafted {
    let (name, kind, metadata) = match &outcome.collection {
        Some(collection) => (collection.namespace.to_string(), collection.kind, collection.metadata.as_ref()),
        None => (String::new(), CollectionKind::Documents, None),
    };
    draft(&name, kind, metadata, &outcome.profile)
}

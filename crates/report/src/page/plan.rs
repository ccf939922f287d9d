//! The plan, and what can go wrong.

use boson_migrate::{CollectionPlan, FieldPlan, HazardNote, Lossy, Misfits, Nothing};

use super::text::visible;

/// How many fields and hazards a page holds.
const ROWS_MAX: usize = 500;

/// The plan of one collection.
#[derive(Debug)]
pub(super) struct PlanTable {
    pub(super) skip: Option<String>,
    pub(super) fields: Vec<FieldRow>,
    pub(super) hazards: Vec<HazardRow>,
    pub(super) open: usize,
    pub(super) left_out: usize,
}

/// What becomes of one field.
#[derive(Debug)]
pub(super) struct FieldRow {
    pub(super) path: String,
    pub(super) is_converted: bool,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    pub(super) options: Vec<String>,
    pub(super) misfits: &'static str,
    pub(super) lossy: &'static str,
}

/// Something that can go wrong.
#[derive(Debug)]
pub(super) struct HazardRow {
    pub(super) kind: String,
    pub(super) place: String,
    pub(super) what: String,
    pub(super) class: &'static str,
    pub(super) state: String,
}

impl PlanTable {
    pub(super) fn new(plan: &CollectionPlan, open: &[HazardNote]) -> Self {
        let noted = plan.hazards.iter().filter(|noted| !open.iter().any(|hazard| same(hazard, noted)));
        let hazards: Vec<HazardRow> =
            open.iter().map(HazardRow::open).chain(noted.map(HazardRow::noted)).take(ROWS_MAX).collect();
        Self {
            skip: plan.skip.as_deref().map(visible),
            fields: plan.fields.iter().take(ROWS_MAX).map(FieldRow::new).collect(),
            hazards,
            open: open.len(),
            left_out: plan.fields.len().saturating_sub(ROWS_MAX),
        }
    }
}

fn same(a: &HazardNote, b: &HazardNote) -> bool {
    a.kind == b.kind && a.path == b.path && a.index == b.index
}

impl FieldRow {
    fn new(field: &FieldPlan) -> Self {
        let nothing = match field.nothing {
            Nothing::Misfit => "",
            Nothing::Null => "; empty strings and words for nothing become null",
        };
        let mut options = options(field);
        if !nothing.is_empty() {
            options.push(nothing.trim_start_matches("; ").to_owned());
        }
        Self {
            path: visible(&field.path),
            is_converted: field.convert,
            from: field.from.name(),
            to: field.to.name(),
            options,
            misfits: match field.misfits {
                Misfits::Keep => "stay as they are",
                Misfits::Null => "become null",
                Misfits::Fail => "stop the run",
                Misfits::Quarantine => "their documents are put aside",
            },
            lossy: match field.lossy {
                Lossy::Keep => "stay as they are",
                Lossy::Accept => "are converted nevertheless",
                Lossy::Companion => "are converted, a field beside them keeps the rest",
            },
        }
    }
}

fn options(field: &FieldPlan) -> Vec<String> {
    let named = |name: &str, value: Option<String>| value.map(|value| format!("{name} {}", visible(&value)));
    [
        named("spelling", field.spelling.clone()),
        named("scale", field.scale.map(|scale| scale.to_string())),
        named("offset", field.offset.clone()),
        named("zone", field.zone.clone()),
        named("subtype", field.subtype.map(|subtype| subtype.to_string())),
        named("companion", field.companion.clone()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl HazardRow {
    fn open(hazard: &HazardNote) -> Self {
        let answers = hazard.answers.join(", ");
        Self::new(hazard, "open", format!("Open: it stops the plan until it is answered with one of {answers}"))
    }

    fn noted(hazard: &HazardNote) -> Self {
        if hazard.answer.is_empty() {
            return Self::new(hazard, "note", "To be known; nothing is asked".to_owned());
        }
        Self::new(hazard, "answered", format!("Answered: {}", visible(&hazard.answer)))
    }

    fn new(hazard: &HazardNote, class: &'static str, state: String) -> Self {
        let place: Vec<String> = [&hazard.path, &hazard.index]
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|part| visible(part))
            .collect();
        Self {
            kind: visible(&hazard.kind),
            place: place.join(", index "),
            what: visible_whole(&hazard.what),
            class,
            state,
        }
    }
}

/// Sentences of ours: only what a path in them may hold is made visible.
fn visible_whole(text: &str) -> String {
    text.split(' ').map(visible).collect::<Vec<_>>().join(" ")
}

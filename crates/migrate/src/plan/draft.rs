//! From findings to a plan.

use boson_document::Kind;
use boson_profile::{Actual, Conversion, Finding, Loss, Profile, Question, Reason, Spelling, Target};
use boson_store::{CollectionKind, Metadata};

use super::{CollectionPlan, FieldPlan, From, HazardNote, Lossy, Misfits, Nothing, To};
use crate::hazard::{hazards, note};
use crate::rule::compile::{GROUPINGS, OBJECT_IDS, UUIDS, word};
use crate::rule::{iso_pattern, numeric_pattern, write_offset};

/// A collection's part of a plan, and what is said beside it.
#[derive(Clone, Debug)]
pub struct Drafted {
    /// The part.
    pub plan: CollectionPlan,
    /// Of each field, what is said of it, in lines.
    pub remarks: Vec<Vec<String>>,
    /// Bytes of the documents.
    pub bytes: u64,
}

/// Drafts the part of a plan for the collection called `name`, of `kind`, of which `profile` is the profile.
pub fn draft(name: &str, kind: CollectionKind, metadata: Option<&Metadata>, profile: &Profile) -> Drafted {
    let sizes = profile.documents();
    let mut drafted = Drafted {
        plan: CollectionPlan { name: name.to_owned(), documents: sizes.count(), ..CollectionPlan::default() },
        remarks: Vec::new(),
        bytes: sizes.total(),
    };
    if let Some(skip) = skip(kind) {
        drafted.plan.skip = Some(skip.to_owned());
        return drafted;
    }
    for finding in profile.findings().findings {
        let Some(field) = field(&finding) else { continue };
        drafted.remarks.push(remarks(&finding, &field, sizes.count()));
        drafted.plan.fields.push(field);
    }
    drafted.plan.hazards = hazards(&drafted.plan, metadata);
    let more = more_hazards(&drafted.plan, profile);
    drafted.plan.hazards.extend(more);
    drafted
}

const fn skip(kind: CollectionKind) -> Option<&'static str> {
    match kind {
        CollectionKind::Documents => None,
        CollectionKind::View => Some("a view has no documents of its own"),
        CollectionKind::TimeSeries | CollectionKind::Buckets => Some(
            "the buckets of a time-series collection are the server's own form: copied as they are; to change types, rebuild the collection with $out",
        ),
        CollectionKind::Oplog => Some("the operations during the dump: copied as they are"),
        CollectionKind::System => Some("a collection of the server's own: copied as it is"),
    }
}

/// Hazards that only the data shows.
fn more_hazards(plan: &CollectionPlan, profile: &Profile) -> Vec<HazardNote> {
    let mut notes = Vec::new();
    for field in plan.converted() {
        let Ok(path) = field.path.parse::<boson_profile::Path>() else { continue };
        let stats = profile.paths().find(|stats| stats.path == path);
        if let Some(repeated) = stats.map(|stats| stats.repeated).filter(|&repeated| repeated > 0) {
            let what = format!(
                "{repeated} objects hold the name more than once: some readers take the first, others the last. All of them \
                 would be converted"
            );
            notes.push(note("duplicate-keys", &field.path, "", what, &["convert-all"]));
        }
        let is_odd = |step: &boson_profile::Step| matches!(step, boson_profile::Step::Field(name) if name.contains('.') || name.starts_with('$'));
        if path.steps().iter().any(is_odd) {
            let what = "a name with a dot or a dollar sign: queries and updates by path do not reach it";
            notes.push(note("dotted-name", &field.path, "", what, &[]));
        }
    }
    if plan.converted().next().is_some() {
        let filters: Vec<String> = plan
            .converted()
            .filter(|field| field.from == From::String)
            .take(1)
            .map(|field| {
                let name = crate::hazard::dotted(&field.path.parse().unwrap_or_default());
                format!("{{\"$or\": [{{\"{name}\": <{}>}}, {{\"{name}\": \"<string>\"}}]}}", field.to.name())
            })
            .collect();
        let example = filters.first().map(|filter| format!(" As in {filter}.")).unwrap_or_default();
        let what = format!(
            "whoever reads these fields must take both types first: then convert, then let go of the old one. Queries that \
             compare with a string find nothing any more.{example}"
        );
        notes.push(note("readers", "", "", what, &[]));
    }
    notes
}

fn field(finding: &Finding) -> Option<FieldPlan> {
    let from = match finding.stored {
        Kind::String => From::String,
        Kind::Object => From::Object,
        _ if finding.proposal.target == Target::Date => From::Number,
        Kind::Double => From::Double,
        Kind::Int64 => From::Int64,
        _ => return None,
    };
    let way = &finding.proposal;
    let mut field = FieldPlan {
        path: finding.path.to_string(),
        convert: true,
        from,
        to: to(way.target)?,
        subtype: subtype(way.target),
        spelling: None,
        case: None,
        words: None,
        scale: None,
        affix: None,
        offset: None,
        zone: None,
        misfits: Misfits::Keep,
        lossy: Lossy::Keep,
        companion: None,
        nothing: Nothing::Misfit,
        evidence: toml::Table::new(),
    };
    spell(&mut field, finding, way);
    if finding.questions.iter().any(|question| matches!(question, Question::Zone(_))) {
        field.zone = Some(String::new());
    }
    let lost_in = |loss: &Loss| match *loss {
        Loss::Spelling(values) | Loss::Offset(values) | Loss::BelowMilliseconds(values) | Loss::JsonText(values) => {
            values
        }
        _ => 0,
    };
    // What would be kept in every value is better not begun.
    let all_lossy = way.losses.iter().any(|loss| lost_in(loss) >= finding.fits);
    let known = field.spelling.as_deref() != Some("named");
    field.convert = !finding.path.is_id() && !all_lossy && known;
    Some(field)
}

const fn to(target: Target) -> Option<To> {
    Some(match target {
        Target::Uuid => To::Uuid,
        Target::ObjectId => To::ObjectId,
        Target::Date => To::Date,
        Target::Int32 => To::Int32,
        Target::Int64 => To::Int64,
        Target::Double => To::Double,
        Target::Decimal128 => To::Decimal128,
        Target::Bool => To::Bool,
        Target::Null => To::Null,
        Target::Binary(_) => To::Binary,
        Target::Document => To::Document,
        _ => return None,
    })
}

const fn subtype(target: Target) -> Option<u8> {
    match target {
        Target::Binary(subtype) => Some(subtype),
        _ => None,
    }
}

/// Says in `field` how the values are written.
fn spell(field: &mut FieldPlan, finding: &Finding, way: &Conversion) {
    let Some(spelling) = &way.spelling else {
        if field.from == From::Number && field.to == To::Date {
            let seconds = finding.actual == Actual::EpochSeconds;
            field.spelling = Some(if seconds { "epoch-seconds" } else { "epoch-milliseconds" }.to_owned());
        }
        return;
    };
    let named = |name: &str| Some(name.to_owned());
    match spelling {
        Spelling::Uuid { spelling, case } => {
            (field.spelling, field.case) = (named(word(&UUIDS, spelling)), Some(*case));
        }
        Spelling::ObjectId { spelling, case } => {
            (field.spelling, field.case) = (named(word(&OBJECT_IDS, spelling)), Some(*case));
        }
        Spelling::DateTime { layout, offset_minutes } => {
            field.spelling = Some(iso_pattern(*layout));
            let one_offset = !way.losses.iter().any(|loss| matches!(loss, Loss::Offset(_)));
            field.offset = (layout.zone.is_offset() && one_offset).then(|| write_offset(*offset_minutes));
        }
        Spelling::Date => {
            // Dates with the month's name come with this spelling as well, and all of them are written otherwise.
            let all_otherwise = way.losses.contains(&Loss::Spelling(finding.fits));
            field.spelling = named(if all_otherwise { "named" } else { "YYYY-MM-DD" });
        }
        Spelling::NumericDate(date) => field.spelling = Some(numeric_pattern(*date)),
        Spelling::EpochSeconds => field.spelling = named("epoch-seconds"),
        Spelling::EpochMilliseconds => field.spelling = named("epoch-milliseconds"),
        Spelling::Integer if field.to == To::Bool => field.spelling = named("zero-or-one"),
        Spelling::Integer => field.spelling = named("integer"),
        Spelling::Scale(scale) => (field.spelling, field.scale) = (named("scale"), Some(*scale)),
        Spelling::Shortest => field.spelling = named("shortest"),
        Spelling::Digits if field.to == To::Null => {}
        Spelling::Digits => field.spelling = named("digits"),
        Spelling::Grouped { grouping, scale } => {
            (field.spelling, field.scale) = (named(word(&GROUPINGS, grouping)), *scale);
        }
        Spelling::Money { grouping, scale, affix } => {
            (field.spelling, field.scale) = (named(word(&GROUPINGS, grouping)), *scale);
            field.affix = Some(affix.clone());
        }
        Spelling::Words(words) => {
            let (yes, no) = words.words();
            field.words = Some([yes.to_owned(), no.to_owned()]);
        }
        Spelling::Hexadecimal(case) => (field.spelling, field.case) = (named("hexadecimal"), Some(*case)),
        Spelling::Base64(alphabet) => {
            field.spelling = named(if *alphabet == boson_profile::Alphabet::Url { "base64-url" } else { "base64" });
        }
        _ => {}
    }
}

/// What is said of a finding, for whoever reviews the plan.
fn remarks(finding: &Finding, field: &FieldPlan, documents: u64) -> Vec<String> {
    let mut lines = Vec::new();
    let misfits = &finding.misfits;
    let in_documents =
        finding.documents.map_or_else(String::new, |count| format!(", in {count} of {documents} documents"));
    lines.push(format!(
        "{}: {} of {} values fit{in_documents}",
        finding.actual,
        finding.fits,
        finding.fits + misfits.count
    ));
    lines.push(match finding.proposal.saved_bytes {
        Some(bytes) => format!("saves {bytes} bytes in all (computed exactly)"),
        None => "what it saves is not known before it is done".to_owned(),
    });
    if misfits.count > 0 {
        let words = misfits.nothing.iter().map(|(word, count)| format!("{count} x {word:?}"));
        let examples = misfits.examples.iter().map(|example| format!("{example:?}"));
        let shown: Vec<String> = words.chain(examples).collect();
        lines.push(format!("{} do not fit: {}", misfits.count, shown.join(", ")));
    }
    lines.extend(
        finding
            .proposal
            .losses
            .iter()
            .map(|loss| format!("{loss}: they are kept unless `lossy` says accept or companion")),
    );
    for question in &finding.questions {
        lines.push(match question {
            Question::Zone(_) => format!("{question} Name it in `zone`."),
            Question::ZeroOrOne => format!("{question} For true and false: to = \"bool\", spelling = \"zero-or-one\"."),
            Question::Nothing(_) => format!("{question} Then say nothing = \"null\"."),
            _ => question.to_string(),
        });
    }
    for other in &finding.alternatives {
        let saves = other.saved_bytes.map_or_else(String::new, |bytes| format!(", saves {bytes} bytes"));
        if let Some(target) = to(other.target) {
            let mut way = FieldPlan {
                spelling: None,
                scale: None,
                case: None,
                words: None,
                affix: None,
                to: target,
                ..field.clone()
            };
            spell(&mut way, finding, other);
            let spelling = way.spelling.map_or_else(String::new, |spelling| format!(", spelling = {spelling:?}"));
            let scale = way.scale.map_or_else(String::new, |scale| format!(", scale = {scale}"));
            lines.push(format!("or: to = {:?}{spelling}{scale}{saves}", target.name()));
        }
    }
    let reasons: Vec<String> = finding.reasons.iter().map(Reason::to_string).collect();
    lines.push(format!("risk {}: {}", finding.risk, reasons.join("; ")));
    if !field.convert && finding.path.is_id() {
        lines.push("never in place: whatever refers to _id must change with it".to_owned());
    } else if !field.convert {
        lines.push("not converted unless you say so: convert = true, lossy = \"accept\"".to_owned());
    }
    lines
}

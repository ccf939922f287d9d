//! The formats on the user's own documents: size, encode, decode, walk and get.

use boson_document::{PathBuf, Segment, Value};
use boson_oson::write::Style;
use boson_transcode::{AnyDocument, Converter, Fault, Format, Policy, Report as Losses};

use crate::contenders::{Bson, Contender, Json, Oson};
use crate::error::{BenchError, Watch, next};
use crate::numbers::{count, grouped, real};
use crate::peers::{self, Peers};
use crate::result::{Cell, Column, Report, Unit};
use crate::runner::{Measurement, Plan, measure};

const COLUMNS: [(&str, Unit); 9] = [
    ("Format", Unit::Plain),
    ("Operation", Unit::Plain),
    ("Size(bytes)", Unit::Plain),
    ("Bytes/document", Unit::Plain),
    ("SizeRatio", Unit::Plain),
    ("Time(ms)", Unit::Milliseconds),
    ("us/document", Unit::Plain),
    ("Documents/s", Unit::Plain),
    ("MB/s", Unit::Plain),
];

/// What is measured, in this order.
const OPERATIONS: [&str; 4] = ["encode", "decode", "walk", "get"];

/// Kinds of losses that are named for each format.
const LOSSES_MAX: usize = 5;

/// Documents as they were read.
#[derive(Clone, Debug)]
pub struct Input {
    format: Format,
    /// One after another.
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Input {
    /// No documents of `format` yet.
    pub const fn new(format: Format) -> Self {
        Self { format, bytes: Vec::new(), ends: Vec::new() }
    }

    /// Adds a document.
    pub fn push(&mut self, document: &[u8]) {
        self.bytes.extend_from_slice(document);
        self.ends.push(self.bytes.len());
    }

    /// How many documents there are.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes they have.
    pub const fn bytes_len(&self) -> usize {
        self.bytes.len()
    }

    fn documents(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| self.bytes.get(start..end).unwrap_or_default())
    }
}

/// What is measured besides the documents.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The fields of objects that lead to the value that is read; the middle field of each document when there is none.
    pub path: Option<PathBuf>,
    /// What is said of documents that were left out.
    pub sample: Option<String>,
}

/// Measures `inputs`, all of them in each format, and `peers` beside them.
///
/// # Errors
///
/// A document that is broken or cannot be carried over, or `Stopped`.
pub fn run(
    inputs: &[Input],
    options: &Options,
    plan: &Plan,
    peers: Option<&mut Peers>,
    watch: &mut Watch<'_>,
) -> Result<Report, BenchError> {
    let mut report = Report::new("file", COLUMNS.map(|(name, unit)| Column::new(name, unit)).to_vec());
    report.bars = report.column("Time(ms)");
    notes(&mut report, inputs, options, plan);
    if peers.is_some() {
        report.columns.push(Column::new("Time/Boson", Unit::Plain));
        report.note(peers::NOTE);
    }
    let mut runs = Runs { inputs, options, plan: *plan, bson_len: None, report: &mut report, peers, watch };
    runs.run(Format::Bson, Style::Compact, &mut Bson::default())?;
    runs.run(Format::Oson, Style::Compact, &mut Oson::new(Style::Compact))?;
    runs.run(Format::Oson, Style::Driver, &mut Oson::new(Style::Driver))?;
    runs.run(Format::Json, Style::Compact, &mut Json::default())?;
    Ok(report)
}

fn notes(report: &mut Report, inputs: &[Input], options: &Options, plan: &Plan) {
    let documents: usize = inputs.iter().map(Input::len).sum();
    let bytes: usize = inputs.iter().map(Input::bytes_len).sum();
    let (documents, bytes) = (grouped(count(documents)), grouped(count(bytes)));
    report.note(format!("{documents} documents, {bytes} bytes as they were read."));
    report.note(options.sample.clone().unwrap_or_else(|| "All documents were measured.".to_owned()));
    report.note(format!("{}; one operation goes through all documents.", plan.describe()));
    report.note(
        "encode writes trees, decode makes them, walk checks everything and keeps nothing, get makes a view and reads one \
         field; each format starts from its own trees. JSON is relaxed Extended JSON. SizeRatio is to BSON.",
    );
    if options.path.is_none() {
        report.note("get reads the middle field of each document.");
    }
}

/// The documents in one format.
struct Converted {
    documents: Vec<Document>,
    notes: Vec<String>,
}

struct Document {
    bytes: Vec<u8>,
    /// The names that lead to the value to read; empty where there is none.
    path: Vec<String>,
}

impl Converted {
    fn new(inputs: &[Input], to: Format, style: Style, options: &Options) -> Result<Self, BenchError> {
        let mut policy = Policy::default();
        policy.oson_style = style;
        let (mut converter, mut losses) = (Converter::new(to, policy), Losses::new());
        let mut documents = Vec::new();
        for input in inputs {
            for bytes in input.documents() {
                let mut out = Vec::new();
                converter.convert(&AnyDocument::new(input.format, bytes)?, &mut losses, &mut out)?;
                documents.push(Document { bytes: out, path: Vec::new() });
            }
        }
        let mut all = Self { documents, notes: losses.to_string().lines().map(str::to_owned).collect() };
        all.find_paths(to, options)?;
        Ok(all)
    }

    fn find_paths(&mut self, format: Format, options: &Options) -> Result<(), BenchError> {
        let given = options.path.as_ref().map(names).transpose()?;
        for document in &mut self.documents {
            document.path = match &given {
                Some(path) => path.clone(),
                None => middle(&decode(format, &document.bytes)?).into_iter().collect(),
            };
        }
        Ok(())
    }

    fn bytes_len(&self) -> usize {
        self.documents.iter().map(|document| document.bytes.len()).sum()
    }
}

fn decode(format: Format, bytes: &[u8]) -> Result<Value, BenchError> {
    match format {
        Format::Bson => Bson::default().decode(bytes),
        Format::Oson => Oson::new(Style::Compact).decode(bytes),
        Format::Json => Json::default().decode(bytes),
    }
}

/// The names of a path through objects alone.
fn names(path: &PathBuf) -> Result<Vec<String>, BenchError> {
    let name = |segment: &Segment| match segment {
        Segment::Field(name) => Ok(name.clone()),
        Segment::Index(_) => Err(BenchError::Missing(format!("{path}: only fields of objects are measured"))),
    };
    path.segments().iter().map(name).collect()
}

/// The name of the middle field whose value is a leaf.
fn middle(tree: &Value) -> Option<String> {
    let Value::Object(members) = tree else { return None };
    let leaves = members.iter().skip(members.len() / 2).chain(members.iter().take(members.len() / 2));
    let mut leaves = leaves.filter(|(_, value)| !value.kind().is_container());
    leaves.next().map(|(name, _)| name.clone())
}

/// Where figures of one format after the other are put.
struct Runs<'r, 'w> {
    inputs: &'r [Input],
    options: &'r Options,
    plan: Plan,
    /// The bytes of all documents in BSON, where that can hold them.
    bson_len: Option<usize>,
    report: &'r mut Report,
    peers: Option<&'r mut Peers>,
    watch: &'r mut Watch<'w>,
}

impl Runs<'_, '_> {
    /// Measures one format; that it cannot hold the documents is a finding, not the end.
    fn run<C: Contender>(&mut self, format: Format, style: Style, contender: &mut C) -> Result<(), BenchError> {
        next(self.watch, &format!("{}, conversion", contender.name()))?;
        match Converted::new(self.inputs, format, style, self.options) {
            Ok(converted) => {
                if format == Format::Bson {
                    self.bson_len = Some(converted.bytes_len());
                }
                let ours = self.add(&converted, contender)?;
                if format != Format::Oson || style == Style::Driver {
                    self.peer(format, &converted, &ours)
                } else {
                    Ok(())
                }
            }
            Err(BenchError::Convert(error)) if !matches!(error.fault(), Fault::Source(_)) => {
                self.note(contender, &format!("left out, it cannot hold these documents: {error}."));
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Measures one format; the result are the times of [`OPERATIONS`].
    fn add<C: Contender>(&mut self, converted: &Converted, contender: &mut C) -> Result<[Measurement; 4], BenchError> {
        let documents = &converted.documents;
        let plan = self.plan;
        next(self.watch, contender.name())?;
        let trees =
            documents.iter().map(|document| contender.decode(&document.bytes)).collect::<Result<Vec<_>, _>>()?;
        let encode = measure(&plan, || trees.iter().try_for_each(|tree| contender.encode(tree).map(drop)))?;
        drop(trees);
        let times = [
            encode,
            measure(&plan, || each(documents, |document| contender.decode(&document.bytes).map(drop)))?,
            measure(&plan, || each(documents, |document| contender.walk(&document.bytes)))?,
            measure(&plan, || each(documents, |document| get(contender, document).map(drop)))?,
        ];
        for (operation, time) in times.iter().enumerate() {
            self.push(contender.name(), operation, [documents.len(), converted.bytes_len()], time, None);
        }
        self.note_findings(converted, contender)?;
        Ok(times)
    }

    fn note_findings(&mut self, converted: &Converted, contender: &impl Contender) -> Result<(), BenchError> {
        let found = found(&converted.documents, contender)?;
        if found < converted.documents.len() {
            self.note(contender, &format!("the field that get reads is in {found} of the documents."));
        }
        for loss in converted.notes.iter().take(LOSSES_MAX) {
            self.note(contender, loss);
        }
        if let Some(more @ 1..) = converted.notes.len().checked_sub(LOSSES_MAX) {
            self.note(contender, &format!("and {more} more; `boson convert` says them all."));
        }
        Ok(())
    }

    /// Measures encode and decode of the peer of `format`, whose times here are `ours`.
    fn peer(&mut self, format: Format, converted: &Converted, ours: &[Measurement; 4]) -> Result<(), BenchError> {
        let Some(peers) = self.peers.as_deref_mut() else { return Ok(()) };
        next(self.watch, &format!("the peer of {format}"))?;
        let documents = converted.documents.iter().map(|document| document.bytes.as_slice());
        let figures = match peers.measure(format, documents, &[], &self.plan)? {
            Ok(figures) => figures,
            Err(refused) => {
                self.report.note(format!("The peer of {format}: {refused}."));
                return Ok(());
            }
        };
        let size = [converted.documents.len(), figures.size];
        for (operation, (time, ours)) in [&figures.encode, &figures.decode].into_iter().zip(ours).enumerate() {
            self.push(&figures.name, operation, size, time, Some(ours));
        }
        Ok(())
    }

    fn note(&mut self, contender: &impl Contender, what: &str) {
        self.report.note(format!("{}: {what}", contender.name()));
    }

    fn push(
        &mut self,
        name: &str,
        operation: usize,
        [documents, bytes]: [usize; 2],
        time: &Measurement,
        ours: Option<&Measurement>,
    ) {
        let (documents, size) = (real(count(documents)), real(count(bytes)));
        let seconds = time.median_ns() / 1e9;
        let mut cells = vec![
            Cell::text(name),
            Cell::text(OPERATIONS.get(operation).copied().unwrap_or_default()),
            Cell::len(bytes),
            Cell::Number(size / documents),
            self.bson_len.map_or(Cell::Empty, |bson_len| Cell::Number(size / real(count(bson_len)))),
            time.clone().into(),
            Cell::Number(seconds * 1e6 / documents),
            Cell::Number(documents / seconds),
            Cell::Number(size / 1e6 / seconds),
        ];
        if self.peers.is_some() {
            cells.push(ours.map_or(Cell::Empty, |ours| Cell::ratio(time, ours)));
        }
        self.report.push(operation, cells);
    }
}

fn each(documents: &[Document], operation: impl FnMut(&Document) -> Result<(), BenchError>) -> Result<(), BenchError> {
    documents.iter().try_for_each(operation)
}

fn get(contender: &impl Contender, document: &Document) -> Result<bool, BenchError> {
    let mut names = [""; PATH_LEN_MAX];
    for (place, name) in names.iter_mut().zip(&document.path) {
        *place = name;
    }
    contender.get(&document.bytes, names.get(..document.path.len()).unwrap_or_default())
}

/// Names in a path that are looked up; beyond them nothing is found.
const PATH_LEN_MAX: usize = 16;

fn found(documents: &[Document], contender: &impl Contender) -> Result<usize, BenchError> {
    documents.iter().try_fold(0, |found, document| Ok(found + usize::from(get(contender, document)?)))
}

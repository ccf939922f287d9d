//! What a conversion could not carry over, where and how often.

use std::collections::BTreeMap;
use std::fmt;

/// Why something is not the same after a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Loss {
    /// A number kept its value and got another type: a NUMBER became an int, an int a NUMBER, a float a double.
    NumberType,
    /// A decimal kept its value and lost the zeros at its end, or the exponent it was written with: `1.50` became `1.5`.
    DecimalScale,
    /// A date or time kept its value and got another type: a DATE became a date and time.
    TimeType,
    /// A value the target has no type for was written as an extended object, MongoDB's or Oracle's, which is turned back on the
    /// way back.
    Wrapped,
    /// An object of OSON that looks like the Extended JSON form of a scalar, or one of BSON that looks like Oracle's, was read as
    /// that scalar. That is how what was [`Wrapped`](Self::Wrapped) comes back; nothing tells it from an object that
    /// somebody stored.
    Unwrapped,
    /// The options of a regular expression were put in alphabetical order, as the BSON specification asks of writers.
    RegexOptions,
    /// A value was written in a form that reads back as another type: a date as text, an ObjectId as hexadecimal.
    Type,
    /// The sign of a zero is gone.
    NegativeZero,
    /// A NaN is another NaN: only its sign or payload is gone, or that it was a signaling one.
    NanPayload,
    /// An infinity or zero of decimal128 had bits that mean nothing, and they are gone.
    DecimalBits,
    /// A number was rounded.
    NumberRounded,
    /// The subtype of binary data is gone, its bytes are kept.
    BinarySubtype,
    /// The point in time is kept, the zone it was written in is gone.
    TimeZone,
    /// The digits of a time below the millisecond are gone.
    FractionBelowMs,
    /// A date lies outside the years the target can hold, and was written as an Extended JSON object.
    DateOutOfRange,
    /// An object of the document looks like the Extended JSON form of a scalar, and would be read as that scalar.
    WrapperAmbiguous,
    /// A name occurs more than once in an object.
    DuplicateName,
    /// An OSON image is larger than the 32 MiB that a JSON column of a server takes.
    ServerBytes,
    /// The containers of an OSON image stand deeper in each other than the 1,000 levels that a server takes.
    ServerDepth,
    /// An OSON image has a name of more than 255 bytes, and with it version 3, which servers read from 23ai on.
    ServerVersion,
}

impl Loss {
    /// Every reason there is.
    pub const ALL: [Self; 20] = [
        Self::NumberType,
        Self::DecimalScale,
        Self::TimeType,
        Self::Wrapped,
        Self::Unwrapped,
        Self::RegexOptions,
        Self::Type,
        Self::NegativeZero,
        Self::NanPayload,
        Self::DecimalBits,
        Self::NumberRounded,
        Self::BinarySubtype,
        Self::TimeZone,
        Self::FractionBelowMs,
        Self::DateOutOfRange,
        Self::WrapperAmbiguous,
        Self::DuplicateName,
        Self::ServerBytes,
        Self::ServerDepth,
        Self::ServerVersion,
    ];

    /// The name of the reason for programs: lower case, with hyphens.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NumberType => "number-type",
            Self::DecimalScale => "decimal-scale",
            Self::TimeType => "time-type",
            Self::Wrapped => "wrapped",
            Self::Unwrapped => "unwrapped",
            Self::RegexOptions => "regex-options",
            Self::Type => "type",
            Self::NegativeZero => "negative-zero",
            Self::NanPayload => "nan-payload",
            Self::DecimalBits => "decimal-bits",
            Self::NumberRounded => "number-rounded",
            Self::BinarySubtype => "binary-subtype",
            Self::TimeZone => "time-zone",
            Self::FractionBelowMs => "fraction-below-ms",
            Self::DateOutOfRange => "date-out-of-range",
            Self::WrapperAmbiguous => "wrapper-ambiguous",
            Self::DuplicateName => "duplicate-name",
            Self::ServerBytes => "server-bytes",
            Self::ServerDepth => "server-depth",
            Self::ServerVersion => "server-version",
        }
    }

    /// The reason in a sentence for people.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::NumberType => "the number is the same, its type is another",
            Self::DecimalScale => "the decimal is the same, the zeros at its end are gone",
            Self::TimeType => "the time is the same, its type is another",
            Self::Wrapped => "written as an extended object, turned back on the way back",
            Self::Unwrapped => "an object was read as the value it looks like",
            Self::RegexOptions => "the options of a regular expression were sorted",
            Self::Type => "written in a form that reads back as another type",
            Self::NegativeZero => "the sign of a zero is gone",
            Self::NanPayload => "the sign or payload of a NaN is gone",
            Self::DecimalBits => "bits of a decimal that mean nothing are gone",
            Self::NumberRounded => "the number was rounded",
            Self::BinarySubtype => "the subtype of binary data is gone",
            Self::TimeZone => "the moment is the same, the time zone is gone",
            Self::FractionBelowMs => "digits below the millisecond are gone",
            Self::DateOutOfRange => "outside the target's years, written as an Extended JSON object",
            Self::WrapperAmbiguous => "an object that looks like an Extended JSON value reads back as that value",
            Self::DuplicateName => "a name occurs more than once in an object",
            Self::ServerBytes => "Oracle Database refuses it: its JSON columns take OSON images of up to 32 MiB",
            Self::ServerDepth => "Oracle Database refuses it: it takes up to 1,000 levels of containers",
            Self::ServerVersion => "a name has more than 255 bytes: Oracle Database reads the image from 23ai on",
        }
    }

    /// Whether nothing became another, and a database server is picky about what was written.
    pub const fn is_about_servers(self) -> bool {
        matches!(self, Self::ServerBytes | Self::ServerDepth | Self::ServerVersion)
    }

    /// Whether the information is gone, or only its form is another.
    pub const fn grade(self) -> Grade {
        match self {
            Self::NumberType
            | Self::DecimalScale
            | Self::TimeType
            | Self::Wrapped
            | Self::Unwrapped
            | Self::RegexOptions
            | Self::DateOutOfRange
            | Self::ServerBytes
            | Self::ServerDepth
            | Self::ServerVersion => Grade::Form,
            Self::Type
            | Self::NegativeZero
            | Self::NanPayload
            | Self::DecimalBits
            | Self::NumberRounded
            | Self::BinarySubtype
            | Self::TimeZone
            | Self::FractionBelowMs
            | Self::WrapperAmbiguous
            | Self::DuplicateName => Grade::Value,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How much a loss matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grade {
    /// The value is the same in another form.
    Form,
    /// Part of the value, or what kind of value it was, is gone.
    Value,
}

/// One reason at one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrences<'a> {
    /// Why.
    pub loss: Loss,
    /// Where: the text of a path, with `[*]` for every place in an array. `None` stands for all the paths that came
    /// after the first [`Report::paths_max`] of this reason.
    pub path: Option<&'a str>,
    /// How often.
    pub count: u64,
    /// The first document in which it occurred, counted from 0.
    pub first_document: u64,
}

/// What conversions could not carry over: every loss is counted, and for each reason the first paths are kept, so that a
/// report stays small however many documents go into it.
#[derive(Clone, Debug)]
pub struct Report {
    paths_max: usize,
    documents: u64,
    tallies: BTreeMap<Loss, Tally>,
}

/// The occurrences of one reason.
#[derive(Clone, Debug, Default)]
struct Tally {
    paths: BTreeMap<Box<str>, Count>,
    elsewhere: Option<Count>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    count: u64,
    first_document: u64,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.first_document = self.first_document.min(other.first_document);
    }
}

impl Default for Report {
    fn default() -> Self {
        Self::with_paths_max(100)
    }
}

impl Report {
    /// An empty report that keeps 100 paths of each reason.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty report that keeps `paths_max` paths of each reason.
    pub fn with_paths_max(paths_max: usize) -> Self {
        Self { paths_max, documents: 0, tallies: BTreeMap::new() }
    }

    /// How many paths are kept of each reason.
    pub const fn paths_max(&self) -> usize {
        self.paths_max
    }

    /// How many documents went into this report.
    pub const fn documents(&self) -> u64 {
        self.documents
    }

    /// Whether every value came over as it is: nothing is told, or only what database servers make of an image.
    pub fn is_exact(&self) -> bool {
        self.tallies.keys().all(|loss| loss.is_about_servers())
    }

    /// Whether nothing is told.
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// How many losses there were for `loss`.
    pub fn count(&self, loss: Loss) -> u64 {
        let of_this = self.iter().filter(|occurrences| occurrences.loss == loss);
        of_this.fold(0, |sum, occurrences| sum.saturating_add(occurrences.count))
    }

    /// How many losses of this grade there were.
    pub fn count_of(&self, grade: Grade) -> u64 {
        let of_this = self.iter().filter(|occurrences| occurrences.loss.grade() == grade);
        of_this.fold(0, |sum, occurrences| sum.saturating_add(occurrences.count))
    }

    /// Every loss, by reason and then by path; what has no path of its own comes last of its reason.
    pub fn iter(&self) -> impl Iterator<Item = Occurrences<'_>> {
        self.tallies.iter().flat_map(|(&loss, tally)| {
            let named = tally.paths.iter().map(|(path, &count)| (Some(&**path), count));
            named
                .chain(tally.elsewhere.map(|count| (None, count)))
                .map(move |(path, Count { count, first_document })| Occurrences { loss, path, count, first_document })
        })
    }

    /// Says that the losses to come are those of the next document.
    pub const fn begin_document(&mut self) {
        self.documents = self.documents.saturating_add(1);
    }

    /// Counts one loss at `path`, the text of a path with `[*]` for every place in an array, in the document that was
    /// begun last.
    pub fn add(&mut self, loss: Loss, path: &str) {
        let one = Count { count: 1, first_document: self.documents.saturating_sub(1) };
        self.add_count(loss, Some(path), one);
    }

    /// Adds what `other` counted, whose documents come after those of this report.
    pub fn merge(&mut self, other: &Self) {
        for Occurrences { loss, path, count, first_document } in other.iter() {
            let first_document = self.documents.saturating_add(first_document);
            self.add_count(loss, path, Count { count, first_document });
        }
        self.documents = self.documents.saturating_add(other.documents);
    }

    fn add_count(&mut self, loss: Loss, path: Option<&str>, count: Count) {
        let tally = self.tallies.entry(loss).or_default();
        let known = path.and_then(|path| tally.paths.get_mut(path)).or(None);
        if let Some(known) = known {
            return known.add(count);
        }
        match path {
            Some(path) if tally.paths.len() < self.paths_max => {
                tally.paths.insert(path.into(), count);
            }
            _ => match &mut tally.elsewhere {
                Some(elsewhere) => elsewhere.add(count),
                elsewhere @ None => *elsewhere = Some(count),
            },
        }
    }
}

impl fmt::Display for Report {
    /// One line for each reason and path: `time-zone 3 x $.orders[*].at: the moment is the same, the time zone is gone`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|Occurrences { loss, path, count, .. }| {
            let path = path.unwrap_or("other paths");
            writeln!(f, "{loss} {count} x {path}: {}", loss.explanation())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_everything_and_keeps_the_first_paths() {
        let mut report = Report::with_paths_max(2);
        for document in 0..3 {
            report.begin_document();
            for path in ["$.a", "$.b", "$.c", "$.d"] {
                report.add(Loss::NumberType, path);
            }
            if document == 2 {
                report.add(Loss::TimeZone, "$.z");
            }
        }
        let seen: Vec<_> = report.iter().map(|one| (one.loss, one.path, one.count, one.first_document)).collect();
        assert_eq!(
            seen,
            [
                (Loss::NumberType, Some("$.a"), 3, 0),
                (Loss::NumberType, Some("$.b"), 3, 0),
                (Loss::NumberType, None, 6, 0),
                (Loss::TimeZone, Some("$.z"), 1, 2),
            ]
        );
        assert_eq!((report.count(Loss::NumberType), report.count(Loss::Type)), (12, 0));
        assert_eq!((report.count_of(Grade::Form), report.count_of(Grade::Value)), (12, 1));
    }

    #[test]
    fn reports_of_parts_add_up() {
        let mut whole = Report::new();
        for _ in 0..2 {
            let mut part = Report::new();
            for _ in 0..10 {
                part.begin_document();
            }
            part.add(Loss::Type, "$.a[*]");
            whole.merge(&part);
        }
        let seen: Vec<_> = whole.iter().map(|one| (one.path, one.count, one.first_document)).collect();
        assert_eq!(seen, [(Some("$.a[*]"), 2, 9)]);
        assert_eq!(whole.documents(), 20);
        assert_eq!(whole.to_string(), "type 2 x $.a[*]: written in a form that reads back as another type\n");
    }

    #[test]
    fn every_reason_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = Loss::ALL.iter().map(|loss| loss.name()).collect();
        assert_eq!(names.len(), Loss::ALL.len());
    }
}

//! Wrapper objects: MongoDB Extended JSON and Oracle's extended objects.

mod decode;
mod name;
mod numbers;
pub(crate) mod shape;
mod tape;
mod unwrap;
mod wrap;

pub use unwrap::{Unwrap, Unwrapped};
pub use wrap::{Wrap, is_bson_only};

/// Which wrapper objects are understood, and how strictly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "choices, each independent of the others")]
pub struct Dialects {
    names: Names,
    /// What both have is read as Oracle reads it.
    oracle_first: bool,
    legacy: bool,
    lenient: bool,
    loose_uuids: bool,
    decimal128: bool,
}

/// Whose wrapper objects there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    Nobodys,
    Mongodb,
    Both,
    OracleTypes,
}

impl Dialects {
    /// MongoDB Extended JSON v2, canonical and relaxed, by the letter: an object with a wrapper's key that is not exactly
    /// that wrapper is an error.
    pub const MONGODB: Self = Self {
        names: Names::Mongodb,
        oracle_first: false,
        legacy: false,
        lenient: false,
        loose_uuids: false,
        decimal128: false,
    };

    /// None at all: every object is what it is written as.
    pub const NONE: Self = Self { names: Names::Nobodys, ..Self::MONGODB };

    /// MongoDB's, and Oracle's extended objects as its database reads them with the keyword EXTENDED:
    ///
    /// | object | scalar |
    /// |---|---|
    /// | `$oracleDate`, `$oracleTimestamp`, `$oracleTimestampTZ` around ISO 8601 | DATE, TIMESTAMP, TIMESTAMP WITH TIME ZONE |
    /// | `$intervalYearMonth`, `$intervalDaySecond` around an ISO 8601 duration | the intervals |
    /// | `$rawhex`, `$rawid` around hexadecimal digits | binary, ID (12 bytes: an ObjectId) |
    /// | `$numberFloat` | `BINARY_FLOAT` |
    /// | `$numberInt`, `$numberLong`, `$numberDouble`, `$numberFloat`, `$numberDecimal` around a number, too | a number around which they stand; `$numberDecimal` around a number is NUMBER, around a string Decimal128 if that holds it |
    /// | `$binary` around base64, perhaps with `$subtype` | binary |
    /// | `$date` around milliseconds, too; with more than milliseconds | a date; TIMESTAMP WITH TIME ZONE |
    /// | `$vector` around an array, with `$vectorElementType` | VECTOR |
    ///
    /// Words for what is no number are read in any case, `Inf` is read as `Infinity`.
    pub const ORACLE: Self = Self { names: Names::Both, oracle_first: true, ..Self::MONGODB };

    /// Oracle's extended objects as [`ORACLE`](Self::ORACLE) has them, but what both have by the letter of MongoDB's: a
    /// `$date` around a number and a `$binary` around text are errors, a `$date` with a zone is a date.
    pub const BOTH: Self = Self { oracle_first: false, ..Self::ORACLE };

    /// Only those of Oracle's objects that stand for a type that BSON lacks: `$intervalYearMonth`, `$intervalDaySecond`,
    /// `$rawid`, `$vector`. This is what a BSON document may hold that was OSON before; MongoDB's objects are none in BSON.
    pub const ORACLE_TYPES: Self = Self { names: Names::OracleTypes, ..Self::ORACLE };

    /// Whether an object that has a member of this name must be one of these wrapper objects: any other such object is read
    /// as something that it is not, or is an error.
    pub fn claims(self, name: &str) -> bool {
        name.starts_with('$') && name::Name::of(name, self).is_some_and(name::Name::is_binding)
    }

    /// Also reads what older tools wrote: `{"$binary": "AA==", "$type": "00"}`, `{"$regex": "a", "$options": "i"}`, each of
    /// exactly these two keys, and `{"$date": 0}`.
    #[must_use]
    pub const fn with_legacy(self) -> Self {
        Self { legacy: true, ..self }
    }

    /// Leaves a malformed wrapper alone, as the plain object it is; [`Unwrap::malformed`] counts them.
    #[must_use]
    pub const fn lenient(self) -> Self {
        Self { lenient: true, ..self }
    }

    /// Reads `$numberDecimal` around a bare number as a Decimal128 with the number's digits, where one holds them, rather than
    /// as a NUMBER: for targets that have no NUMBER.
    #[must_use]
    pub const fn with_decimal128(self) -> Self {
        Self { decimal128: true, ..self }
    }

    const fn oracle(self) -> bool {
        matches!(self.names, Names::Both | Names::OracleTypes)
    }

    /// Also reads `$uuid` around 32 digits with no hyphens, and around a UUID in braces.
    #[must_use]
    pub const fn with_loose_uuids(self) -> Self {
        Self { loose_uuids: true, ..self }
    }
}

//! What to do where formats differ.

use boson_json::{Dialects, Inexact, Style};
use boson_transcode::{DuplicateNames, Fractions, OutOfRange, Policy, Subtypes};
use clap::{Args, ValueEnum};

use super::input::LimitArgs;

/// What JSON text is taken for.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct DialectArgs {
    /// Which objects of JSON input stand for values: `{"$oid": …}` and the like
    #[arg(long, value_enum, default_value_t, value_name = "DIALECT")]
    json_dialect: JsonDialect,
}

impl DialectArgs {
    /// The default policy with this dialect, within `limits`.
    pub(crate) fn policy(self, limits: LimitArgs) -> Policy {
        let mut policy = Policy::default();
        policy.dialects = self.json_dialect.into();
        policy.bson_limits = limits.apply(policy.bson_limits);
        policy.oson_limits = limits.apply(policy.oson_limits);
        policy.json_limits = limits.apply(policy.json_limits);
        policy
    }
}

/// The choices of a conversion; each has a default that loses nothing it can keep.
#[derive(Debug, Args)]
#[command(next_help_heading = "Conversion")]
pub(crate) struct PolicyArgs {
    /// How JSON writes what it has no type for
    #[arg(long, value_enum, default_value_t, value_name = "STYLE")]
    json_style: JsonStyle,

    #[command(flatten)]
    dialect: DialectArgs,

    /// How OSON images are laid out
    #[arg(long, value_enum, default_value_t, value_name = "STYLE")]
    oson_style: OsonStyle,

    /// Keep the order of the fields in large OSON objects, so that none can be searched
    #[arg(long)]
    keep_order: bool,

    /// What a JSON number with a fraction or an exponent becomes
    #[arg(long, value_enum, default_value_t, value_name = "TYPE")]
    fractions: FractionChoice,

    /// What a number becomes that neither a 64-bit integer nor a double holds exactly
    #[arg(long, value_enum, default_value_t, value_name = "TYPE")]
    inexact: InexactChoice,

    /// What to do when a name occurs twice in an object
    #[arg(long, value_enum, default_value_t, value_name = "CHOICE")]
    duplicates: DuplicateChoice,

    /// Let go of the subtype of binary data on the way to OSON, rather than writing Extended JSON objects
    #[arg(long)]
    drop_subtypes: bool,

    /// Write dates outside the years 1 to 9999 as Extended JSON objects on the way to OSON, rather than refusing them
    #[arg(long)]
    wrap_dates: bool,
}

impl PolicyArgs {
    /// The policy that was asked for, within `limits`.
    pub(crate) fn policy(&self, limits: LimitArgs) -> Policy {
        let mut policy = self.dialect.policy(limits);
        policy.json_style = self.json_style.into();
        policy.oson_style = self.oson_style.into();
        policy.keep_order = self.keep_order;
        policy.fractions = self.fractions.into();
        policy.inexact = self.inexact.into();
        policy.duplicate_names = self.duplicates.into();
        policy.subtypes = if self.drop_subtypes { Subtypes::Drop } else { Subtypes::Wrap };
        policy.dates = if self.wrap_dates { OutOfRange::Wrap } else { OutOfRange::Error };
        policy
    }
}

/// How JSON writes what it has no type for.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum JsonStyle {
    /// MongoDB Extended JSON, numbers and common dates as people write them
    #[default]
    Relaxed,
    /// MongoDB Extended JSON, every type spelled out
    Canonical,
    /// Oracle's extended objects, `{"$oracleDate": …}`
    Oracle,
    /// Plain text, which does not come back as what it was
    Plain,
}

impl From<JsonStyle> for Style {
    fn from(style: JsonStyle) -> Self {
        match style {
            JsonStyle::Relaxed => Self::ExtendedRelaxed,
            JsonStyle::Canonical => Self::ExtendedCanonical,
            JsonStyle::Oracle => Self::Oracle,
            JsonStyle::Plain => Self::Plain,
        }
    }
}

/// Which objects of JSON input stand for values.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum JsonDialect {
    /// MongoDB's Extended JSON v2, and Oracle's extended objects
    #[default]
    Both,
    /// MongoDB's Extended JSON v2 alone
    Mongodb,
    /// MongoDB's, with what tools wrote before v2
    Legacy,
    /// Oracle's, as its database reads them
    Oracle,
    /// None: every object is what it is written as
    None,
}

impl From<JsonDialect> for Dialects {
    fn from(dialect: JsonDialect) -> Self {
        match dialect {
            JsonDialect::Both => Self::BOTH,
            JsonDialect::Mongodb => Self::MONGODB,
            JsonDialect::Legacy => Self::MONGODB.with_legacy(),
            JsonDialect::Oracle => Self::ORACLE,
            JsonDialect::None => Self::NONE,
        }
    }
}

/// How OSON images are laid out.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum OsonStyle {
    /// Small, and fast to search
    #[default]
    Compact,
    /// Byte for byte what python-oracledb writes
    Driver,
}

impl From<OsonStyle> for boson_oson::write::Style {
    fn from(style: OsonStyle) -> Self {
        match style {
            OsonStyle::Compact => Self::Compact,
            OsonStyle::Driver => Self::Driver,
        }
    }
}

/// What a JSON number with a fraction or an exponent becomes.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum FractionChoice {
    /// A double where that prints as the same number
    #[default]
    Double,
    /// A decimal with the text's digits
    Decimal,
}

impl From<FractionChoice> for Fractions {
    fn from(choice: FractionChoice) -> Self {
        match choice {
            FractionChoice::Double => Self::Double,
            FractionChoice::Decimal => Self::Decimal,
        }
    }
}

/// What a number becomes that neither a 64-bit integer nor a double holds exactly.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum InexactChoice {
    /// A decimal
    #[default]
    Decimal,
    /// The nearest double
    Double,
    /// An error
    Error,
}

impl From<InexactChoice> for Inexact {
    fn from(choice: InexactChoice) -> Self {
        match choice {
            InexactChoice::Decimal => Self::Decimal128,
            InexactChoice::Double => Self::Double,
            InexactChoice::Error => Self::Error,
        }
    }
}

/// What to do when a name occurs twice in an object.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum DuplicateChoice {
    /// Keep all where the target can, else an error
    #[default]
    Keep,
    /// An error
    Error,
    /// Keep the first
    First,
    /// Keep the last
    Last,
}

impl From<DuplicateChoice> for DuplicateNames {
    fn from(choice: DuplicateChoice) -> Self {
        match choice {
            DuplicateChoice::Keep => Self::Keep,
            DuplicateChoice::Error => Self::Error,
            DuplicateChoice::First => Self::First,
            DuplicateChoice::Last => Self::Last,
        }
    }
}

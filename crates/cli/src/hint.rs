//! Which option helps: the libraries say what must be asked for, and only the command line knows how.

use std::error::Error;

use boson_document::{DecodeError, DecodeErrorKind, Limit, Located, Rule};
use boson_oson::write::EncodeErrorKind;
use boson_store::{ReadError, ReadFault, WriteError, WriteFault};
use boson_transcode::{ConvertError, Fault, Refusal, UnknownFormat};

/// What to try after `error`, where an option helps.
pub(crate) fn of(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(of_cause)
}

fn of_cause(cause: &(dyn Error + 'static)) -> Option<&'static str> {
    if let Some(error) = cause.downcast_ref::<ReadError>() {
        of_read(error)
    } else if let Some(error) = cause.downcast_ref::<WriteError>() {
        of_write(error.fault())
    } else if let Some(error) = cause.downcast_ref::<ConvertError>() {
        of_conversion(error.fault())
    } else if let Some(error) = cause.downcast_ref::<Located>() {
        of_kind(&error.error.kind)
    } else {
        cause.downcast_ref::<DecodeError>().and_then(|error| of_kind(&error.kind))
    }
}

const MAX_BYTES: &str = "--max-bytes raises the limit";
const MAX_DEPTH: &str = "--max-depth raises the limit";
const INEXACT: &str = "--inexact double takes the nearest double";
const DUPLICATES: &str = "--duplicates first or --duplicates last keeps one of them";
const WRAP_DATES: &str = "--wrap-dates writes such dates as Extended JSON objects";

fn of_read(error: &ReadError) -> Option<&'static str> {
    match error.fault() {
        ReadFault::Cut { whole: 1.., .. } => Some("--recover uses the whole documents before the cut"),
        ReadFault::TooLarge { .. } => Some(MAX_BYTES),
        ReadFault::Unknown(UnknownFormat::Bytes(_)) => Some("--from says which form it is"),
        ReadFault::Document(kind) => of_kind(kind),
        ReadFault::BsonLength(_) if error.index() == 0 => Some("--from says which form it is, if it is no BSON"),
        ReadFault::BsonLength(_) | ReadFault::BsonTerminator(_) | ReadFault::Io(_) if error.index() > 0 => {
            Some("boson convert --skip-invalid keeps the documents before it")
        }
        _ => None,
    }
}

const fn of_write(fault: &WriteFault) -> Option<&'static str> {
    match fault {
        WriteFault::Exists => Some("--overwrite replaces it"),
        WriteFault::SecondImage => Some("--to oson-hex or --to oson-images writes several"),
        _ => None,
    }
}

fn of_conversion(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::Source(error) => of_kind(&error.kind),
        Fault::Refused(refusal) => of_refusal(*refusal),
        Fault::Bson(boson_bson::EncodeErrorKind::InexactNumber) => Some(INEXACT),
        Fault::Oson(EncodeErrorKind::DuplicateName) => Some(DUPLICATES),
        Fault::Oson(EncodeErrorKind::DateRange) => Some(WRAP_DATES),
        Fault::Oson(EncodeErrorKind::LimitExceeded(limit)) => of_limit(*limit),
        _ => None,
    }
}

const fn of_refusal(refusal: Refusal) -> Option<&'static str> {
    match refusal {
        Refusal::InexactNumber(_) => Some(INEXACT),
        Refusal::DateOutOfRange => Some(WRAP_DATES),
        Refusal::DuplicateName => Some(DUPLICATES),
        _ => None,
    }
}

const fn of_kind(kind: &DecodeErrorKind) -> Option<&'static str> {
    match kind {
        DecodeErrorKind::LimitExceeded(limit) => of_limit(*limit),
        DecodeErrorKind::Broken(Rule::JsonAfterArray) => Some("--from json-values reads values that follow each other"),
        DecodeErrorKind::Broken(Rule::Extended | Rule::ExtendedShape) => {
            Some("--json-dialect none reads such objects as what they are written as")
        }
        _ => None,
    }
}

const fn of_limit(limit: Limit) -> Option<&'static str> {
    match limit {
        Limit::Depth(_) => Some(MAX_DEPTH),
        Limit::Bytes => Some(MAX_BYTES),
        // What sharing unfolds to is bounded for good.
        Limit::Nodes | Limit::SharedBytes => None,
    }
}

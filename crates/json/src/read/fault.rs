//! The parser's errors in our own words.

use boson_document::{DecodeError, DecodeErrorKind, Rule};
use jiter::{JiterError, JiterErrorType, JsonErrorType};

use super::Reader;

impl Reader<'_> {
    /// What `error` is.
    #[cold]
    pub(super) fn fault(&self, error: &JiterError) -> DecodeError {
        let kind = match &error.error_type {
            JiterErrorType::JsonError(kind) => self.kind(kind, error.index),
            JiterErrorType::WrongType { .. } => DecodeErrorKind::Broken(Rule::JsonValue),
        };
        // Every index lies within the text, but for strings with escapes in front of a fault in their encoding.
        let index = error.index.min(self.text.len());
        DecodeError::new(self.base.saturating_add(index), kind)
    }

    fn kind(&self, kind: &JsonErrorType, index: usize) -> DecodeErrorKind {
        match kind {
            JsonErrorType::EofWhileParsingList
            | JsonErrorType::EofWhileParsingObject
            | JsonErrorType::EofWhileParsingString
            | JsonErrorType::EofWhileParsingValue => DecodeErrorKind::UnexpectedEnd { missing: 1 },
            JsonErrorType::TrailingCharacters => {
                let rest = self.text.len().saturating_sub(index);
                DecodeErrorKind::TrailingBytes(u32::try_from(rest).unwrap_or(u32::MAX))
            }
            JsonErrorType::InvalidUnicodeCodePoint => DecodeErrorKind::InvalidUtf8,
            other => DecodeErrorKind::Broken(rule(other)),
        }
    }
}

fn rule(kind: &JsonErrorType) -> Rule {
    match kind {
        JsonErrorType::ExpectedColon => Rule::JsonColon,
        JsonErrorType::ExpectedListCommaOrEnd | JsonErrorType::ExpectedObjectCommaOrEnd => Rule::JsonComma,
        JsonErrorType::TrailingComma => Rule::JsonTrailingComma,
        JsonErrorType::ExpectedSomeIdent => Rule::JsonLiteral,
        JsonErrorType::InvalidEscape => Rule::JsonEscape,
        JsonErrorType::InvalidNumber => Rule::JsonNumber,
        JsonErrorType::NumberOutOfRange => Rule::JsonNumberLength,
        JsonErrorType::ControlCharacterWhileParsingString => Rule::JsonControl,
        JsonErrorType::KeyMustBeAString => Rule::JsonKey,
        JsonErrorType::LoneLeadingSurrogateInHexEscape | JsonErrorType::UnexpectedEndOfHexEscape => Rule::JsonSurrogate,
        // Whatever else the parser may come to say: a value did not stand where one was expected.
        _ => Rule::JsonValue,
    }
}

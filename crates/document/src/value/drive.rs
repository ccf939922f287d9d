//! Walking a tree.

use super::Value;
use crate::error::{DecodeError, DecodeErrorKind, Rule};
use crate::scalar::Scalar;
use crate::sink::{Container, Descend, Sink, Source};
use crate::span::Span;

impl Source for Value {
    /// Delivers the tree; spans are empty.
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match self {
            Self::Object(members) => {
                if sink.begin_object(container(members.len()))? == Descend::Into {
                    drive_members(members, sink)?;
                    sink.end_object()?;
                }
                Ok(())
            }
            Self::Array(elements) => {
                if sink.begin_array(container(elements.len()))? == Descend::Into {
                    elements.iter().try_for_each(|element| drive_one(element, sink))?;
                    sink.end_array()?;
                }
                Ok(())
            }
            Self::CodeWithScope { code, scope } => {
                if sink.begin_code_with_scope(code, container(scope.len()))? == Descend::Into {
                    drive_members(scope, sink)?;
                    sink.end_code_with_scope()?;
                }
                Ok(())
            }
            leaf => leaf.with_scalar(|scalar| sink.scalar(scalar, Span::default())).ok_or(NUL_IN_REGEX)?,
        }
    }
}

/// The one leaf that can be made and not delivered.
const NUL_IN_REGEX: DecodeError = DecodeError { offset: 0, kind: DecodeErrorKind::Broken(Rule::NulInRegex) };

fn container(len: usize) -> Container {
    Container { span: Span::default(), len: Some(len) }
}

fn drive_members<S: Sink>(members: &[(String, Value)], sink: &mut S) -> Result<(), S::Error> {
    members.iter().try_for_each(|(name, value)| {
        sink.key(name, Span::default())?;
        drive_one(value, sink)
    })
}

/// Delivers a common leaf at once; of anything else the walk goes on inside.
#[inline]
fn drive_one<S: Sink>(value: &Value, sink: &mut S) -> Result<(), S::Error> {
    let leaf = match value {
        Value::String(text) => Scalar::String(text),
        Value::Int32(number) => Scalar::Int32(*number),
        Value::Int64(number) => Scalar::Int64(*number),
        Value::Double(number) => Scalar::Double(*number),
        Value::Bool(flag) => Scalar::Bool(*flag),
        Value::DateTime(millis) => Scalar::DateTime(*millis),
        Value::ObjectId(id) => Scalar::ObjectId(*id),
        Value::Null => Scalar::Null,
        other => return other.drive(sink),
    };
    sink.scalar(leaf, Span::default())
}

//! The shape of what is written: escapes, white space, what is hidden.

use boson_document::{Source, Value};
use boson_json::{Style, Text, WriteError, Writer};

use crate::support::{object, raw, string, written};

#[test]
fn strings_are_escaped_as_little_as_possible() {
    for (text, expected) in [
        ("", r#""""#),
        ("plain", r#""plain""#),
        ("q\"b\\s/", r#""q\"b\\s/""#),
        ("\u{0}\u{1f}\u{8}\u{c}\n\r\t", r#""\u0000\u001f\b\f\n\r\t""#),
        ("\u{7f}é😀\u{2028}", "\"\u{7f}é😀\u{2028}\""),
        ("12345678\"", r#""12345678\"""#),
        ("1234567\"9abcdefg\n", r#""1234567\"9abcdefg\n""#),
    ] {
        assert_eq!(written(&string(text), Style::Plain), expected);
        assert_eq!(serde_json::to_string(text).unwrap(), expected, "the peer writes the same");
        let member = object([(text, Value::Null)]);
        assert_eq!(written(&member, Style::ExtendedCanonical), format!("{{{expected}:null}}"));
    }
}

#[test]
fn text_can_be_laid_out_for_people() {
    let text = r#"{"a":1,"b":[],"c":{},"d":[1,[2],{"e":null}],"f":{"$date":{"$numberLong":"1"}}}"#;
    let peer: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut writer = Writer::new(Vec::new(), Style::Plain).pretty(2);
    Text::new(text.as_bytes()).drive(&mut writer).unwrap();
    let pretty = String::from_utf8(writer.into_inner()).unwrap();
    assert_eq!(pretty, serde_json::to_string_pretty(&peer).unwrap());
    let mut writer = Writer::new(Vec::new(), Style::ExtendedCanonical).pretty(4);
    Value::DateTime(1).drive(&mut writer).unwrap();
    let expected = "{\n    \"$date\": {\n        \"$numberLong\": \"1\"\n    }\n}";
    assert_eq!(String::from_utf8(writer.into_inner()).unwrap(), expected);
}

#[test]
fn documents_follow_each_other() {
    let mut writer = Writer::new(Vec::new(), Style::Plain);
    for text in ["{\"a\":1}", "[1,2]", "3", "{}"] {
        raw(text).unwrap().drive(&mut writer).unwrap();
        writer.separate("\n").unwrap();
    }
    assert_eq!(writer.get_mut().as_slice(), b"{\"a\":1}\n[1,2]\n3\n{}\n");
}

/// B17.
#[test]
fn sensitive_values_are_hidden_where_asked() {
    let binary = |subtype| Value::Binary { subtype, bytes: b"secret".to_vec() };
    let document = object([("s", binary(8)), ("b", binary(0)), ("l", Value::Array(vec![binary(8)]))]);
    for style in [Style::Plain, Style::ExtendedCanonical, Style::ExtendedRelaxed, Style::Oracle] {
        let mut writer = Writer::new(Vec::new(), style).redact_sensitive(true);
        document.drive(&mut writer).unwrap();
        let text = String::from_utf8(writer.into_inner()).unwrap();
        assert!(text.contains(r#""s":"REDACTED""#) && text.contains(r#"["REDACTED"]"#), "{text}");
        let hidden = ["736563726574", "c2VjcmV0"].map(|shown| text.matches(shown).count());
        assert_eq!(hidden.iter().sum::<usize>(), 1, "{text}");
        assert!(!written(&document, style).contains("REDACTED"));
    }
}

/// Doubles as the corpus writes them: at least one digit behind the point, exponents with their sign.
#[test]
fn canonical_doubles() {
    for (value, text) in [
        (1.0, "1.0"),
        (-1.0, "-1.0"),
        (1.000_122_07, "1.00012207"),
        (1.234_567_892_123_2E18, "1.2345678921232E+18"),
        (5e-324, "5E-324"),
        (1e300, "1E+300"),
        (0.0, "0.0"),
    ] {
        assert_eq!(
            written(&Value::Double(value), Style::ExtendedCanonical),
            format!(r#"{{"$numberDouble":"{text}"}}"#)
        );
    }
}

/// A full disk.
struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn errors_of_the_source_and_of_the_output_are_told_apart() {
    let broken = Text::new(b"[1,").drive(&mut Writer::new(Vec::new(), Style::Plain));
    assert!(matches!(broken, Err(WriteError::Decode(error)) if error.offset == 3));
    let full = Text::new(b"[1]").drive(&mut Writer::new(Full, Style::Plain));
    assert!(matches!(full, Err(WriteError::Io(error)) if error.kind() == std::io::ErrorKind::StorageFull));
}

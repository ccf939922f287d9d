//! Dates against the calendar of another crate.

use boson_document::Value;
use boson_json::Style;

use crate::support::{mongodb, written};

/// Days of every month of some years, at odd times: what is written is what is read, and one day follows another.
#[test]
fn dates_are_written_and_read_back() {
    for ms in (0..253_402_300_800_000_i64).step_by(86_400_000 * 29 + 12_345_679) {
        let text = written(&Value::DateTime(ms), Style::ExtendedRelaxed);
        assert!(text.starts_with(r#"{"$date":""#) && text.ends_with("Z\"}"), "{text}");
        assert_eq!(mongodb(&text), Ok(Value::DateTime(ms)), "{text}");
    }
}

/// The numbers are what `date -u -d … +%s%3N` says.
#[test]
fn dates_are_those_of_the_calendar() {
    for (text, ms) in [
        ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("2024-02-29T12:34:56.789Z", 1_709_210_096_789),
        ("2038-01-19T03:14:08Z", 2_147_483_648_000),
        ("2100-03-01T00:00:00Z", 4_107_542_400_000),
    ] {
        assert_eq!(written(&Value::DateTime(ms), Style::ExtendedRelaxed), format!(r#"{{"$date":"{text}"}}"#));
        assert_eq!(mongodb(format!(r#"{{"$date":"{text}"}}"#)), Ok(Value::DateTime(ms)));
    }
    for text in ["2100-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "2023-04-31T00:00:00Z", "2023-00-01T00:00:00Z"] {
        assert!(mongodb(format!(r#"{{"$date":"{text}"}}"#)).is_err(), "{text}");
    }
}

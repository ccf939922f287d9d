//! Documents that want to be something else on the page.

use boson_document::Value;

use crate::support::{object, outcome, page, string};

/// Tags that the page may hold.
fn tags(html: &str) -> Vec<&str> {
    let mut tags: Vec<&str> =
        html.split('<').skip(1).map(|rest| rest.split([' ', '>', '\n']).next().unwrap()).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

#[test]
fn names_and_values_are_text_wherever_they_stand() {
    let attacks = [
        "</script><img src=x onerror=alert(1)>",
        "\" onfocus=\"alert(1)",
        "'><svg/onload=alert(1)>",
        "{{ title }}",
        "]]>--><!--",
        "</style><b>",
    ];
    let documents = attacks.iter().map(|attack| {
        let inner = object([(*attack, string("2024-01-15T10:30:00Z")), ("n", string(*attack))]);
        object([(*attack, string("2024-01-15")), ("deep", Value::Object(vec![((*attack).to_owned(), inner)]))])
    });
    // A value that does not fit is shown among dates that do.
    let dates = (1..20).map(|day| object([("date", string(format!("2024-01-{day:02}")))]));
    let misfits = attacks.iter().map(|attack| object([("date", string(*attack))]));
    let html = page(attacks[0], &outcome(documents.chain(dates).chain(misfits)), None);
    let calm = page("calm", &crate::support::readings(5), None);
    let known = tags(&calm);
    let strange: Vec<_> = tags(&html).into_iter().filter(|tag| !known.contains(tag)).collect();
    assert!(
        strange.iter().all(|tag| matches!(
            *tag,
            "nav"
                | "h4"
                | "ul"
                | "li"
                | "/ul"
                | "/li"
                | "/h4"
                | "details"
                | "/details"
                | "summary"
                | "/summary"
                | "b"
                | "/b"
        )),
        "{strange:?}"
    );
    assert!(!html.contains("onerror=alert") || !html.contains("<img"), "an image");
    assert!(html.contains("&#60;/script&#62;&#60;img src=x onerror=alert(1)&#62;"), "escaped");
    assert!(!html.contains("\" onfocus=\""));
}

#[test]
fn what_turns_text_around_is_spelled_out() {
    let name = "safe\u{202e}gnp.exe\u{2066}\u{200b}\u{0}";
    let html = page("x", &outcome([object([(&name.replace('\0', ""), string("\u{202e}1\u{7}"))])]), None);
    for unseen in ['\u{202e}', '\u{2066}', '\u{200b}', '\u{7}'] {
        assert!(!html.contains(unseen), "{unseen:?}");
    }
    assert!(html.contains("safe\\u{202e}gnp.exe\\u{2066}\\u{200b}"));
}

/// The page stays of a size that a browser shows, and says what is not on it.
#[test]
fn ten_thousand_paths_are_a_page() {
    let documents = (0..40).map(|part| {
        let inner = (0..250).map(|number| (format!("field{part}x{number}"), Value::Int32(number)));
        Value::Object(vec![(format!("part{part}"), Value::Object(inner.collect()))])
    });
    let outcome = outcome(documents);
    assert!(outcome.profile.paths().count() >= 10_000, "{}", outcome.profile.paths().count());
    let html = page("wide.bson", &outcome, None);
    assert!(html.len() < 4 << 20, "{} bytes", html.len());
    assert!(html.contains(" more paths, not listed"));
}

#[test]
fn a_path_of_ten_thousand_characters_is_cut_in_its_middle() {
    let html = page("long", &outcome([object([(&"n".repeat(10_240), string("x"))])]), None);
    assert!(html.len() < 100_000, "{}", html.len());
    assert!(html.contains("characters)…"));
}

#[test]
fn figures_of_any_size_stand() {
    use boson_report::{Proof, Row};
    let rows = [(0.0, 0.0), (1e300, 1.0), (f64::NAN, 2.0), (3.0, f64::INFINITY)];
    let rows = rows.map(|(before, after)| Row::new("x".to_owned(), "bytes", before, after, 1e9)).to_vec();
    let proof = Proof { documents_before: u64::MAX, documents_after: 0, rows, notes: Vec::new() };
    let html = page("x", &crate::support::readings(3), Some(&proof));
    assert!(html.contains("18,446,744,073,709,551,615 documents before, 0 after"));
}

//! What is on the page.

use crate::support::{object, outcome, page, page_with, proof, readings, string};

/// The text between `start` and `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).expect(start).1.split_once(end).expect(end).0
}

#[test]
fn all_parts_are_there_and_figures_say_how_they_were_obtained() {
    let html = page("readings.bson", &readings(40), Some(&proof()));
    for part in [
        "id=\"where\"",
        "id=\"types0\"",
        "id=\"findings0\"",
        "id=\"proof\"",
        "id=\"hazards0\"",
        "id=\"plan0\"",
        "id=\"how\"",
    ] {
        assert!(html.contains(part), "{part}");
    }
    for said in ["Measured on all of 40 documents", "computed exactly", "measured, on all 40 documents"] {
        assert!(html.contains(said), "{said}");
    }
    assert!(html.contains("estimated by the model of the storage engine, on all 40 documents"));
    // 58.4 of 362.4 less, exactly; 100,000 of 14,000,000 less, to within 5 points.
    assert!(html.contains("<b>−16.1 %</b> <small>exact</small>"));
    assert!(html.contains("<b>no change</b> <small>−0.7 % is within the error of ± 5.0 points</small>"));
    // 270 of 640 more.
    assert!(html.contains("<b>+42.2 %</b> <small>± 12.0 points</small>"));
}

#[test]
fn open_hazards_stand_out() {
    let readings = readings(10);
    let mut plan = boson_migrate::draft("", boson_store::CollectionKind::Documents, None, &readings.profile).plan;
    plan.shard_key = vec!["$.timestamp".to_owned()];
    let html = page_with("x", &readings, &plan, None);
    let hazards = between(&html, "id=\"hazards0\"", "</section>");
    assert!(hazards.contains("1 to be answered before anything is done."), "{hazards}");
    assert!(hazards.contains("<li class=\"open\"><h4>shard-key <bdi>$.timestamp</bdi></h4>"), "{hazards}");
    assert!(hazards.contains("one of reshard"), "{hazards}");
}

/// RFC 9110 names no other way to ask a network than an address; a page has none, and its policy allows none.
#[test]
fn nothing_is_asked_of_a_network() {
    let html = page("readings.bson", &readings(40), Some(&proof()));
    assert!(!html.contains("http://") && !html.contains("https://") && !html.contains("url("), "an address");
    let policy = between(&html, "Content-Security-Policy\" content=\"", "\"");
    assert!(policy.starts_with("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"), "{policy}");
    let tags = ["<link rel=\"icon\" href=\"data:,\">", "<a href=\"#", "<a class=\"skip\" href=\"#"];
    let links = html.match_indices("href=").filter(|(at, _)| {
        let tag = html[..*at].rfind('<').unwrap();
        !tags.iter().any(|known| html[tag..].starts_with(known))
    });
    assert_eq!(links.count(), 0);
    assert!(!html.contains(" src="));
}

#[test]
fn no_documents_make_a_page_that_says_so() {
    let html = page("empty.bson", &outcome([]), None);
    assert!(html.contains("There are no documents here"));
    assert!(!html.contains("NaN") && !html.contains("inf"));
    let html = page("hollow.bson", &outcome([object([])]), None);
    assert!(html.contains("they add up to all of 5 bytes"));
}

#[test]
fn the_same_makes_the_same() {
    let make = || page("x", &outcome([object([("b", string("2")), ("a", string("1"))])]), None);
    assert_eq!(make(), make());
}

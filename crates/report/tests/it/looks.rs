//! The page in a browser: how it looks, and walking through it with the keyboard.
//!
//! `PICTURES=<folder>` keeps what the browser showed.

use std::fs;
use std::path::Path;

use boson_document::Value;
use serde_json::json;

use crate::browser::{Browser, View};
use crate::support::{object, outcome, page, proof, readings, string};

const CHECKS: &str = include_str!("checks.js");

const PHONE: View = View { width: 360, height: 740, scheme: "light" };
const DESKTOP: View = View { width: 1400, height: 900, scheme: "light" };

fn views() -> impl Iterator<Item = View> {
    let sizes = [(360, 740), (768, 1024), (1400, 900)];
    sizes.into_iter().flat_map(|(width, height)| ["light", "dark"].map(|scheme| View { width, height, scheme }))
}

/// Pages of every kind, by name.
fn pages() -> Vec<(&'static str, String)> {
    let long = "$[\"</script><img src=x onerror=alert(1)>\"]".repeat(20);
    let attacks = outcome((0..40).map(|number| {
        let inner = (0..120).map(|field| (format!("日本語の名前{field}"), Value::Int32(number))).collect();
        object([
            (&long, string("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM")),
            ("WWWWWWWWWWWWWWWWWWWWWW", Value::Int64(number.into())),
            ("safe\u{202e}gnp", Value::Null),
            ("date", string(format!("2024-01-{:02}", number % 28 + 1))),
            (
                "when",
                string(if number == 7 {
                    "<b>never</b>".repeat(30)
                } else {
                    format!("2024-01-{:02}T10:30:00Z", number % 28 + 1)
                }),
            ),
            ("wide", Value::Object(inner)),
        ])
    }));
    vec![
        ("readings", page("readings.bson", &readings(40), Some(&proof()))),
        ("attacks", page(&long, &attacks, Some(&proof()))),
        ("empty", page("empty.bson", &outcome([]), None)),
    ]
}

fn save(folder: &Path, name: &str, html: &str) -> std::path::PathBuf {
    let file = folder.join(format!("{name}.html"));
    fs::write(&file, html).unwrap();
    file
}

/// What is wrong with what the browser shows, its pictures kept where they are wanted.
fn faults(browser: &mut Browser, name: &str, view: View) -> Vec<String> {
    if let Some(folder) = std::env::var_os("PICTURES") {
        let file = Path::new(&folder).join(format!("{name}-{}-{}.png", view.width, view.scheme));
        fs::write(file, browser.picture()).unwrap();
    }
    let found = browser.value(CHECKS);
    let found = found.as_array().unwrap().iter().map(|fault| fault.as_str().unwrap().to_owned());
    let of_page = |what: String| format!("{name} at {} {}: {what}", view.width, view.scheme);
    found.chain(browser.complaints()).map(of_page).collect()
}

#[test]
fn nothing_is_cut_or_overlaps_or_asks_a_network() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (name, html) in pages() {
        let file = save(folder.path(), name, &html);
        for view in views() {
            browser.show(&file, view);
            wrong.extend(faults(&mut browser, name, view));
            let asked: Vec<_> =
                browser.requests().into_iter().filter(|address| !address.starts_with("data:")).collect();
            assert_eq!(asked, [format!("file://{}", file.display())], "{name}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is folded away, and every level of the map, is as right as what is seen at first.
#[test]
fn levels_and_folded_rows_look_right_too() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (name, html) in pages().into_iter().take(2) {
        let file = save(folder.path(), name, &html);
        for view in [PHONE, DESKTOP] {
            browser.show(&file, view);
            browser.value("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
            let levels = browser.value("[...document.querySelectorAll('.level')].map((level) => level.id)");
            assert!(levels.as_array().unwrap().len() >= 3, "{name}: {levels}");
            for level in levels.as_array().unwrap() {
                let level = level.as_str().unwrap();
                browser.value(&format!("walk('{level}')"));
                assert_eq!(browser.value("here().id"), json!(level));
                wrong.extend(faults(&mut browser, &format!("{name}-{level}"), view));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const FOCUSED: &str = "document.activeElement.getAttribute('aria-label') ?? ''";

#[test]
fn the_map_is_walked_with_the_keyboard() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = save(folder.path(), "readings", &page("readings.bson", &readings(40), None));
    browser.show(&file, DESKTOP);
    // One stop of the Tab key is in the map.
    let mut stops = 0;
    while browser.value("!!document.activeElement.closest('.tile')") == json!(false) {
        browser.press("Tab");
        stops += 1;
        assert!(stops < 40, "Tab does not lead into the map");
    }
    let first = browser.value(FOCUSED);
    assert_eq!(browser.value("document.getElementById('readout').textContent"), first);
    assert_eq!(browser.value("getComputedStyle(document.activeElement).outlineStyle"), json!("solid"));
    browser.press("ArrowRight");
    assert_ne!(browser.value(FOCUSED), first);
    browser.press("Home");
    assert_eq!(browser.value(FOCUSED), first);

    // The arrow keys lead to every tile: from each, along all four, until no more are found.
    let reached = "(() => { const tiles = tilesOf(here()); const seen = new Set([tiles[0]]);
        for (const tile of seen) for (const way of Object.values(DIRECTIONS)) { const next = nearest(tile, way); if (next) seen.add(next); }
        return seen.size === tiles.length; })()";
    assert_eq!(browser.value(reached), json!(true));

    let location = "(() => { goTo([...document.querySelectorAll('.root .tile > a')].find((tile) => tile.getAttribute('aria-label').startsWith('$.location:'))); })()";
    browser.value(location);
    browser.press("Enter");
    assert_eq!(
        browser.value("document.querySelector('.level:target [aria-current] bdi').textContent"),
        json!("location")
    );
    let inside = browser.value(FOCUSED);
    assert!(inside.as_str().unwrap().starts_with("$.location."), "{inside}");
    assert_eq!(
        browser.value(
            "[...document.querySelectorAll('.level')].filter((level) => level.getClientRects().length > 0).length"
        ),
        json!(1)
    );
    browser.press("Escape");
    let back = browser.value(FOCUSED);
    assert!(back.as_str().unwrap().starts_with("$.location:"), "{back}");
    browser.press("Enter");
    browser.press("Backspace");
    assert_eq!(browser.value(FOCUSED), back);
    // At the top they do nothing.
    browser.press("Escape");
    assert_eq!(browser.value("here().id"), json!("m0"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// What a screen reader is told.
#[test]
fn everything_has_a_name_and_a_place() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = save(folder.path(), "readings", &page("readings.bson", &readings(40), Some(&proof())));
    browser.show(&file, PHONE);
    browser.ask("Accessibility.enable", json!({}));
    let tree = browser.ask("Accessibility.getFullAXTree", json!({}));
    let nodes: Vec<(String, String)> = tree["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|node| node["ignored"] == json!(false))
        .map(|node| {
            (
                node["role"]["value"].as_str().unwrap_or_default().to_owned(),
                node["name"]["value"].as_str().unwrap_or_default().to_owned(),
            )
        })
        .collect();
    for role in ["link", "image", "table", "heading"] {
        let of_role: Vec<_> = nodes.iter().filter(|(found, _)| found == role).collect();
        assert!(!of_role.is_empty(), "no {role}");
        assert!(of_role.iter().all(|(_, name)| !name.trim().is_empty()), "a {role} without a name");
    }
    // Tables are tables also where they look like cards.
    assert!(nodes.iter().any(|(role, name)| role == "columnheader" && name == "Types"));
    assert!(nodes.iter().any(|(role, name)| role == "rowheader" && name == "$.timestamp"));
    let levels =
        browser.value("[...document.querySelectorAll('h1,h2,h3,h4')].map((heading) => Number(heading.tagName[1]))");
    let levels: Vec<u64> = levels.as_array().unwrap().iter().map(|level| level.as_u64().unwrap()).collect();
    assert_eq!(levels[0], 1);
    assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
}

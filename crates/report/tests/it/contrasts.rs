//! Text stands out from its ground by 4.5 to 1 and drawings by 3 to 1, as WCAG 2.1 asks (1.4.3, 1.4.11), in both schemes.

use std::collections::BTreeMap;

const CSS: &str = include_str!("../../templates/report.css");

const TILES: [&str; 9] = ["text", "number", "date", "binary", "flag", "nest", "other", "own", "rest"];

/// The colours of a rule that begins with `:root {` in `css`.
fn colours(css: &str) -> BTreeMap<&str, [u8; 3]> {
    let rule = css.split_once(":root {").unwrap().1.split_once('}').unwrap().0;
    let set = rule.split(';').filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"));
    set.map(|(name, digits)| (name, boson_testkit::unhex(digits).try_into().unwrap())).collect()
}

/// Relative luminance, as WCAG defines it.
fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn the_measure_is_that_of_the_recommendation() {
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    // The grey that is known as the lightest that passes on white: #767676 has 4.54.
    assert!((contrast([0x76; 3], [255; 3]) - 4.54).abs() < 0.005);
}

#[test]
fn everything_stands_out_in_both_schemes() {
    let light = colours(CSS);
    let mut dark = light.clone();
    dark.extend(colours(CSS.split_once("prefers-color-scheme: dark").unwrap().1));
    let text = [
        ("ink", "paper"),
        ("ink", "raised"),
        ("ink", "track"),
        ("faint", "paper"),
        ("faint", "raised"),
        ("link", "paper"),
        ("good", "paper"),
        ("good", "raised"),
        ("bad", "paper"),
        ("bad", "raised"),
        ("warn-ink", "warn-paper"),
        ("warn-ink", "raised"),
    ];
    let drawn = ["names", "framing", "values", "less", "more", "same"];
    for (scheme, colours) in [("light", &light), ("dark", &dark)] {
        let on_tiles = TILES.iter().flat_map(|&tile| [("on-tile", tile, 4.5), ("mark", tile, 3.0)]);
        let text = text.iter().map(|&(ink, ground)| (ink, ground, 4.5));
        let drawn = drawn.iter().map(|&ink| (ink, "paper", 3.0));
        for (ink, ground, least) in text.chain(drawn).chain(on_tiles) {
            let found = contrast(colours[ink], colours[ground]);
            assert!(found >= least, "{scheme}: {ink} on {ground} has {found:.2}, expected {least}");
        }
    }
}

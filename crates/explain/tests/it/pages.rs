//! The page: what it holds, what it must not hold.

use boson_explain::html::{Page, ROWS_MAX};
use boson_testkit::unhex;
use boson_transcode::Format;

use super::{explain, images};

fn page_of(format: Format, bytes: &[u8]) -> String {
    let mut page = Page::new("a <b> & c");
    page.add("document 1", &explain(format, bytes), None);
    let mut html = Vec::new();
    page.write(&mut html).unwrap();
    String::from_utf8(html).unwrap()
}

/// The script's list: for each line the first and last line of its whole, and the line it points to.
fn links(html: &str) -> Vec<[isize; 3]> {
    let list = html.split("const lines = [").nth(1).unwrap().split("];\n").next().unwrap();
    serde_json::from_str(&format!("[{}]", list.trim_end_matches(','))).unwrap()
}

#[test]
fn every_line_knows_its_whole_and_its_target() {
    let html = page_of(Format::Oson, &images::named("shared ids and a shared value"));
    let links = links(&html);
    let line = |at: &str| {
        let before = html.split(&format!("<span class=\"at\">{at}</span>")).next().unwrap();
        before.rsplit("id=\"r").next().unwrap().split('"').next().unwrap().parse::<isize>().unwrap()
    };
    let linked = |at: &str| links[usize::try_from(line(at)).unwrap()];
    // The offset at 22 leads to the object at 32, whose node has the lines at 32, 33 and 35.
    assert_eq!(linked("22")[2], line("32"));
    assert_eq!(linked("33"), [line("32"), line("35"), line("24")]);
    // The hash leads to the name; a magic nowhere.
    assert_eq!(linked("13")[2], line("16"));
    assert_eq!(linked("0"), [0, 0, -1]);
}

#[test]
fn what_a_document_says_is_no_markup() {
    // {"<script>": "</script><img>"}
    let bytes = unhex("24000000 02 3c7363726970743e00 0e000000 3c2f7363726970743e3c696d673e6100 00");
    let bytes = [&u32::try_from(bytes.len()).unwrap().to_le_bytes()[..], &bytes[4..]].concat();
    let html = page_of(Format::Bson, &bytes);
    assert!(!html.contains("<img>") && html.matches("<script>").count() == 1, "{html}");
    assert!(html.contains("a &#60;b&#62; &#38; c"), "{html}");
}

#[test]
fn a_page_needs_nothing_else() {
    let html = page_of(Format::Bson, &unhex("0500000000"));
    for loads in ["http:", "https:", " src=", "url(", "@import", "<link"] {
        assert!(!html.contains(loads), "{loads}");
    }
    assert!(html.contains("default-src 'none'"));
}

#[test]
fn a_large_document_is_cut_and_says_so() {
    // An array of 3000 nulls: a length, type, name and NUL of each, and two NULs.
    let items: Vec<u8> =
        (0..3000).flat_map(|index: u32| [&[0x0A][..], index.to_string().as_bytes(), &[0]].concat()).collect();
    let array = [&u32::try_from(items.len() + 5).unwrap().to_le_bytes()[..], &items, &[0]].concat();
    let bytes = [&u32::try_from(array.len() + 8).unwrap().to_le_bytes()[..], &[4, b'a', 0], &array, &[0]].concat();
    let html = page_of(Format::Bson, &bytes);
    let regions = 1 + 3 + 1 + 3000 * 3 + 2;
    assert!(html.contains(&format!("holds the first {ROWS_MAX} regions; {} more are left out", regions - ROWS_MAX)));
    assert_eq!(html.matches("<li class=\"line").count(), ROWS_MAX);
}

#[test]
fn sensitive_bytes_are_in_no_page() {
    let html = page_of(Format::Bson, &unhex("13000000 05 6100 06000000 08 736563726574 00"));
    assert!(html.contains("6 bytes, not shown") && !html.contains("73 65 63") && !html.contains("secret"));
    let html = page_of(Format::Oson, &images::named("sensitive bytes as Extended JSON"));
    assert!(!html.contains("c2Vj") && !html.contains("63 32 56"));
}

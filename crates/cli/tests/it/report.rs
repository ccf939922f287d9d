//! `boson report`: what goes in, what comes out, and what is refused. How the page looks is tested where it is made.

use crate::support::Sandbox;

/// A sandbox with readings, a plan, and the readings converted by it.
fn converted() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.boson("gen telemetry-strings -n 300 -o readings.bson").done();
    sandbox.boson("analyze readings.bson --no-sizes --plan plan.toml").done();
    sandbox.boson("migrate readings.bson --plan plan.toml --to typed.bson --apply").done();
    sandbox
}

fn text(sandbox: &Sandbox, name: &str) -> String {
    String::from_utf8(sandbox.read(name)).unwrap()
}

#[test]
fn a_page_of_everything() {
    let sandbox = converted();
    sandbox
        .boson("report readings.bson --plan plan.toml --before readings.bson --after typed.bson --no-decode -o report.html")
        .done();
    let html = text(&sandbox, "report.html");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>"));
    // 58.4 of 362.4 bytes, the published case with `_id` kept; as the plan computes it, and as the files measure.
    assert!(html.contains("362.4 → 304.0 bytes a document, computed exactly"));
    assert!(html.contains("<b>−16.1 %</b> <small>exact</small>"));
    assert!(!html.contains("A draft"));
}

#[test]
fn a_saved_proof_makes_the_same_page() {
    let sandbox = converted();
    sandbox.boson("prove readings.bson typed.bson --no-decode --save-proof proof.json").done();
    sandbox.boson("report readings.bson --before readings.bson --after typed.bson --no-decode -o one.html").done();
    sandbox.boson("report readings.bson --proof proof.json -o two.html").done();
    assert_eq!(text(&sandbox, "one.html"), text(&sandbox, "two.html"));
    let refused = sandbox.boson("prove readings.bson typed.bson --no-decode --save-proof proof.json").failed(4);
    assert!(refused.contains("--overwrite replaces it"), "{refused}");
    let complaint = sandbox.boson("report readings.bson --proof plan.toml -o three.html").failed(3);
    assert!(complaint.contains("not a proof, as boson prove --save-proof writes them"), "{complaint}");
    assert!(!sandbox.names().contains(&"three.html".to_owned()));
}

#[test]
fn nothing_is_overwritten_unless_asked() {
    let sandbox = converted();
    sandbox.file("report.html", b"mine");
    let refused = sandbox.boson("report readings.bson -o report.html").failed(4);
    assert!(refused.contains("report.html"), "{refused}");
    assert_eq!(sandbox.read("report.html"), b"mine");
    sandbox.boson("report readings.bson -o report.html --overwrite").done();
    assert!(text(&sandbox, "report.html").contains("A draft"));
    let printed = sandbox.boson("report readings.bson -o -").done();
    assert_eq!(printed, text(&sandbox, "report.html"));
}

#[test]
fn a_saved_profile_is_reported_without_its_documents() {
    let sandbox = converted();
    sandbox.boson("analyze readings.bson --no-sizes --save-profile readings.profile").done();
    let page = sandbox.boson("report readings.profile -o -").done();
    assert!(page.contains("Measured on all of 300 documents"));
    assert!(page.contains("<bdi>$.timestamp</bdi>"));
}

#[test]
fn a_dump_has_a_part_for_each_collection() {
    let sandbox = converted();
    std::fs::create_dir_all(sandbox.path().join("dump/shop")).unwrap();
    for name in ["before", "after"] {
        let from = if name == "before" { "readings.bson" } else { "typed.bson" };
        sandbox.file(&format!("dump/shop/{name}.bson"), &sandbox.read(from));
    }
    let page = sandbox.boson("report dump -o -").done();
    assert!(page.contains("id=\"part0\"") && page.contains("id=\"part1\""));
    assert!(page.contains("<h2><bdi>shop.after</bdi></h2>") && page.contains("shop.before: "));
    let complaint = sandbox.boson("report dump --plan plan.toml -o other.html").failed(2);
    assert!(complaint.contains("a plan for other collections: files of documents"), "{complaint}");
}

#[test]
fn broken_documents_are_told_and_the_rest_is_shown() {
    let sandbox = Sandbox::new();
    sandbox.file("some.ndjson", b"{\"a\": 1}\n{\"a\": }\n{\"a\": 2}\n");
    let ran = sandbox.boson("report some.ndjson -o report.html");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let html = text(&sandbox, "report.html");
    assert!(html.contains("<b>Broken documents:</b> 1 document not read"));
    assert!(html.contains("Measured on all of 2 documents"));
}

#[test]
fn what_is_missing_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    sandbox.boson("report nowhere.bson -o report.html").failed(5);
    sandbox.file("a.bson", b"");
    sandbox.boson("report a.bson --before a.bson -o report.html").failed(2);
    sandbox.boson("report a.bson").failed(2);
    assert_eq!(sandbox.names(), ["a.bson"]);
    let page = sandbox.boson("report a.bson -o -").done();
    assert!(page.contains("There are no documents here"));
}

#[test]
fn masked_values_are_nowhere_on_the_page() {
    let sandbox = Sandbox::new();
    let dates: Vec<String> = (10..28).map(|day| format!("{{\"when\": \"2024-01-{day}\"}}\n")).collect();
    let dates = dates.concat();
    sandbox.file("some.ndjson", format!("{dates}{{\"when\": \"Secret77\"}}\n").as_bytes());
    assert!(sandbox.boson("report some.ndjson -o -").done().contains("Secret77"));
    let page = sandbox.boson("report some.ndjson --mask -o -").done();
    assert!(!page.contains("Secret77") && page.contains("Xxxxxx99"));
    assert!(page.contains("Letters and digits of values are replaced."));
}

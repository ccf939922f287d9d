//! `boson schema`.

use std::fs;

use serde_json::Value;

use crate::support::{METADATA, Sandbox, archive, documents};

fn readings() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.boson("gen telemetry-strings -n 300 -o strings.bson").done();
    sandbox.boson("gen telemetry-typed -n 300 -o typed.bson").done();
    sandbox
}

/// A dump of two collections.
fn dump(sandbox: &Sandbox) {
    fs::create_dir_all(sandbox.path().join("dump/shop")).unwrap();
    for (name, from) in [("readings", "typed.bson"), ("old", "strings.bson")] {
        sandbox.file(&format!("dump/shop/{name}.bson"), &sandbox.read(from));
        sandbox.file(&format!("dump/shop/{name}.metadata.json"), METADATA.replace("readings", name).as_bytes());
    }
}

#[test]
fn a_plan_makes_the_schema_of_what_it_will_make() {
    let sandbox = readings();
    sandbox.boson("analyze strings.bson --no-sizes --plan plan.toml").done();
    let of_plan = sandbox.boson("schema strings.bson --plan plan.toml").done();
    assert_eq!(of_plan, sandbox.boson("schema typed.bson").done());
    assert_ne!(of_plan, sandbox.boson("schema strings.bson").done());
    let schema: Value = serde_json::from_str(&of_plan).unwrap();
    assert_eq!(schema["$jsonSchema"]["properties"]["timestamp"]["bsonType"], "date");
    // Nothing was written.
    assert_eq!(sandbox.names(), ["plan.toml", "strings.bson", "typed.bson"]);
    for form in ["rust", "typescript", "python", "java", "mongosh", "collmod"] {
        let made =
            |source: &str| sandbox.boson(&format!("schema {source} --as {form} --collection shop.readings")).done();
        assert_eq!(made("strings.bson --plan plan.toml"), made("typed.bson"), "{form}");
    }
}

#[test]
fn a_profile_and_standard_input_do_as_well() {
    let sandbox = readings();
    sandbox.boson("analyze typed.bson --no-sizes --save-profile typed.profile").done();
    let schema = sandbox.boson("schema typed.bson").done();
    assert_eq!(sandbox.boson("schema typed.profile").done(), schema);
    assert_eq!(sandbox.boson_with("schema -", &sandbox.read("typed.bson")).done(), schema);
    sandbox.boson("analyze strings.bson --no-sizes --plan plan.toml").done();
    let complaint = sandbox.boson("schema typed.profile --plan plan.toml").failed(2);
    assert!(complaint.contains("holds no documents to convert"), "{complaint}");
}

#[test]
fn collections_of_a_dump_are_told_apart() {
    let sandbox = readings();
    dump(&sandbox);
    let (typed, strings) = (documents(&sandbox.read("typed.bson")), documents(&sandbox.read("strings.bson")));
    sandbox.file("dump.archive", &archive(&[("readings", METADATA, &typed), ("old", METADATA, &strings)]));
    for source in ["dump", "dump.archive"] {
        let ran = sandbox.boson(&format!("schema {source} --as collmod --level moderate --action error"));
        assert!(ran.stderr.contains("readings has a validator already"), "{}", ran.stderr);
        let commands: Value = serde_json::from_str(&ran.done()).unwrap();
        let command = &commands["shop.readings"];
        assert_eq!([&command["validationLevel"], &command["validationAction"]], ["moderate", "error"]);
        assert_eq!(command["validator"]["$jsonSchema"]["properties"]["humidity"]["bsonType"], "double");
        assert_eq!(commands["shop.old"]["validator"]["$jsonSchema"]["properties"]["humidity"]["bsonType"], "string");
        let complaint = sandbox.boson(&format!("schema {source} --as rust")).failed(2);
        assert!(complaint.contains("--collection says which of"), "{complaint}");
        let rust = sandbox.boson(&format!("schema {source} --as rust --collection shop.old")).done();
        assert!(rust.contains("pub struct Old {") && rust.contains("pub humidity: String,"), "{rust}");
        assert!(sandbox.boson(&format!("schema {source} --collection shop.none")).failed(2).contains("shop.old"));
        let script = sandbox.boson(&format!("schema {source} --as mongosh")).done();
        assert_eq!(
            script.matches("db.getSiblingDB(\"shop\").runCommand({collMod: \"readings\"").count(),
            2,
            "{script}"
        );
    }
}

#[test]
fn files_are_not_overwritten_and_what_is_missing_is_said() {
    let sandbox = readings();
    sandbox.file("schema.json", b"mine");
    assert!(sandbox.boson("schema typed.bson -o schema.json").failed(4).contains("--overwrite"));
    assert_eq!(sandbox.read("schema.json"), b"mine");
    sandbox.boson("schema typed.bson -o schema.json --overwrite").done();
    assert_ne!(sandbox.read("schema.json"), b"mine");
    sandbox.file("empty.bson", b"");
    assert!(sandbox.boson("schema empty.bson --from bson").failed(2).contains("there are no documents"));
    sandbox.boson("schema nowhere.bson").failed(5);
    sandbox.file("cut.bson", &sandbox.read("typed.bson")[..1000]);
    sandbox.boson("schema cut.bson").failed(3);
    sandbox.boson("schema cut.bson --recover").done();
}

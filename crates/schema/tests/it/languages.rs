//! The types of other languages, judged by their own tools.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use boson_schema::{Language, definitions};
use boson_testkit::{skip, workspace_root};

use crate::support::{bson, events, schema};

/// What `cargo xtask peers install` made of this name in `.peers`; `None` after [`skip`] where it did not.
fn installed(folder: &str) -> Option<PathBuf> {
    let folder = workspace_root().join(".peers").join(folder);
    if folder.join("installed").is_file() {
        return Some(folder);
    }
    skip("the peers are not installed: cargo xtask peers install");
    None
}

/// What `command` prints, which must end well.
#[track_caller]
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}");
    text
}

/// The driver's own declarations are what the types are made of.
#[test]
fn typescript_compiles() {
    let Some(modules) = installed("node_modules") else { return };
    // Where modules are found.
    let folder = tempfile::tempdir_in(modules.parent().unwrap()).unwrap();
    fs::write(folder.path().join("event.ts"), definitions(&schema(&events()), Language::TypeScript, "event")).unwrap();
    fs::write(folder.path().join("use.ts"), USE_TS).unwrap();
    let tsc = modules.join("typescript/bin/tsc");
    let options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "node16"];
    output(Command::new("node").arg(tsc).args(options).arg("use.ts").current_dir(folder.path()));
}

/// A `@ts-expect-error` without an error in the line below it is an error.
const USE_TS: &str = r#"
import { Decimal128, Long, ObjectId, UUID } from "mongodb";
import type { Collection } from "mongodb";
import type { Event } from "./event";

export const event: Event = {
  _id: new ObjectId(), at: new Date(0), class: "a", "device-id": new UUID(), type: 1, self: true, value: "many",
  nothing: null, none: [], "a.b": 1, "": 2, "quote\"\\\n*/": "q", "2nd": Long.fromNumber(5), tags: ["a", null, 3],
  items: [{ sku: "x", qty: 1 }], extra: Decimal128.fromString("19.90"), empty: {}, by: { anything: { n: 1 } },
  deep: { deeper: { deepest: new Date(0) } },
};
// @ts-expect-error: the old type
event.at = "2024-01-15T10:30:00.007Z";
// @ts-expect-error: not one of several types
event.value = true;
// @ts-expect-error: of elements
event.tags.push(true);
event.maybe = null;
// @ts-expect-error: every event has it
event.class = undefined;
export const find = (events: Collection<Event>) => events.findOne({ type: 1, "deep.deeper.deepest": new Date(0) });
"#;

/// `PyMongo` reads every document as the types say.
#[test]
fn python_runs_and_documents_are_of_the_types() {
    let Some(venv) = installed("venv") else { return };
    let folder = tempfile::tempdir().unwrap();
    let events = events();
    fs::write(folder.path().join("event.py"), definitions(&schema(&events), Language::Python, "event")).unwrap();
    fs::write(folder.path().join("events.bson"), events.concat()).unwrap();
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/check.py");
    let printed = output(
        Command::new(venv.join("bin/python")).arg(check).env("PYTHONPATH", folder.path()).current_dir(folder.path()),
    );
    assert_eq!(printed.trim(), format!("{} documents, 1 refused", events.len()));
}

/// The record compiles; of the driver there are empty classes with the names that it imports.
#[test]
fn java_compiles() {
    if Command::new("javac").arg("-version").output().is_err() {
        skip("there is no javac");
        return;
    }
    let wide: Vec<String> =
        (0..300).map(|number| format!(r#""f{number}": {{"$numberLong": "1"}}, "g-{number}": 1"#)).collect();
    let wide = schema(&[bson(&format!("{{{}}}", wide.join(", ")))]);
    for (schema, name) in [(schema(&events()), "event"), (wide, "wide")] {
        let folder = tempfile::tempdir().unwrap();
        let text = definitions(&schema, Language::Java, name);
        let class = if name == "event" { "Event" } else { "Wide" };
        fs::write(folder.path().join(format!("{class}.java")), &text).unwrap();
        let imports = text.lines().filter_map(|line| line.strip_prefix("import org.bson."));
        for import in imports.filter_map(|import| import.strip_suffix(';')) {
            let (package, class) = import
                .rsplit_once('.')
                .map_or(("org.bson".to_owned(), import), |(package, class)| (format!("org.bson.{package}"), class));
            let path = folder.path().join(package.replace('.', "/"));
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join(format!("{class}.java")), format!("package {package};\n{}\n", java_class(class)))
                .unwrap();
        }
        output(Command::new("javac").args(["-d", "out"]).arg(format!("{class}.java")).current_dir(folder.path()));
    }
}

/// A class of the driver, as far as types refer to it. Its annotations are for methods, fields and parameters.
fn java_class(class: &str) -> String {
    let targets = "@java.lang.annotation.Target({java.lang.annotation.ElementType.METHOD, \
                   java.lang.annotation.ElementType.FIELD, java.lang.annotation.ElementType.PARAMETER})";
    match class {
        "BsonId" => format!("{targets} public @interface BsonId {{}}"),
        "BsonProperty" => format!("{targets} public @interface BsonProperty {{ String value() default \"\"; }}"),
        class => format!("public class {class} {{}}"),
    }
}

/// Names are what each language takes for one.
#[test]
fn odd_names_are_renamed_in_the_languages_own_way() {
    let schema = schema(&events());
    let of = |language| definitions(&schema, language, "event");
    let has = |text: &str, lines: &[&str]| {
        for line in lines {
            assert!(text.lines().any(|own| own.trim() == *line), "{line}\n{text}");
        }
    };
    has(
        &of(Language::Rust),
        &[
            "pub r#type: i32,",
            "pub self_: bool,",
            "#[serde(rename = \"self\")]",
            "#[serde(rename = \"a.b\")]",
            "pub a_b: i32,",
        ],
    );
    has(
        &of(Language::TypeScript),
        &["\"device-id\": UUID;", "class: string;", "self: boolean;", "\"2nd\": number | Long;"],
    );
    has(&of(Language::Python), &["\"class\": str,", "\"device-id\": uuid.UUID,", "\"note\": NotRequired[str | None],"]);
    has(
        &of(Language::Java),
        &[
            "@BsonId ObjectId id,",
            "@BsonProperty(\"class\") String class_,",
            "@BsonProperty(\"device-id\") UUID deviceId,",
        ],
    );
}

/// Names can hold what ends a string or a remark.
#[test]
fn no_name_breaks_out_of_its_place() {
    let evil = "\"); } */ \u{2028} \\u002a/ \n' \u{1} #[cfg(x)] \u{202e} ${x} `x`";
    let text = serde_json::json!({ evil: { evil: { "$numberInt": "1" } } }).to_string();
    let schema = schema(&[bson(&text)]);
    for language in [Language::Rust, Language::TypeScript, Language::Python, Language::Java] {
        let text = definitions(&schema, language, evil);
        let lines = text.lines().count();
        let tame = schema_lines(language);
        assert_eq!(lines, tame, "{text}");
    }
}

/// How many lines the same document has with names that need nothing but another name.
fn schema_lines(language: Language) -> usize {
    let schema = schema(&[bson(r#"{"a-b": {"a-b": {"$numberInt": "1"}}}"#)]);
    definitions(&schema, language, "x").lines().count()
}

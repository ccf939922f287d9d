//! The inputs that fuzzing begins with.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use boson_document::{Source, Value};
use boson_oson::write::{Options, Style, to_vec};
use boson_testkit::{Gen, documents};

/// Documents of each kind of generator.
const DOCUMENTS: usize = 24;

/// A seed that is larger teaches little for its time.
const SEED_LEN_MAX: usize = 600;

type Failure = Box<dyn std::error::Error>;

/// Inputs by target and name.
#[derive(Clone, Debug, Default)]
pub struct Seeds(BTreeMap<(&'static str, String), Vec<u8>>);

impl Seeds {
    /// Small documents of every kind, from a seed, and what no writer of ours makes; always the same.
    ///
    /// # Errors
    ///
    /// When a document cannot be written.
    pub fn generated() -> Result<Self, Failure> {
        let mut seeds = Self::default();
        for (number, document) in small(Gen::BSON_ALL.with_duplicates()) {
            seeds.bson(&format!("{number:02}"), &boson_bson::encode(&document)?);
        }
        for (number, document) in small(Gen::OSON_ALL) {
            seeds.oson(&format!("{number:02}"), &image(&document, number)?);
        }
        for (number, document) in small(Gen::JSON_ALL.with_duplicates()) {
            seeds.json(&format!("{number:02}"), &text(&document, boson_json::Style::Plain)?);
        }
        for (number, document) in small(Gen::BSON_ALL) {
            seeds.json(&format!("extended-{number:02}"), &text(&document, boson_json::Style::ExtendedCanonical)?);
        }
        for (number, document) in small(Gen::OSON_ALL) {
            seeds.json(&format!("oracle-{number:02}"), &text(&document, boson_json::Style::Oracle)?);
        }
        for (name, image) in IMAGES {
            seeds.oson(name, &boson_testkit::unhex(image));
        }
        for (name, text) in TEXTS {
            seeds.json(name, text);
        }
        Ok(seeds)
    }

    /// Every document in the JSON files of `folders` and the folders in them: strings that are hexadecimal or JSON text.
    /// The vectors of the specifications are kept in such files.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub fn found(folders: &[&Path]) -> Result<Self, Failure> {
        let mut seeds = Self::default();
        let mut folders: Vec<_> = folders.iter().map(|folder| folder.to_path_buf()).collect();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "json") {
                    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                    seeds.strings(&serde_json::from_slice(&fs::read(&path)?)?, &stem);
                }
            }
        }
        Ok(seeds)
    }

    /// The seeds of one target.
    pub fn of<'s>(&'s self, target: &'s str) -> impl Iterator<Item = (&'s str, &'s [u8])> {
        let of_this = self.0.iter().filter(move |((of, _), _)| *of == target);
        of_this.map(|((_, name), bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// Writes each seed into a file of its own, in a folder of `folder` for each target. Returns how many.
    ///
    /// # Errors
    ///
    /// When that cannot be.
    pub fn write(&self, folder: &Path) -> io::Result<usize> {
        for ((target, name), bytes) in &self.0 {
            let folder = folder.join(target);
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(name), bytes)?;
        }
        Ok(self.0.len())
    }

    fn bson(&mut self, name: &str, bytes: &[u8]) {
        self.add("read_bson", name, bytes);
        for target in ["regions", "explain"] {
            self.add(target, &format!("bson-{name}"), bytes);
        }
        self.add("edit_bson", name, &[&[1, 0, 0, 0, 0, 0, 0, 0], bytes].concat());
        // To OSON and to JSON, by the default policy.
        self.add("convert", &format!("bson-{name}-oson"), &[&[3, 0, 0, 0], bytes].concat());
        self.add("convert", &format!("bson-{name}-json"), &[&[6, 0, 0, 0], bytes].concat());
    }

    fn oson(&mut self, name: &str, bytes: &[u8]) {
        self.add("read_oson", name, bytes);
        for target in ["regions", "explain"] {
            self.add(target, &format!("oson-{name}"), bytes);
        }
        self.add("edit_oson", name, &[&[1, 0, 0, 0, 0, 0, 0, 0], bytes].concat());
        self.add("convert", &format!("oson-{name}-bson"), &[&[1, 0, 0, 0], bytes].concat());
        self.add("convert", &format!("oson-{name}-json"), &[&[7, 0, 0, 0], bytes].concat());
    }

    fn json(&mut self, name: &str, text: &str) {
        self.add("read_json", name, text.as_bytes());
        self.add("convert", &format!("json-{name}-bson"), &[&[2, 0, 0, 0], text.as_bytes()].concat());
        self.add("convert", &format!("json-{name}-oson"), &[&[5, 0, 0, 0], text.as_bytes()].concat());
    }

    fn add(&mut self, target: &'static str, name: &str, bytes: &[u8]) {
        self.0.insert((target, name.to_owned()), bytes.to_owned());
    }

    /// Adds each string in `value` that is a document.
    fn strings(&mut self, value: &serde_json::Value, stem: &str) {
        match value {
            serde_json::Value::String(text) => self.string(text, &format!("{stem}-{}", self.0.len())),
            serde_json::Value::Array(elements) => elements.iter().for_each(|element| self.strings(element, stem)),
            serde_json::Value::Object(members) => members.values().for_each(|member| self.strings(member, stem)),
            _ => {}
        }
    }

    fn string(&mut self, text: &str, name: &str) {
        let is_hex =
            text.len() >= 10 && text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hex {
            let bytes = boson_testkit::unhex(text);
            if bytes.starts_with(b"\xFFJZ") { self.oson(name, &bytes) } else { self.bson(name, &bytes) }
        } else if text.starts_with(['{', '[']) {
            self.json(name, text);
        }
    }
}

/// The first documents that are not too large, numbered.
fn small(like: Gen) -> impl Iterator<Item = (usize, Value)> {
    let few = documents(7, like.without_long_names().with_depth(4).with_width(14), usize::MAX);
    let small = few.filter(|document| format!("{document:?}").len() <= SEED_LEN_MAX);
    (0..).zip(small).take(DOCUMENTS)
}

/// The document in each layout in turn; compact, where the driver's has no place for it.
fn image(document: &Value, number: usize) -> Result<Vec<u8>, Failure> {
    let compact = Options { keep_order: number % 4 == 2, ..Options::default() };
    let driver = Options { style: Style::Driver, ..compact };
    let like_driver = if number % 4 == 3 { to_vec(document, &driver).ok() } else { None };
    Ok(like_driver.map_or_else(|| to_vec(document, &compact), Ok)?)
}

fn text(document: &Value, style: boson_json::Style) -> Result<String, Failure> {
    let mut writer = boson_json::Writer::new(Vec::new(), style);
    document.drive(&mut writer)?;
    Ok(String::from_utf8(writer.into_inner())?)
}

/// What no writer of ours makes: images as a server leaves them after updates, by hand from `docs/format/oson.md`.
const IMAGES: &[(&str, &str)] = &[
    ("relative", "ff4a5a012127020004000d00010bad00020000017a016c840202010008000931c001ffff"),
    (
        "forwarded",
        "ff4a5a022106010002000a00002c0000016184010100057600000000010000000000000000000000000000060568656c6c6f",
    ),
];

/// Texts in which something is rare or at its limit.
const TEXTS: &[(&str, &str)] = &[
    ("mark", "\u{feff}[1]"),
    ("stream", "1 2\n{\"a\":[]}[true]\"x\"null"),
    ("escapes", r#"{"\ud83d\ude00\u0000\"\\\/\b\f\n\r\t":"\u00e9"}"#),
    ("numbers", "[-0,0.10,1e400,9007199254740993,-9223372036854775808,18446744073709551616,1E-7,123456789.5e+3]"),
    ("legacy", r#"[{"$binary":"AA==","$type":"00"},{"$regex":"a","$options":"i"},{"$date":0},{"$oid":1}]"#),
    (
        "nested",
        r#"{"$code":"x","$scope":{"a":{"$numberLong":"7"}},"b":{"$dbPointer":{"$ref":"a.b","$id":{"$oid":"56e1fc72e0c917e9c4714161"}}}}"#,
    ),
    (
        "oracle",
        r#"[{"$oracleDate":"2024-02-29T00:00:00"},{"$intervalYearMonth":"P1Y2M"},{"$rawid":"0a"},{"$vector":[1,2.5]}]"#,
    ),
    ("surrogate", r#"["\ud800"]"#),
];

//! Documents of any format: finding values, paths of faults.

use boson_document::{Discard, Kind, Limits, Source, Value};
use boson_testkit::laws::{assert_same, tree};
use boson_testkit::{Gen, documents};
use boson_transcode::{Format, Policy};

use crate::support::{bson, converted, open, value};

const TEXT: &[u8] = br#"{"a":{"b":[10,{"c":"x"},[]],"":null},"a.b":2,"d":{}}"#;

/// The same document in each format.
fn in_each_format() -> [(Format, Vec<u8>); 3] {
    [Format::Bson, Format::Oson, Format::Json]
        .map(|format| (format, converted(Format::Json, TEXT, format, &Policy::default()).0))
}

#[test]
fn a_path_leads_to_the_same_value_in_each_format() {
    for (format, bytes) in in_each_format() {
        let document = open(format, &bytes);
        for (path, expected) in [
            ("$.a.b[0]", Some("10")),
            ("$.a.b[1].c", Some("\"x\"")),
            ("$.a.b[1]", Some(r#"{"c":"x"}"#)),
            ("$.a.b[2]", Some("[]")),
            ("$.a.b", Some(r#"[10,{"c":"x"},[]]"#)),
            ("$.a[\"\"]", Some("null")),
            ("$[\"a.b\"]", Some("2")),
            ("$.d", Some("{}")),
            ("$", Some(std::str::from_utf8(TEXT).unwrap())),
            ("$.x", None),
            ("$.a.b[3]", None),
            ("$.a.b.c", None),
            ("$.a[0]", None),
            ("$.a.b[0].x", None),
            ("$[0]", None),
        ] {
            let found = document.get_path(&path.parse().unwrap()).unwrap();
            let found = found.map(|found| {
                let found_tree = tree(&found).unwrap();
                assert_eq!(found.kind().unwrap(), found_tree.kind(), "{format} {path}");
                if let Some(scalar) = found.scalar().unwrap() {
                    assert_eq!(Value::from(scalar), found_tree);
                }
                found_tree
            });
            let expected = expected.map(|text| value(Format::Json, text.as_bytes()));
            assert_eq!(found, expected, "{format} {path}");
        }
    }
}

/// What is found at a path is what the tree has there.
#[test]
fn every_member_of_the_root_is_found() {
    for document in documents(1, Gen::EXACT_BOTH.with_width(60), 100) {
        let Value::Object(members) = &document else { continue };
        let bson = bson(&document);
        let (oson, _) = converted(Format::Bson, &bson, Format::Oson, &Policy::default());
        for (name, member) in members {
            let mut path = boson_document::PathBuf::new();
            path.push_field(name);
            let found = open(Format::Bson, &bson).get_path(&path).unwrap().unwrap();
            assert_same(member, &tree(&found).unwrap());
            let found = open(Format::Oson, &oson).get_path(&path).unwrap().unwrap();
            assert_same(&tree_in_oson(&oson, name), &tree(&found).unwrap());
        }
    }
}

fn tree_in_oson(image: &[u8], name: &str) -> Value {
    value(Format::Oson, image).get(name).unwrap().clone()
}

#[test]
fn roots_have_a_kind() {
    for (text, kind) in [("{}", Kind::Object), ("[1]", Kind::Array), ("\"x\"", Kind::String), ("null", Kind::Null)] {
        assert_eq!(open(Format::Json, text.as_bytes()).kind(), Ok(kind));
        let (image, _) = converted(Format::Json, text.as_bytes(), Format::Oson, &Policy::default());
        assert_eq!(open(Format::Oson, &image).kind(), Ok(kind));
    }
}

#[test]
fn faults_have_a_path() {
    // An invalid character in the second element of `a`.
    let text = b"{\"a\":[1,\"x\\u12\"]}";
    let error = open(Format::Json, text).validate(&Limits::JSON).unwrap_err();
    assert!(error.to_string().contains("$.a"), "{error}");

    let mut bytes =
        bson(&Value::Object(vec![("k".into(), Value::Array(vec![Value::Null, Value::String("ab".into())]))]));
    let at = bytes.windows(2).position(|pair| pair == b"ab").unwrap();
    bytes[at] = 0xFF;
    let document = open(Format::Bson, &bytes);
    let error = document.validate(&Limits::BSON).unwrap_err();
    assert!(error.to_string().contains("$.k[1]: invalid UTF-8"), "{error}");
    let converted = crate::support::convert(Format::Bson, &bytes, Format::Oson, &Policy::default()).unwrap_err();
    assert_eq!(converted, error.to_string());
}

#[test]
fn regions_are_those_of_the_format() {
    for (format, bytes) in in_each_format() {
        let document = open(format, &bytes);
        match document.regions().unwrap() {
            Some(regions) => boson_testkit::laws::regions_tile(&regions, bytes.len()),
            None => assert_eq!(format, Format::Json),
        }
        document.drive(&mut Discard).unwrap();
        assert_eq!(document.bytes(), bytes);
    }
}

#[test]
fn limits_are_those_of_the_policy() {
    let deep = format!("{}1{}", "[".repeat(30), "]".repeat(30));
    let mut policy = Policy::default();
    policy.json_limits = Limits::JSON.with_depth(29);
    let refused = crate::support::convert(Format::Json, deep.as_bytes(), Format::Oson, &policy).unwrap_err();
    assert!(refused.contains("nested deeper than 29"), "{refused}");
    policy.json_limits = Limits::JSON.with_depth(30);
    policy.oson_limits = Limits::OSON.with_depth(29);
    let refused = crate::support::convert(Format::Json, deep.as_bytes(), Format::Oson, &policy).unwrap_err();
    assert!(refused.contains("nested deeper than 29"), "{refused}");
}

/// The element that holds the fault, not the one before it.
#[test]
fn faults_of_json_elements_name_the_element() {
    for (text, path) in [
        (&br#"[1,2,"\ud800"]"#[..], "$[2]"),
        (br#"{"a":["x","\ud800"]}"#, "$.a[1]"),
        (br#"{"a":[1,nul]}"#, "$.a[1]"),
        (b"[\"\xff\"]", "$[0]"),
        (br#"[[1,"\ud800"]]"#, "$[0][1]"),
        (br"[[1],01]", "$[1]"),
        (br#"[1,{"\ud800":1}]"#, "$[1]"),
        (br#"[1,"ab"#, "$[1]"),
        (br"[1,", "$[1]"),
        (br"[1", "$[0]"),
        (br"[[1]", "$[0]"),
        (br#"{"a":1,"b":nul}"#, "$.b"),
    ] {
        let document = open(Format::Json, text);
        let error = document.drive(&mut Discard).unwrap_err();
        assert_eq!(document.locate(error).path.to_string(), path, "{}", String::from_utf8_lossy(text));
    }
}

/// As `get` and reports have it, whatever the format.
#[test]
fn faults_in_the_scope_of_code_have_the_path_that_a_value_there_has() {
    for (text, path) in [
        (r#"{"c":{"$code":"f","$scope":{"x":nul}}}"#, "$.c.x"),
        (r#"{"c":[{"$code":"f","$scope":{"a":1,"x":[1,nul]}}]}"#, "$.c[0].x[1]"),
        (r#"{"c":{"$code":"f","$scope":{"c":{"$code":"g","$scope":{"x":nul}}}}}"#, "$.c.c.x"),
        (r#"{"c":{"$code":"f","$scope":nul}}"#, "$.c"),
        (r#"{"c":{"$code":"f","$scope":{"x":1}},"d":nul}"#, "$.d"),
        // What is no code with scope.
        (r#"{"c":{"$scope":{"x":nul}}}"#, "$.c.$scope.x"),
        (r#"{"c":{"$code":"f","a":1,"$scope":{"x":nul}}}"#, "$.c.$scope.x"),
        (r#"{"c":{"$code":nul,"$scope":{"x":1}}}"#, "$.c.$code"),
    ] {
        let document = open(Format::Json, text.as_bytes());
        let error = document.drive(&mut Discard).unwrap_err();
        assert_eq!(document.locate(error).path.to_string(), path, "{text}");
        // In a document without the fault, there is the value.
        let whole = text.replace("nul}", "null}").replace("nul]", "null]").replace("nul,", "\"g\",");
        if path.contains('x') && !path.contains("$scope") {
            let bytes = converted(Format::Json, whole.as_bytes(), Format::Bson, &Policy::default()).0;
            for (format, bytes) in [(Format::Json, whole.as_bytes()), (Format::Bson, &bytes)] {
                let found = open(format, bytes).get_path_by(&path.parse().unwrap(), &Policy::default()).unwrap();
                assert!(found.is_some(), "{format} {whole}");
            }
        }
    }
}

#[test]
fn a_value_is_shown_within_the_limits_that_were_asked_for() {
    let deep = (0..250).fold(Value::Int32(1), |inner, _| Value::Object(vec![("a".to_owned(), inner)]));
    let options = boson_bson::WriteOptions { limits: Limits::BSON.with_depth(1000), ..Default::default() };
    let mut writer = boson_bson::Writer::new().with_options(options);
    writer.write(&deep).unwrap();
    let bytes = writer.into_bytes();
    // More levels than a tree may have.
    let text = format!("{}1{}", "{\"a\":".repeat(3000), "}".repeat(3000));
    for document in [open(Format::Bson, &bytes), open(Format::Json, text.as_bytes())] {
        for path in ["$", "$.a", "$.a.a"] {
            let path = path.parse().unwrap();
            let found = |policy: &Policy| match document.get_path_by(&path, policy) {
                Ok(found) => found.unwrap().drive(&mut Discard),
                Err(error) => Err(error),
            };
            assert!(found(&Policy::default()).is_err());
            let mut policy = Policy::default();
            policy.bson_limits = Limits::BSON.with_depth(1000);
            policy.json_limits = Limits::JSON.with_depth(3000);
            assert_eq!(found(&policy), Ok(()));
        }
    }
}

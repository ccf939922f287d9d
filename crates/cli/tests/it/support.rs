//! Running `boson` in a folder of its own.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder that is gone when the test is over.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// What a command printed and ended with.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path().join(name), bytes).expect("a file in the sandbox");
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).expect("a file in the sandbox")
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).expect("the sandbox");
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `boson` with arguments separated by spaces.
    pub(crate) fn boson(&self, arguments: &str) -> Ran {
        self.boson_with(arguments, b"")
    }

    /// The same with `input` on standard input.
    pub(crate) fn boson_with(&self, arguments: &str, input: &[u8]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boson"));
        command.args(arguments.split_whitespace());
        self.run(command, input)
    }

    /// Runs a line of the shell in which `boson` is this build.
    pub(crate) fn shell(&self, line: &str) -> Ran {
        let folder = Path::new(env!("CARGO_BIN_EXE_boson")).parent().expect("the build's folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("bash");
        command.arg("-c").arg(line).env("PATH", format!("{}:{path}", folder.display()));
        self.run(command, b"")
    }

    fn run(&self, mut command: Command, input: &[u8]) -> Ran {
        command.current_dir(self.path()).env_remove("NO_COLOR").env("COLUMNS", "120");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // The command may end without reading all of it.
        let _ = stdin.write_all(input);
        drop(stdin);
        Ran::from(child.wait_with_output().expect("the command ends"))
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code().unwrap_or(-1) }
    }
}

impl Ran {
    /// The output of a command that must succeed.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.stdout, self.stderr);
        self.stdout
    }

    /// The complaint of a command that must end with `code`.
    #[track_caller]
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        self.stderr
    }
}

/// An archive of `mongodump`: of each collection its name, its metadata and its documents, in two blocks that stand in
/// one another's way.
pub(crate) fn archive(collections: &[(&str, &str, &[Vec<u8>])]) -> Vec<u8> {
    const TERMINATOR: [u8; 4] = [0xFF; 4];
    let mut bytes = vec![0x6D, 0xE2, 0x99, 0x81];
    bytes.extend(bson(&serde_json::json!({"version": "0.1", "server_version": "7.0.14", "tool_version": "100.9.4"})));
    for (name, metadata, _) in collections {
        bytes.extend(bson(&serde_json::json!({
            "db": "shop", "collection": name, "metadata": metadata, "size": 0, "type": "collection"
        })));
    }
    bytes.extend(TERMINATOR);
    let block = |name: &str, documents: &[Vec<u8>]| {
        let header =
            bson(&serde_json::json!({"db": "shop", "collection": name, "EOF": false, "CRC": {"$numberLong": "0"}}));
        [header, documents.concat(), TERMINATOR.to_vec()].concat()
    };
    for (name, _, documents) in collections {
        bytes.extend(block(name, &documents[..documents.len() / 2]));
    }
    for (name, _, documents) in collections {
        bytes.extend(block(name, &documents[documents.len() / 2..]));
        let mut crc = boson_store::Crc64::default();
        documents.iter().for_each(|document| crc.update(document));
        let crc = crc.to_i64().to_string();
        let last = serde_json::json!({"db": "shop", "collection": name, "EOF": true, "CRC": {"$numberLong": crc}});
        bytes.extend([bson(&last), TERMINATOR.to_vec()].concat());
    }
    bytes
}

/// A document of BSON from Extended JSON.
pub(crate) fn bson(value: &serde_json::Value) -> Vec<u8> {
    use boson_document::{Builder, Source as _};
    use boson_json::{Dialects, Resolve, Text, Unwrap};
    let mut sink = Unwrap::new(Resolve::new(Builder::new()), Dialects::MONGODB);
    Text::new(value.to_string().as_bytes()).drive(&mut sink).expect("JSON");
    boson_bson::encode(&sink.into_inner().into_inner().finish().expect("a document")).expect("BSON")
}

/// The documents in a file of BSON.
pub(crate) fn documents(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut documents = Vec::new();
    while !bytes.is_empty() {
        let (document, rest) = boson_bson::Document::split_first(bytes).expect("a document");
        documents.push(document.bytes().to_vec());
        bytes = rest;
    }
    documents
}

/// Metadata with an index on `timestamp`, one by hashes and a validator.
pub(crate) const METADATA: &str = r#"{"options": {"validator": {"$jsonSchema": {"required": ["_id"]}}}, "indexes": [
    {"v": 2, "key": {"_id": 1}, "name": "_id_"}, {"v": 2, "key": {"timestamp": -1}, "name": "newest"},
    {"v": 2, "key": {"sensorId": "hashed"}, "name": "by_hash"}, {"v": 2, "key": {"gone": 1}, "name": "gone_1", "sparse": true}],
    "collectionName": "readings", "type": "collection"}"#;

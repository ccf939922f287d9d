//! What a server is told comes back, and nothing of the password does.

use boson_document::Value;
use boson_live::{Address, Collection, InPlace, LiveErrorKind, ReadSettings, Server, Sharding, WriteConcern};
use boson_migrate::collection::{Collection as _, Modification, Scan, Update};
use boson_store::{CollectionKind, Metadata, Namespace};
use boson_testkit::{TestServer, unhex};

fn collection(server: &TestServer, name: &str) -> Collection {
    let address = Address::of(server.uri()).unwrap();
    let namespace = Namespace { database: server.database(), collection: name.to_owned() };
    Server::connect(&address).unwrap().collection(namespace)
}

/// `{_id: number, text: "a"}`.
fn document(number: u8) -> Vec<u8> {
    let mut bytes = unhex("1a000000 10 5f696400 00000000 02 7465787400 02000000 6100 00");
    bytes[9] = number;
    bytes
}

fn all(collection: &Collection, settings: &ReadSettings) -> Vec<Vec<u8>> {
    let mut documents = collection.documents(settings).unwrap();
    let mut all = Vec::new();
    while let Some(reply) = documents.next_reply().unwrap() {
        all.extend(reply.documents().map(|document| document.unwrap().to_vec()));
    }
    all.sort();
    all
}

#[test]
fn documents_come_back_as_the_bytes_they_were() {
    let Some(server) = TestServer::shared() else { return };
    let collection = collection(server, "numbers");
    let documents: Vec<_> = (0..250).map(document).collect();
    collection.insert(documents.iter().map(Vec::as_slice)).unwrap();
    // Several replies, and one.
    for batch_size in [7, 1000] {
        let settings = ReadSettings { batch_size, ..ReadSettings::default() };
        assert_eq!(all(&collection, &settings), documents);
    }
    let sample = all(&collection, &ReadSettings { sample: Some(40), ..ReadSettings::default() });
    assert_eq!(sample.len(), 40);
    assert!(sample.iter().all(|document| documents.contains(document)));
    collection.drop_collection().unwrap();
    assert_eq!(collection.describe().unwrap_err().kind(), LiveErrorKind::NoCollection);
    collection.drop_collection().unwrap();
}

#[test]
fn options_and_indexes_come_back() {
    let Some(server) = TestServer::shared() else { return };
    let collection = collection(server, "described");
    let text = br#"{"options": {"validator": {"$jsonSchema": {"bsonType": "object"}}},
        "indexes": [{"v": 2, "key": {"_id": 1}, "name": "_id_"},
            {"v": 2, "key": {"text": 1, "a.b": -1}, "name": "both", "unique": true, "sparse": true}]}"#;
    let metadata = Metadata::parse(text.to_vec()).unwrap();
    collection.create(Some(&metadata)).unwrap();
    collection.create_indexes(&metadata).unwrap();
    collection.insert([document(1).as_slice()]).unwrap();
    let described = collection.describe().unwrap();
    assert_eq!(described.kind, CollectionKind::Documents);
    assert!(matches!(described.sharding, Sharding::NoCluster | Sharding::No));
    assert!(described.metadata.validator().is_some());
    assert_eq!(described.metadata.collection_name(), Some("described"));
    let index = described.metadata.indexes().iter().find(|index| index.name == "both").unwrap();
    let keys = [("text", Value::Int32(1)), ("a.b", Value::Int32(-1))];
    assert_eq!(index.keys, keys.map(|(path, of)| (path.to_owned(), of)));
    assert!(index.is_unique && index.is_sparse);
    assert_eq!(described.stats.count.known(), Some(1));
    assert_eq!(described.stats.size_bytes.known(), Some(26));
    collection.drop_collection().unwrap();
}

#[test]
fn what_is_refused_is_said_without_the_password() {
    let Some(server) = TestServer::shared() else { return };
    let hosts = server.uri().rsplit(['/', '@']).next().unwrap();
    let nowhere = "127.0.0.1:1/?serverSelectionTimeoutMS=100";
    for (rest, kinds) in [
        (hosts, [LiveErrorKind::Denied, LiveErrorKind::Unsupported]),
        (nowhere, [LiveErrorKind::Unreachable; 2]),
        ("h/?w=nonsense&wtimeoutMS=x", [LiveErrorKind::Address; 2]),
    ] {
        let address = Address::of(&format!("mongodb://ada:s3cr3t%40@{rest}")).unwrap();
        let error = Server::connect(&address).unwrap_err();
        assert!(kinds.contains(&error.kind()), "{error}: {:?}", error.kind());
        for shown in [error.to_string(), format!("{error:?}")] {
            assert!(!shown.contains("s3cr3t"), "{shown}");
        }
    }
}

/// The same answers by `bulkWrite`, and by `update` for servers that do not know it.
#[test]
fn updates_match_by_the_old_value_alone() {
    let Some(server) = TestServer::shared() else { return };
    let collection = collection(server, "updated");
    for by_update in [false, true] {
        collection.drop_collection().unwrap();
        collection.insert([document(1).as_slice(), document(2).as_slice()]).unwrap();
        let port = InPlace::new(collection.clone(), WriteConcern::Majority);
        let port = if by_update { port.by_update() } else { port };
        // `{_id: number, text: {$eq: "a"}}` and `{$set: {text: 7}}`.
        let update = |number: u8| {
            let mut filter =
                unhex("24000000 10 5f696400 00000000 03 7465787400 10000000 02 2465710002000000 6100 00 00");
            filter[9] = number;
            let length = u8::try_from(filter.len()).unwrap();
            filter[0] = length;
            let set = unhex("1a000000 03 2473657400 0f000000 10 7465787400 07000000 00 00");
            Update { filter, change: Modification::Operators(set) }
        };
        let updates = [update(1), update(9)];
        let reply = port.update(&updates).unwrap();
        assert_eq!(reply.matched, 1, "by update: {by_update}");
        assert!(reply.failed.is_empty());
        assert_eq!(reply.unmatched, if by_update { None } else { Some(vec![1]) });
        // What was done once matches nothing the second time.
        assert_eq!(port.update(&updates[..1]).unwrap().matched, 0);
        let mut first = document(1);
        // An int32 where the string was.
        first.splice(13.., unhex("10 7465787400 07000000 00"));
        first[0] = u8::try_from(first.len()).unwrap();
        let mut expected = vec![first, document(2)];
        expected.sort();
        assert_eq!(all(&collection, &ReadSettings::default()), expected);
    }
    collection.drop_collection().unwrap();
}

#[test]
fn a_walk_goes_by_id_in_several_replies() {
    let Some(server) = TestServer::shared() else { return };
    let collection = collection(server, "walked");
    let documents: Vec<_> = (0..100).rev().map(document).collect();
    collection.insert(documents.iter().map(Vec::as_slice)).unwrap();
    let port = InPlace::new(collection.clone(), WriteConcern::Members(1));
    let scan = Scan { skip: 3, limit: 50, batch_documents: 7, ..Scan::default() };
    let mut cursor = port.scan(&scan).unwrap();
    let mut seen = Vec::new();
    while let Some(document) = cursor.next_document().unwrap() {
        seen.push(document.to_vec());
    }
    assert_eq!(seen, (3..53).map(document).collect::<Vec<_>>());
    assert_eq!(port.describe().unwrap().documents, 100);
    drop(cursor);
    collection.drop_collection().unwrap();
}

use boson_bson::Document;
use boson_prove::keystring::KeyString;
use boson_prove::wiredtiger::Index;

#[test]
fn look() {
    for name in ["readings_strings.bson.gz", "readings_typed.bson.gz"] {
        for field in ["_id", "timestamp"] {
            let Some(bytes) = crate::tables::documents(name) else { return };
            let mut index = Index::default();
            let mut key = KeyString::default();
            let mut bytes = bytes.as_slice();
            let mut id = 0;
            while !bytes.is_empty() {
                let (document, rest) = Document::split_first(bytes).unwrap();
                bytes = rest;
                id += 1;
                key.clear();
                key.append(document.get(field).unwrap().as_ref()).unwrap();
                key.end();
                if field == "_id" {
                    let len = key.bytes().len();
                    key.append_record_id(id);
                    let value = key.bytes().len() - len;
                    index.insert(&key.bytes()[..len], value as u64);
                } else {
                    key.append_record_id(id);
                    index.insert(key.bytes(), key.type_bits_len());
                }
            }
            eprintln!("{name} {field} {:?}", index.finish());
        }
    }
}

//! The images that a server updated in place: the server's update is undone by hand, then made again.

use boson_document::edit::Edit;
use boson_oson::edit::Editor;
use boson_testkit::{hex, shared, unhex};
use serde_json::Value as Json;

const LONGER: &str = "this is a substantially longer replacement string";

/// The image of the vectors.
fn server_image(name: &str) -> Option<Vec<u8>> {
    let path = shared()?.join("vectors/oson_server_images.json");
    let images: Json = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    Some(unhex(images[name]["oson"].as_str().unwrap()))
}

/// `{"a": …, "b": "ss"}` before a server updated it: version 1, the node of `a` at offset 8 and that of `b` behind it.
fn before(node: &[u8]) -> Vec<u8> {
    let b_at = u8::try_from(8 + node.len()).unwrap();
    let tree = [&[0x84, 2, 1, 2, 0, 8, 0, b_at], node, b"\x02ss"].concat();
    let tree_len = u8::try_from(tree.len()).unwrap();
    let header = [0xFF, 0x4A, 0x5A, 1, 0x21, 0x06, 2, 0, 4, 0, tree_len, 0, 0, 0x2C, 0xE5, 0, 0, 0, 2];
    [&header[..], b"\x01a\x01b", &tree].concat()
}

#[track_caller]
fn updates_as_the_server(name: &str, node: &[u8], keep_offsets: bool, written: usize) {
    let Some(server) = server_image(name) else { return };
    let mut editor = Editor::open(before(node)).unwrap();
    if keep_offsets {
        editor = editor.keeping_offsets();
    }
    let edit = editor.set(&"a".parse().unwrap(), LONGER).unwrap();
    // The text with its opcode and its length, behind an update header, and a map where there is one.
    let appended = 2 + LONGER.len() + 16 + if keep_offsets { 8 } else { 0 };
    assert_eq!(edit, Edit::Appended { written, appended });
    // What the server left of a node longer than its forwarding is not looked at by anyone.
    assert_eq!(hex(editor.into_inner()), hex(server));
}

/// The version, and 2 bytes of the parent.
#[test]
fn a_tiny_node_is_left_and_the_parent_points_past_it() {
    updates_as_the_server("updated tiny scalar", &[0x31], false, 3);
}

#[test]
fn a_node_of_three_bytes_becomes_a_forwarding_of_two() {
    updates_as_the_server("updated forward UB2", b"\x02ab", false, 4);
}

#[test]
fn a_node_of_five_bytes_becomes_a_forwarding_of_four() {
    updates_as_the_server("updated forward UB4", b"\x04abcd", false, 6);
}

#[test]
fn a_tiny_node_gets_an_entry_in_the_map() {
    updates_as_the_server("updated overflow UB4", &[0x31], true, 2);
}

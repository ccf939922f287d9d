use boson_document::{Region, Role, Span, Value};
use boson_testkit::laws;

fn regions(spans: &[(usize, usize)]) -> Vec<Region> {
    let region = |&(offset, len)| Region { span: Span::new(offset, len), role: Role::Value, depth: 0 };
    spans.iter().map(region).collect()
}

#[test]
fn regions_that_tile_pass() {
    laws::regions_tile(&regions(&[(0, 4), (4, 1), (5, 2)]), 7);
}

#[test]
#[should_panic(expected = "does not begin where the region before it ends")]
fn a_gap_is_seen() {
    laws::regions_tile(&regions(&[(0, 4), (5, 2)]), 7);
}

#[test]
#[should_panic(expected = "the regions end at 4")]
fn a_missing_end_is_seen() {
    laws::regions_tile(&regions(&[(0, 4)]), 7);
}

#[test]
#[should_panic(expected = "at $.a[1]")]
fn a_difference_is_named_by_its_path() {
    let document =
        |number| Value::Object(vec![("a".to_owned(), Value::Array(vec![Value::Null, Value::Int32(number)]))]);
    laws::assert_same(&document(1), &document(2));
}

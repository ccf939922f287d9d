use boson_document::{Kind, Value};
use boson_testkit::random::{BSON_ALL, JSON_ALL, OSON_ALL, colliding, edges, fnv1a};
use boson_testkit::{Coverage, Gen, Rng, documents, laws};
use proptest::proptest;

const ALL: [Gen; 4] = [Gen::BSON_ALL, Gen::OSON_ALL, Gen::JSON_ALL, Gen::EXACT_BOTH];

/// Calls `visit` with each object's members.
fn each_object(document: &Value, visit: &mut impl FnMut(&[(String, Value)])) {
    match document {
        Value::Object(members) | Value::CodeWithScope { scope: members, .. } => {
            visit(members);
            for (_, member) in members {
                each_object(member, visit);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| each_object(element, visit)),
        _ => {}
    }
}

fn depth(document: &Value) -> usize {
    match document {
        Value::Object(members) | Value::CodeWithScope { scope: members, .. } => {
            1 + members.iter().map(|(_, member)| depth(member)).max().unwrap_or_default()
        }
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

#[test]
fn the_same_seed_gives_the_same_documents() {
    for like in ALL {
        let once: Vec<Value> = documents(5, like, 60).collect();
        assert_eq!(once, documents(5, like, 60).collect::<Vec<_>>());
        assert_ne!(once, documents(6, like, 60).collect::<Vec<_>>());
    }
}

#[test]
fn every_kind_occurs_in_the_first_documents_and_no_other() {
    for like in ALL {
        let mut coverage = Coverage::new();
        documents(1, like, like.kinds.len()).for_each(|document| coverage.add(&document));
        assert_eq!(coverage.missing(like.kinds), []);
        let all = BSON_ALL.iter().chain(OSON_ALL).chain(JSON_ALL);
        let others = all.filter(|kind| !like.kinds.contains(kind));
        assert_eq!(others.filter(|&&kind| coverage.count(kind) > 0).collect::<Vec<_>>(), Vec::<&Kind>::new());
    }
}

#[test]
fn every_edge_value_occurs() {
    for like in ALL {
        let most_edges = like.kinds.iter().map(|&kind| edges(kind, like.range).len()).max().unwrap();
        let shown: Vec<Value> = documents(1, like.with_width(1), like.kinds.len() * most_edges)
            .filter_map(|document| match document {
                Value::Object(members) => members.last().map(|(_, shown)| shown.clone()),
                Value::Array(elements) => elements.last().cloned(),
                leaf => Some(leaf),
            })
            .collect();
        for &kind in like.kinds.iter().filter(|kind| !kind.is_container()) {
            let mut missing = edges(kind, like.range).iter().filter(|edge| !shown.contains(edge));
            assert_eq!(missing.next(), None, "{kind}");
        }
    }
}

#[test]
fn every_kind_has_edges_of_that_kind() {
    for like in ALL {
        for &kind in like.kinds {
            let edges = edges(kind, like.range);
            assert!(!edges.is_empty(), "{kind}");
            assert!(edges.iter().all(|edge| edge.kind() == kind), "{kind}");
        }
    }
}

#[test]
fn names_occur_once_unless_asked_for_twice() {
    let twice = |like: Gen| {
        let mut count = 0;
        for document in documents(2, like, 400) {
            each_object(&document, &mut |members| {
                let names: std::collections::HashSet<_> = members.iter().map(|(name, _)| name).collect();
                count += members.len() - names.len();
            });
        }
        count
    };
    assert_eq!(twice(Gen::BSON_ALL), 0);
    assert!(twice(Gen::BSON_ALL.with_duplicates()) > 50);
}

#[test]
fn names_and_shapes_cover_what_changes_a_layout() {
    let (mut lengths, mut counts) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    for document in documents(3, Gen::OSON_ALL, 3000) {
        each_object(&document, &mut |members| {
            counts.insert(members.len());
            lengths.extend(members.iter().map(|(name, _)| name.len()));
        });
    }
    assert!([0, 31, 32, 255, 256, 65_535].iter().all(|length| lengths.contains(length)), "{lengths:?}");
    assert!([0, 1, 9, 10, 11, 12, 254, 255, 256, 257].iter().all(|count| counts.contains(count)), "{counts:?}");
    assert!(counts.last() > Some(&1000), "{counts:?}");
}

#[test]
fn bson_names_and_regexes_hold_no_nul() {
    for document in documents(4, Gen::BSON_ALL, 600) {
        each_object(&document, &mut |members| {
            for (name, member) in members {
                assert!(!name.contains('\0'));
                if let Value::Regex { pattern, options } = member {
                    assert!(!pattern.contains('\0') && !options.contains('\0'));
                }
            }
        });
    }
}

#[test]
fn names_collide_by_the_hash_of_oson() {
    // What python-oracledb hashes `x` 300 times, `a` and the empty name to: docs/format/peers.md, section 1.
    assert_eq!(fnv1a(&"x".repeat(300)), 0x9701_38F5);
    assert_eq!(fnv1a("") & 0xFF, 0xC5);
    assert_eq!(fnv1a("a") & 0xFF, 0x2C);
    let names = colliding(0x98, 5);
    assert_eq!(names, ["c110", "c165", "c208", "c301", "c396"]);
}

#[test]
fn bounds_are_kept() {
    let mut rng = Rng::new(9);
    for _ in 0..300 {
        assert!(depth(&Gen::BSON_ALL.with_depth(3).document(&mut rng)) <= 3);
        each_object(&Gen::JSON_ALL.with_width(5).document(&mut rng), &mut |members| assert!(members.len() <= 5));
    }
}

proptest! {
    #[test]
    fn a_tree_replays_and_is_rebuilt(document in Gen::BSON_ALL) {
        laws::replays(&document);
        laws::assert_same(&document, &laws::tree(&document).unwrap());
    }
}

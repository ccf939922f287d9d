//! Numbers in types larger than they need.

use boson_document::Value;
use boson_profile::{Reason, Target};

use crate::support::{decimal, described, field};

#[test]
fn doubles_that_hold_only_integers() {
    let finding = field("count", [1.0, -2.0, 300.0].map(Value::Double)).findings().findings.remove(0);
    assert_eq!((finding.proposal.target, finding.saved_bytes()), (Target::Int32, Some(12)));
    assert!(finding.reasons.contains(&Reason::MayGrow(300)));
    let finding = field("count", [1.0, 3e9].map(Value::Double)).findings().findings.remove(0);
    assert_eq!((finding.proposal.target, finding.saved_bytes()), (Target::Int64, Some(0)));
    for values in [vec![1.0, 1.5], vec![-0.0], vec![f64::NAN], vec![1e300], vec![f64::INFINITY, 1.0]] {
        assert_eq!(described(&field("count", values.into_iter().map(Value::Double))), "text");
    }
}

#[test]
fn long_integers_that_are_short() {
    let finding = field("count", [1, -5, 2_147_483_647].map(Value::Int64)).findings().findings.remove(0);
    assert_eq!((finding.proposal.target, finding.saved_bytes()), (Target::Int32, Some(12)));
    assert_eq!(described(&field("count", [1, 2_147_483_648].map(Value::Int64))), "text");
    assert_eq!(described(&field("count", [Value::Int32(5), decimal("1.5"), Value::Null])), "text");
}

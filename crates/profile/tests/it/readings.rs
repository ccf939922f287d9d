//! The published case: 100,000 telemetry readings whose values are strings.

use boson_profile::{Actual, Finding, Profile, Risk, Spelling, Stays, Target};

use crate::support::{profile_bson, shared_gz};

fn readings() -> Option<Profile> {
    shared_gz("readings_strings.bson.gz").map(|bytes| profile_bson(&bytes))
}

fn found<'a>(findings: &'a [Finding], path: &str) -> &'a Finding {
    findings.iter().find(|finding| finding.path.to_string() == path).unwrap_or_else(|| panic!("nothing at {path}"))
}

#[test]
fn the_badly_typed_fields_are_found_and_the_others_left_alone() {
    let Some(profile) = readings() else { return };
    let found_all = profile.findings();
    let findings = &found_all.findings;
    for (path, actual, target) in [
        ("$._id", Actual::Uuid, Target::Uuid),
        ("$.timestamp", Actual::DateTime, Target::Date),
        ("$.metadata.lastCalibration", Actual::DateTime, Target::Date),
        ("$.temperature", Actual::Decimal, Target::Double),
        ("$.humidity", Actual::Decimal, Target::Double),
        ("$.pressure", Actual::Decimal, Target::Double),
        ("$.isActive", Actual::Boolean, Target::Bool),
        ("$.metadata.batteryLevel", Actual::Integer, Target::Int32),
    ] {
        let finding = found(findings, path);
        assert_eq!((finding.actual, finding.proposal.target), (actual, target), "{path}");
        assert_eq!((finding.fits, finding.documents, finding.misfits.count), (100_000, Some(100_000), 0), "{path}");
        assert!(finding.proposal.losses.is_empty(), "{path}: {:?}", finding.proposal.losses);
        assert!(finding.questions.is_empty());
        assert_eq!(finding.risk == Risk::High, path == "$._id");
    }
    assert_eq!(findings.len(), 8);
    assert_eq!(found(findings, "$.pressure").proposal.spelling, Some(Spelling::Scale(2)));
    assert_eq!(found(findings, "$.temperature").proposal.spelling, Some(Spelling::Scale(1)));
    assert_eq!(found(findings, "$.temperature").alternatives[0].target, Target::Decimal128);
    let left: Vec<_> = found_all.left_alone.iter().map(|left| (left.path.to_string(), left.reason)).collect();
    assert_eq!(left, [("$.metadata.firmwareVersion".to_owned(), Stays::TwoPoints)]);
}

/// The typed form of the same documents is what is left when everything but `_id` is converted.
#[test]
fn the_saving_is_that_of_the_typed_documents() {
    let (Some(profile), Some(typed)) = (readings(), shared_gz("readings_typed.bson.gz")) else { return };
    let findings = profile.findings().findings;
    let saved: i64 = findings.iter().filter(|finding| !finding.path.is_id()).filter_map(Finding::saved_bytes).sum();
    assert_eq!(i64::try_from(profile.documents().total()).unwrap() - saved, i64::try_from(typed.len()).unwrap());
    assert_eq!(saved, 36_240_988 - 30_400_000);
    assert!((profile.documents().mean() - 362.4).abs() < 0.05);
    assert!(findings.is_sorted_by(|a, b| a.saved_bytes() >= b.saved_bytes()));
}

#[test]
fn typed_readings_have_nothing_but_their_key_to_be_found() {
    let Some(typed) = shared_gz("readings_typed.bson.gz") else { return };
    let findings = profile_bson(&typed).findings().findings;
    assert_eq!(findings.iter().map(|finding| finding.path.to_string()).collect::<Vec<_>>(), ["$._id"]);
}

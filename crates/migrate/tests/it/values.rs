//! Single values: what they become, by hand.

use crate::support::converted;

const DATE: u8 = 0x09;
const STRING: u8 = 0x02;

fn ms(body: &str, text: &str) -> Option<i64> {
    let (tag, bytes) = converted(body, text);
    (tag == DATE).then(|| i64::from_le_bytes(bytes.try_into().unwrap()))
}

/// The moments are what `date -u -d TEXT +%s%3N` prints.
#[test]
fn dates_of_iso_8601() {
    let z = "to = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss.fffZ\"";
    assert_eq!(ms(z, "2024-01-15T10:30:00.007Z"), Some(1_705_314_600_007));
    assert_eq!(ms(z, "1969-12-31T23:59:59.999Z"), Some(-1));
    // Written otherwise, so it would not come back: it stays.
    assert_eq!(ms(z, "2024-01-15T10:30:00Z"), None);
    assert_eq!(ms(&format!("{z}\nlossy = \"accept\""), "2024-01-15T10:30:00Z"), Some(1_705_314_600_000));
    assert_eq!(ms(z, "2024-02-30T10:30:00.000Z"), None);
}

#[test]
fn dates_without_a_zone_are_read_where_the_plan_says() {
    let local = "to = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss\"\nzone = ";
    assert_eq!(ms(&format!("{local}\"UTC\""), "2024-01-15T10:30:00"), Some(1_705_314_600_000));
    assert_eq!(ms(&format!("{local}\"+02:00\""), "2024-01-15T10:30:00"), Some(1_705_307_400_000));
    // Berlin: one hour east in winter, two in summer; on 31 March 2024 there was no 02:30, on 27 October there were two.
    let berlin = format!("{local}\"Europe/Berlin\"");
    assert_eq!(ms(&berlin, "2024-01-15T10:30:00"), Some(1_705_311_000_000));
    assert_eq!(ms(&berlin, "2024-07-15T10:30:00"), Some(1_721_032_200_000));
    assert_eq!(ms(&berlin, "2024-03-31T02:30:00"), None);
    assert_eq!(ms(&berlin, "2024-10-27T02:30:00"), None);
    assert_eq!(ms("to = \"date\"\nspelling = \"YYYY-MM-DD\"\nzone = \"UTC\"", "2020-01-01"), Some(1_577_836_800_000));
    assert_eq!(ms("to = \"date\"\nspelling = \"DD/MM/YYYY\"\nzone = \"UTC\"", "15/01/2024"), Some(1_705_276_800_000));
    assert_eq!(ms("to = \"date\"\nspelling = \"DD/MM/YYYY\"\nzone = \"UTC\"", "01/15/2024"), None);
}

#[test]
fn epochs_in_and_out_of_range() {
    assert_eq!(ms("to = \"date\"\nspelling = \"epoch-seconds\"", "1577836800"), Some(1_577_836_800_000));
    assert_eq!(ms("to = \"date\"\nspelling = \"epoch-milliseconds\"", "1577836800000"), Some(1_577_836_800_000));
    // Seconds among milliseconds are not read as January 1970.
    assert_eq!(ms("to = \"date\"\nspelling = \"epoch-milliseconds\"", "1577836800"), None);
}

#[test]
fn numbers() {
    let double = |body: &str, text: &str| {
        let (tag, bytes) = converted(body, text);
        (tag == 0x01).then(|| f64::from_le_bytes(bytes.try_into().unwrap()))
    };
    let scale = "to = \"double\"\nspelling = \"scale\"\nscale = 2";
    assert_eq!(double(scale, "1020.50"), Some(1020.5));
    assert_eq!(double(scale, "-0.25"), Some(-0.25));
    for text in ["1020.5", "1020", "1e5", "NaN ", "0123.50", "+1.50", "1.234.50", "12345678901234567.89"] {
        assert_eq!(double(scale, text), None, "{text}");
    }
    assert_eq!(converted("to = \"int32\"", "-7"), (0x10, (-7_i32).to_le_bytes().to_vec()));
    for text in ["02134", "+15550100", "2147483648", "1.0", "", "0x10"] {
        assert_eq!(converted("to = \"int32\"", text).0, STRING, "{text}");
    }
    assert_eq!(converted("to = \"int64\"", "9223372036854775807"), (0x12, i64::MAX.to_le_bytes().to_vec()));
    assert_eq!(converted("to = \"int64\"", "9223372036854775808").0, STRING);
    // 19.90 as a decimal128: 1990 with exponent -2, from the specification's encoding.
    let (tag, bytes) = converted("to = \"decimal128\"\nspelling = \"digits\"", "19.90");
    assert_eq!((tag, hex::encode(bytes)), (0x13, "c6070000000000000000000000003c30".to_owned()));
    let (tag, bytes) = converted("to = \"decimal128\"\nspelling = \"point-comma\"\nscale = 2", "1.234,56");
    assert_eq!((tag, hex::encode(bytes)), (0x13, "40e20100000000000000000000003c30".to_owned()));
    assert_eq!(converted("to = \"decimal128\"\nspelling = \"point-comma\"\nscale = 2", "1,234.56").0, STRING);
}

#[test]
fn ids_words_and_bytes() {
    let uuid = "to = \"uuid\"\nspelling = \"hyphens\"";
    let (tag, bytes) = converted(uuid, "00112233-4455-6677-8899-aabbccddeeff");
    assert_eq!((tag, hex::encode(bytes)), (0x05, "100000000400112233445566778899aabbccddeeff".to_owned()));
    assert_eq!(converted(uuid, "00112233-4455-6677-8899-AABBCCDDEEFF").0, STRING, "it would come back in lower case");
    assert_eq!(converted(uuid, "00112233-4455-6677-8899-aabbccddeef").0, STRING);
    let call = "to = \"object-id\"\nspelling = \"call\"";
    let (tag, bytes) = converted(call, "ObjectId(\"56e1fc72e0c917e9c4714161\")");
    assert_eq!((tag, hex::encode(bytes)), (0x07, "56e1fc72e0c917e9c4714161".to_owned()));
    // Twelve characters are no ObjectId.
    assert_eq!(converted("to = \"object-id\"\nspelling = \"bare\"", "Rheumatology").0, STRING);
    let words = "to = \"bool\"\nwords = [\"true\", \"false\"]";
    assert_eq!(converted(words, "false"), (0x08, vec![0]));
    assert_eq!(converted(words, "").0, STRING);
    assert_eq!(converted(words, "yes").0, STRING);
    assert_eq!(converted("to = \"bool\"\nspelling = \"zero-or-one\"", "1"), (0x08, vec![1]));
    let (tag, bytes) = converted("to = \"binary\"\nspelling = \"base64\"", "AAECAwQFBgcICQoLDA0ODw==");
    assert_eq!((tag, hex::encode(bytes)), (0x05, "1000000000000102030405060708090a0b0c0d0e0f".to_owned()));
    let json = "to = \"document\"\nlossy = \"accept\"";
    let (tag, bytes) = converted(json, "{\"a\": 1}");
    assert_eq!((tag, hex::encode(bytes)), (0x03, "0c0000001061000100000000".to_owned()));
    assert_eq!(converted(json, "[1]").0, 0x04);
}

#[test]
fn what_does_not_fit_becomes_what_the_plan_says() {
    assert_eq!(converted("to = \"int32\"\nmisfits = \"null\"", "n. a."), (0x0A, Vec::new()));
    assert_eq!(converted("to = \"int32\"\nnothing = \"null\"", ""), (0x0A, Vec::new()));
    assert_eq!(converted("to = \"int32\"\nnothing = \"null\"", "N/A"), (0x0A, Vec::new()));
    assert_eq!(converted("to = \"int32\"\nnothing = \"null\"", "twelve").0, STRING);
}

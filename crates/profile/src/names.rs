//! What a field's name says about its values.

/// Words that say money.
const MONEY: &[&str] = &[
    "price", "prices", "amount", "cost", "costs", "total", "subtotal", "balance", "fee", "fees", "tax", "vat",
    "salary", "wage", "revenue", "payment", "paid", "due", "discount", "usd", "eur", "gbp", "chf", "money", "charge",
    "refund", "deposit", "credit", "debit", "budget", "premium", "invoice", "sum", "msrp", "tip", "rent", "payout",
    "turnover", "profit", "income", "preis", "betrag", "prix", "precio",
];

/// Words that say a point in time.
const TIME: &[&str] = &[
    "time",
    "timestamp",
    "ts",
    "date",
    "at",
    "created",
    "updated",
    "modified",
    "expires",
    "expiry",
    "expiration",
    "datetime",
    "when",
    "since",
    "until",
    "birthday",
    "dob",
    "deadline",
    "start",
    "started",
    "end",
    "ended",
    "seen",
    "login",
    "epoch",
];

/// Words that say that digits are not a number: nobody adds them up, and a zero in front counts.
const IDENTIFIER: &[&str] = &[
    "zip",
    "zipcode",
    "postal",
    "postcode",
    "postalcode",
    "plz",
    "phone",
    "tel",
    "telephone",
    "mobile",
    "cell",
    "cellphone",
    "fax",
    "msisdn",
    "imei",
    "imsi",
    "iccid",
    "ssn",
    "isbn",
    "issn",
    "ean",
    "upc",
    "gtin",
    "sku",
    "barcode",
    "iban",
    "bic",
    "swift",
    "version",
    "versions",
    "firmware",
    "ver",
    "build",
    "release",
    "plate",
    "passport",
    "license",
    "licence",
    "pan",
    "cvv",
    "cvc",
    "pin",
    "serial",
    "routing",
    "npi",
    "ndc",
    "siren",
    "siret",
    "vin",
];

/// What the name of a field says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a name may say several of these at once")]
pub(crate) struct Hints {
    pub(crate) money: bool,
    pub(crate) time: bool,
    /// Digits that are no number.
    pub(crate) identifier: bool,
    /// A reference: `userId`, `order_id`.
    pub(crate) reference: bool,
}

/// Reads the words of `name`: `unitPrice`, `unit_price`, `UNIT-PRICE`, `HTTPDate2`.
pub(crate) fn hints(name: &str) -> Hints {
    let words = words(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&&**word));
    Hints {
        money: has(MONEY),
        time: has(TIME),
        identifier: has(IDENTIFIER),
        reference: words
            .last()
            .is_some_and(|word| matches!(&**word, "id" | "ids" | "ref" | "no" | "nr" | "number" | "code")),
    }
}

fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
        let begins = letter.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && next_is_lower));
        if begins || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if letter.is_alphabetic() {
            words.iter_mut().last().into_iter().for_each(|word| word.extend(letter.to_lowercase()));
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_word_by_word() {
        assert_eq!(words("unitPriceUSD2_net"), ["unit", "price", "usd", "net"]);
        assert_eq!(words("HTTPDate"), ["http", "date"]);
        assert!(hints("unitPrice").money && hints("TOTAL_AMOUNT").money && !hints("temperature").money);
        assert!(hints("zip_code").identifier && hints("firmwareVersion").identifier && !hints("zipper").identifier);
        assert!(hints("createdAt").time && !hints("atmosphere").time);
        assert!(hints("userId").reference && hints("_id").reference && !hints("paid").reference);
    }
}

//! The names by which extended objects are known.

/// Whether an object with this first name may stand for a scalar of BSON in MongoDB's Extended JSON v2.
pub(crate) fn is_mongodb(first_name: &str) -> bool {
    matches!(
        first_name,
        "$oid"
            | "$symbol"
            | "$numberInt"
            | "$numberLong"
            | "$numberDouble"
            | "$numberDecimal"
            | "$binary"
            | "$uuid"
            | "$code"
            | "$scope"
            | "$timestamp"
            | "$regularExpression"
            | "$dbPointer"
            | "$date"
            | "$minKey"
            | "$maxKey"
            | "$undefined"
    )
}

/// Whether an object with this first name may stand for a scalar of Oracle's extended objects.
pub(crate) fn is_oracle(first_name: &str) -> bool {
    matches!(
        first_name,
        "$numberFloat"
            | "$numberByte"
            | "$numberShort"
            | "$rawhex"
            | "$rawid"
            | "$oracleDate"
            | "$oracleTimestamp"
            | "$oracleTimestampTZ"
            | "$intervalDaySecond"
            | "$intervalYearMonth"
            | "$vector"
            | "$vectorElementType"
    )
}

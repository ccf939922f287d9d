//! BSON, OSON and JSON documents: encode, decode, read one field, convert.

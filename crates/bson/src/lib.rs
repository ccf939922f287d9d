//! BSON, read, written, navigated and explained.

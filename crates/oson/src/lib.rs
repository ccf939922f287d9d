//! OSON, Oracle's binary JSON, read, written, navigated and explained.

//! Against a server: see `boson_testkit::TestServer`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod server;

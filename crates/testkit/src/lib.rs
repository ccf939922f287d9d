//! What the tests share: random documents, laws, damaged input.

//! Changing documents where they are.

mod cases;
mod laws;

//! The command line `boson`.

fn main() {}

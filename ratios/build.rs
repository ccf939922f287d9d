//! Says which peers are built, in which versions.

use std::fs;

/// The packages that are measured, as Cargo.lock calls them.
const PEERS: [&str; 7] = ["bson", "jsonb", "oracle-rs", "oracledb-protocol", "serde_json", "simd-json", "sonic-rs"];

fn main() {
    println!("cargo::rerun-if-changed=Cargo.lock");
    let lock = fs::read_to_string("Cargo.lock").unwrap_or_default();
    let named = PEERS.map(|peer| format!("{peer} {}", version(&lock, peer).unwrap_or("?")));
    println!("cargo::rustc-env=BOSON_PEERS={}", named.join(", "));
}

fn version<'l>(lock: &'l str, package: &str) -> Option<&'l str> {
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    rest.split('"').next()
}

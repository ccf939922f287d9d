#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boson_fuzz_bodies::run("explain", data));

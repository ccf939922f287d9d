//! How long bytes become; `scratch` is reused from one call to the next.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

pub(crate) fn snappy(bytes: &[u8], scratch: &mut Vec<u8>) -> Option<usize> {
    scratch.resize(snap::raw::max_compress_len(bytes.len()), 0);
    snap::raw::Encoder::new().compress(bytes, scratch).ok()
}

pub(crate) fn zlib(bytes: &[u8], level: u8, scratch: &mut Vec<u8>) -> Option<usize> {
    scratch.clear();
    let mut encoder = ZlibEncoder::new(scratch, Compression::new(level.into()));
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(|out| out.len())
}

pub(crate) fn zstd(bytes: &[u8], level: u8, scratch: &mut Vec<u8>) -> Option<usize> {
    scratch.resize(zstd::zstd_safe::compress_bound(bytes.len()), 0);
    zstd::bulk::compress_to_buffer(bytes, scratch, level.into()).ok()
}

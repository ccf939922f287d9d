//! The laws of the layout: whatever the bytes, the regions tile them, or there are none.

use boson_document::{DecodeError, Layout, Region};
use boson_testkit::laws;

pub(crate) fn run(data: &[u8]) {
    if let Ok(document) = boson_bson::Document::new(data) {
        tile(document.regions(), data);
    }
    if let Ok(image) = boson_oson::Document::new(data) {
        tile(image.regions(), data);
    }
}

fn tile(regions: Result<Vec<Region>, DecodeError>, data: &[u8]) {
    match regions {
        Ok(regions) => laws::regions_tile(&regions, data.len()),
        Err(error) => assert!(error.offset <= data.len(), "{error}: only {} bytes", data.len()),
    }
}

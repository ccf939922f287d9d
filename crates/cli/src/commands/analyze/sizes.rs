//! The same documents in every format.

use boson_report::FormatSizes;
use boson_transcode::{AnyDocument, ConvertError, Converter, Format, Policy, Report};

/// Converts documents to see how large they become.
pub(super) struct Meter {
    json: Converter,
    oson: Converter,
    bytes: Vec<u8>,
    pub(super) sizes: FormatSizes,
}

impl Meter {
    pub(super) fn new(policy: &Policy) -> Self {
        let converter = |format| Converter::new(format, policy.clone());
        let (json, oson) = (converter(Format::Json), converter(Format::Oson));
        Self { json, oson, bytes: Vec::new(), sizes: FormatSizes::default() }
    }

    /// Measures one document of BSON. `report` may be thrown away: only sizes are wanted.
    pub(super) fn add(&mut self, document: &AnyDocument<'_>, report: &mut Report) {
        match self.measure(document, report) {
            Ok((json, oson)) => {
                let bson = document.bytes().len() as u64;
                self.sizes.merge(FormatSizes {
                    documents: 1,
                    left_out: 0,
                    bson_bytes: bson,
                    json_bytes: json,
                    oson_bytes: oson,
                });
            }
            Err(_) => self.sizes.left_out += 1,
        }
    }

    fn measure(&mut self, document: &AnyDocument<'_>, report: &mut Report) -> Result<(u64, u64), ConvertError> {
        self.bytes.clear();
        self.json.convert(document, report, &mut self.bytes)?;
        let json = self.bytes.len() as u64;
        self.bytes.clear();
        self.oson.convert(document, report, &mut self.bytes)?;
        Ok((json, self.bytes.len() as u64))
    }
}

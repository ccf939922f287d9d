//! The same documents in every format.

use boson_transcode::{AnyDocument, ConvertError, Converter, Format, Policy, Report};

/// What the documents measure that all three formats can hold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    /// How many documents were measured.
    pub(super) documents: u64,
    /// How many have no form in one of the formats, and are in none of the figures.
    pub(super) left_out: u64,
    pub(super) bson_bytes: u64,
    pub(super) json_bytes: u64,
    pub(super) oson_bytes: u64,
}

impl Sizes {
    pub(super) const fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        self.left_out += other.left_out;
        self.bson_bytes += other.bson_bytes;
        self.json_bytes += other.json_bytes;
        self.oson_bytes += other.oson_bytes;
    }
}

/// Converts documents to see how large they become.
pub(super) struct Meter {
    json: Converter,
    oson: Converter,
    bytes: Vec<u8>,
    pub(super) sizes: Sizes,
}

impl Meter {
    pub(super) fn new(policy: &Policy) -> Self {
        let converter = |format| Converter::new(format, policy.clone());
        let (json, oson) = (converter(Format::Json), converter(Format::Oson));
        Self { json, oson, bytes: Vec::new(), sizes: Sizes::default() }
    }

    /// Measures one document of BSON. `report` may be thrown away: only sizes are wanted.
    pub(super) fn add(&mut self, document: &AnyDocument<'_>, report: &mut Report) {
        match self.measure(document, report) {
            Ok((json, oson)) => {
                let bson = document.bytes().len() as u64;
                self.sizes.merge(Sizes {
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

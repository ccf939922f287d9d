//! What a query's reply takes on the wire.
//!
//! A reply is an OP_MSG: the message header, flags, one section with a document
//! `{cursor: {firstBatch: […], id, ns}, ok: 1}`, as a server outside a replica set sends it; a member of one adds the cluster's
//! time, which is the same whatever the documents hold. A driver that negotiated a compressor gets the same message inside an
//! OP_COMPRESSED. From the wire protocol's specification.

use crate::wire_compressor::WireCompressor;

/// Documents of a reply.
pub const REPLY_DOCUMENTS: u64 = 100;

/// Replies that are compressed to measure what that saves; further ones are only counted.
const COMPRESSED_REPLIES_MAX: u64 = 1000;

const HEADER_LEN: u64 = 16;
/// Opcode and length of the message inside, and the compressor.
const COMPRESSED_HEADER_LEN: u64 = 4 + 4 + 1;

/// What replies of 100 documents take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSize {
    /// Whole replies that were put together, and the bytes of all of them.
    pub replies: u64,
    /// Bytes of those replies, with all headers.
    pub bytes: u64,
    /// By compressor: the replies that were compressed, and the bytes of them.
    pub compressed: Vec<(WireCompressor, u64, u64)>,
}

/// Puts replies together from documents.
#[derive(Debug)]
pub(crate) struct Network {
    message: Message,
    size: NetworkSize,
    scratch: Vec<u8>,
}

/// One reply behind its header.
#[derive(Debug)]
struct Message {
    namespace: String,
    body: Vec<u8>,
    documents: u64,
    batch: usize,
}

impl Network {
    /// Replies from the collection `namespace`, `database.collection`.
    pub(crate) fn new(namespace: &str) -> Self {
        let compressed = WireCompressor::ALL.map(|compressor| (compressor, 0, 0)).to_vec();
        Self {
            message: Message::new(namespace),
            size: NetworkSize { replies: 0, bytes: 0, compressed },
            scratch: Vec::new(),
        }
    }

    /// Adds a document to the reply; with the hundredth the reply is complete.
    pub(crate) fn add(&mut self, document: &[u8]) {
        self.message.add(document);
        if self.message.documents == REPLY_DOCUMENTS {
            self.message.end();
            self.measure();
            self.message.clear();
        }
    }

    /// What all complete replies took; what is left of the last is not counted.
    pub(crate) fn finish(self) -> NetworkSize {
        self.size
    }

    fn measure(&mut self) {
        let body = &self.message.body;
        self.size.bytes += HEADER_LEN + body.len() as u64;
        self.size.replies += 1;
        if self.size.replies > COMPRESSED_REPLIES_MAX {
            return;
        }
        for (compressor, replies, bytes) in &mut self.size.compressed {
            if let Some(len) = compressor.compressed_len(body, &mut self.scratch) {
                *replies += 1;
                *bytes += HEADER_LEN + COMPRESSED_HEADER_LEN + len;
            }
        }
    }
}

impl Message {
    fn new(namespace: &str) -> Self {
        let mut message = Self { namespace: namespace.to_owned(), body: Vec::new(), documents: 0, batch: 0 };
        message.clear();
        message
    }

    /// Everything before the first document. The lengths are filled in when they are known.
    fn clear(&mut self) {
        self.documents = 0;
        self.body.clear();
        // No flags; a section of one document.
        self.body.extend([0, 0, 0, 0, 0]);
        self.body.extend([0; 4]);
        self.body.extend(b"\x03cursor\0");
        self.body.extend([0; 4]);
        self.body.extend(b"\x04firstBatch\0");
        self.batch = self.body.len();
        self.body.extend([0; 4]);
    }

    fn add(&mut self, document: &[u8]) {
        self.body.push(0x03);
        self.body.extend(self.documents.to_string().as_bytes());
        self.body.push(0);
        self.body.extend(document);
        self.documents += 1;
    }

    fn end(&mut self) {
        self.body.push(0);
        self.set_len(self.batch);
        self.body.extend(b"\x12id\0");
        self.body.extend(0u64.to_le_bytes());
        self.body.extend(b"\x02ns\0");
        self.body.extend(u32::try_from(self.namespace.len() + 1).unwrap_or(u32::MAX).to_le_bytes());
        self.body.extend(self.namespace.as_bytes());
        self.body.extend([0, 0]);
        self.set_len(CURSOR);
        self.body.extend(b"\x01ok\0");
        self.body.extend(1f64.to_le_bytes());
        self.body.push(0);
        self.set_len(BODY);
    }

    /// Fills in the length of the document that starts at `start` and ends here.
    fn set_len(&mut self, start: usize) {
        let len = u32::try_from(self.body.len() - start).unwrap_or(u32::MAX).to_le_bytes();
        if let Some(place) = self.body.get_mut(start..start + len.len()) {
            place.copy_from_slice(&len);
        }
    }
}

/// Where the section's document starts: behind the flags and the section's kind; and the cursor's, behind its name.
const BODY: usize = 5;
const CURSOR: usize = BODY + 4 + "\u{3}cursor\0".len();

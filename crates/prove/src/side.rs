//! One side of a proof: documents as they were, or as they are now.

use boson_bson::Document;
use boson_document::DecodeError;

use crate::keys::{CollectionIndex, IndexSpec};
use crate::network::{Network, NetworkSize};
use crate::wiredtiger::{Compressor, IndexSize, Table, TableSize};

/// What to look at.
#[derive(Clone, Debug)]
pub struct Options {
    /// `database.collection`, which every reply names.
    pub namespace: String,
    /// Block compressors to model.
    pub compressors: Vec<Compressor>,
    /// Indexes to model beside that on `_id`.
    pub indexes: Vec<IndexSpec>,
    /// Documents whose keys go into the models of indexes, which hold them in memory; those of further ones are estimated.
    pub indexed_max: u64,
}

/// Takes documents one after the other, and says what they make.
#[derive(Debug)]
pub struct Side {
    documents: u64,
    bytes: u64,
    table: Table,
    indexes: Vec<CollectionIndex>,
    indexed_max: u64,
    network: Network,
}

/// What the documents of one side make.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How many documents.
    pub documents: u64,
    /// Their bytes as BSON: measured.
    pub bytes: u64,
    /// Their table by compressor: estimated by the model.
    pub tables: Vec<TableSize>,
    /// Their indexes, that on `_id` first: estimated by the model.
    pub indexes: Vec<(IndexSpec, IndexEstimate)>,
    /// Replies of a query: measured.
    pub network: NetworkSize,
}

/// The size of an index, and on how many documents the model was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexEstimate {
    /// Bytes on disk for all documents.
    pub bytes: u64,
    /// Documents whose keys the model was given.
    pub modelled: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            namespace: "test.documents".to_owned(),
            compressors: Compressor::ALL.to_vec(),
            indexes: Vec::new(),
            indexed_max: 2_000_000,
        }
    }
}

impl Side {
    /// No documents yet.
    pub fn new(options: &Options) -> Self {
        let others = options.indexes.iter().filter(|index| index.fields != ["_id"]).cloned();
        Self {
            documents: 0,
            bytes: 0,
            table: Table::new(&options.compressors),
            indexes: std::iter::once(IndexSpec::of_ids()).chain(others).map(CollectionIndex::new).collect(),
            indexed_max: options.indexed_max,
            network: Network::new(&options.namespace),
        }
    }

    /// Adds a document.
    ///
    /// # Errors
    ///
    /// When a field of an index cannot be read.
    pub fn add(&mut self, document: &Document<'_>) -> Result<(), DecodeError> {
        self.documents += 1;
        self.bytes += document.bytes().len() as u64;
        self.table.insert(document.bytes());
        self.network.add(document.bytes());
        if self.documents <= self.indexed_max {
            self.indexes.iter_mut().try_for_each(|index| index.add(document, self.documents))?;
        }
        Ok(())
    }

    /// What they make.
    pub fn finish(self) -> Measured {
        let modelled = self.documents.min(self.indexed_max);
        let estimate =
            |size: IndexSize| IndexEstimate { bytes: scaled(size.bytes, self.documents, modelled), modelled };
        Measured {
            documents: self.documents,
            bytes: self.bytes,
            tables: self.table.finish(),
            indexes: self.indexes.into_iter().map(|index| (index.spec.clone(), estimate(index.finish()))).collect(),
            network: self.network.finish(),
        }
    }
}

/// What a size of `part` documents is for `all`.
fn scaled(bytes: u64, all: u64, part: u64) -> u64 {
    if part == 0 || part == all {
        return bytes;
    }
    u64::try_from(u128::from(bytes) * u128::from(all) / u128::from(part)).unwrap_or(u64::MAX)
}

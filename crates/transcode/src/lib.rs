//! Any format to any other, with a report of what could not be carried over.

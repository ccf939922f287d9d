//! The types of other languages, judged by their own tools.

//! Data sets made from a seed, and what is measured on them.

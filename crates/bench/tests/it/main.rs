//! The data sets are what they are said to be, and stay so.

mod datasets;
mod sizes;

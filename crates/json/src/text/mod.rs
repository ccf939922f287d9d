//! The text of dates, intervals and bytes, written and read.

mod bytes;
mod interval;
mod stack;
mod time;

pub(crate) use bytes::{base64_decode, base64_encode, hex_decode, hex_encode, uuid_decode};
pub(crate) use interval::{day_second, parse_day_second, parse_year_month, year_month};
pub(crate) use stack::StackText;
pub(crate) use time::{iso_date, iso_millis, iso_timestamp, iso_timestamp_tz, parse_iso};

//! Placeholder while this module is being written.
#![expect(missing_docs, reason = "placeholder")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal128([u8; 16]);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<'a>(&'a [u8]);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberBuf([u8; 21], u8);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal;
impl Number<'_> {
    pub fn to_buf(self) -> NumberBuf {
        NumberBuf([0; 21], 0)
    }
}
impl NumberBuf {
    pub fn as_number(&self) -> Number<'_> {
        Number(&self.0)
    }
}

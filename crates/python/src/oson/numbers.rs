//! Oracle's NUMBERs as `decimal.Decimal`.

use std::sync::Mutex;

use boson_document::{Decimal, Number};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// How many numbers are remembered; a power of two.
const SLOTS: usize = 512;
/// Longer ones are made anew each time: they hardly repeat.
const NUMBER_BYTES_MAX: usize = 8;

/// Numbers that were met before: a Decimal does not change, so one object may stand at many places.
pub(super) struct Numbers {
    slots: Vec<Option<(u64, Py<PyAny>)>>,
}

/// Those that no call is using.
static IDLE: Mutex<Vec<Numbers>> = Mutex::new(Vec::new());

impl Numbers {
    pub(super) fn borrow() -> Self {
        let idle = IDLE.lock().ok().and_then(|mut idle| idle.pop());
        idle.unwrap_or_else(|| Self { slots: std::iter::repeat_with(|| None).take(SLOTS).collect() })
    }

    pub(super) fn give_back(self) {
        if let Ok(mut idle) = IDLE.lock()
            && idle.len() < 4
        {
            idle.push(self);
        }
    }

    #[inline]
    pub(super) fn decimal<'py>(
        &mut self,
        py: Python<'py>,
        class: &Py<PyType>,
        number: Number<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(word) = word(number.as_bytes()) else { return make(py, class, number) };
        let Some(slot) = self.slots.get_mut(index(word)) else { return make(py, class, number) };
        if let Some((of, decimal)) = slot
            && *of == word
        {
            return Ok(decimal.bind(py).clone());
        }
        let decimal = make(py, class, number)?;
        *slot = Some((word, decimal.clone().unbind()));
        Ok(decimal)
    }
}

/// The bytes of a short number as one word. No NUMBER ends with a byte of 0 but the one that is nothing else, which is
/// left out.
#[inline]
fn word(bytes: &[u8]) -> Option<u64> {
    if bytes.len() > NUMBER_BYTES_MAX || bytes == [0] {
        return None;
    }
    Some(bytes.iter().fold(0, |word, &byte| (word << 8) | u64::from(byte)))
}

#[inline]
fn index(word: u64) -> usize {
    let hash = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    usize::try_from(hash >> (64 - SLOTS.trailing_zeros())).unwrap_or_default()
}

#[inline]
fn make<'py>(py: Python<'py>, class: &Py<PyType>, number: Number<'_>) -> PyResult<Bound<'py, PyAny>> {
    let class = class.bind(py);
    if let Some(whole) = number.to_i64() {
        return class.call1((whole,));
    }
    let decimal = number.to_decimal();
    if decimal.exponent() > 0 {
        return class.call1((plain(&decimal),));
    }
    class.call1((decimal.to_text().as_str(),))
}

/// An integer without an exponent, as the driver has it.
pub(super) fn plain(number: &Decimal) -> String {
    let text = number.to_text();
    let (digits, exponent) = text.as_str().split_once('E').unwrap_or((text.as_str(), "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent: usize = exponent.trim_start_matches('+').parse().unwrap_or_default();
    format!("{whole}{fraction}{}", "0".repeat(exponent.saturating_sub(fraction.len())))
}

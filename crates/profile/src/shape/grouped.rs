//! Numbers as people write them: with separators between groups of digits, with a decimal comma, with a currency.

use serde::{Deserialize, Serialize};

use super::{Shape, class, number};

/// Which signs stand between the digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grouping {
    /// `1234.56`: none, and a decimal point.
    Plain,
    /// `1,234.56`.
    CommaPoint,
    /// `1.234,56`.
    PointComma,
    /// `950 000` or `950 000,5`; the space may be one that does not break.
    Space,
    /// `1'234.50`.
    Apostrophe,
    /// `12,5`: none, and a decimal comma.
    Comma,
    /// `1,234`: a separator or a decimal comma.
    Unclear,
}

/// A number with separators or a decimal comma.
pub(super) fn number(text: &str) -> Option<Shape> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    grouped(digits).map(|(grouping, scale)| Shape::Grouped { grouping, scale })
}

/// A number without a sign in which there is at least one separator; and the digits behind its decimal sign.
fn grouped(text: &str) -> Option<(Grouping, u8)> {
    let ends = text.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with(|c: char| c.is_ascii_digit());
    let known = text.chars().all(|c| c.is_ascii_digit() || separator(c).is_some());
    if !ends || !known || text.len() > 40 {
        return None;
    }
    let (first, rest) = text.split_at_checked(text.find(|c: char| !c.is_ascii_digit())?)?;
    let whole_fits = first == "0" || !first.starts_with('0');
    let groups = Groups::read(rest)?;
    let (grouping, scale) = groups.meaning(first.len())?;
    whole_fits.then_some((grouping, u8::try_from(scale).ok()?))
}

/// The separators that may stand between digits, in one spelling each.
fn separator(c: char) -> Option<char> {
    match c {
        ',' | '.' => Some(c),
        ' ' | '\u{a0}' | '\u{202f}' => Some(' '),
        '\'' | '\u{2019}' => Some('\''),
        _ => None,
    }
}

/// What follows the first group of digits: `count` groups of three, each behind `between`, then perhaps a last group
/// behind another sign.
struct Groups {
    between: char,
    count: usize,
    /// The length of the last group that is behind `between`.
    len: usize,
    last: Option<(char, usize)>,
}

impl Groups {
    fn read(rest: &str) -> Option<Self> {
        let mut groups: Option<Self> = None;
        let mut rest = rest.chars().peekable();
        while let Some(sign) = rest.next() {
            let sign = separator(sign)?;
            let mut len = 0;
            while rest.next_if(char::is_ascii_digit).is_some() {
                len += 1;
            }
            groups = Some(match groups {
                None => Self { between: sign, count: 1, len, last: None },
                Some(groups) => groups.add(sign, len)?,
            });
        }
        groups
    }

    fn add(self, sign: char, len: usize) -> Option<Self> {
        if self.len != 3 || self.last.is_some() || len == 0 {
            return None;
        }
        Some(if sign == self.between {
            Self { count: self.count + 1, len, ..self }
        } else {
            Self { last: Some((sign, len)), ..self }
        })
    }

    /// What the signs mean behind a first group of `first_len` digits, and the digits behind the decimal sign.
    fn meaning(&self, first_len: usize) -> Option<(Grouping, usize)> {
        let grouped = self.len == 3 && first_len <= 3;
        match (self.between, self.last) {
            (',', Some(('.', scale))) if grouped => Some((Grouping::CommaPoint, scale)),
            ('.', Some((',', scale))) if grouped => Some((Grouping::PointComma, scale)),
            (' ', Some((',' | '.', scale))) if grouped => Some((Grouping::Space, scale)),
            ('\'', Some(('.', scale))) if grouped => Some((Grouping::Apostrophe, scale)),
            (',', None) if grouped && self.count > 1 => Some((Grouping::CommaPoint, 0)),
            (' ', None) if grouped => Some((Grouping::Space, 0)),
            ('\'', None) if grouped => Some((Grouping::Apostrophe, 0)),
            (',', None) if grouped => Some((Grouping::Unclear, 3)),
            (',', None) if self.count == 1 && self.len > 0 => Some((Grouping::Comma, self.len)),
            _ => None,
        }
    }
}

const CURRENCIES: [&str; 34] = [
    "US$", "CA$", "A$", "R$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₴", "₪", "₫", "฿", "USD", "EUR", "GBP", "CHF",
    "JPY", "CNY", "INR", "AUD", "CAD", "SEK", "NOK", "DKK", "PLN", "CZK", "BRL", "MXN", "kr", "zł",
];

/// A number with a currency before or behind it.
pub(super) fn money(text: &str, mask: u16) -> Option<Shape> {
    if mask & (class::OTHER | class::UPPER | class::LOWER | class::HEX_UPPER) == 0 {
        return None;
    }
    let (before, digits, behind) = affixes(text)?;
    if before.is_empty() && behind.is_empty() {
        return None;
    }
    let (grouping, scale) = match number::plain(digits) {
        Some((Shape::Integer(_), _)) => (Grouping::Plain, 0),
        Some((Shape::Decimal(decimal), _)) => (Grouping::Plain, decimal.scale),
        Some(_) => return None,
        None => grouped(digits.strip_prefix('-').unwrap_or(digits))?,
    };
    let whole = digits.bytes().skip_while(|byte| *byte == b'-').take_while(u8::is_ascii_digit).count();
    Some(Shape::Money { grouping, scale, ungrouped: whole > 3 })
}

/// The currency before, the number and the currency behind, each without the space between.
fn affixes(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text.rfind(|c: char| c.is_ascii_digit())?;
    let before = text.get(..start)?;
    let digits_start = if before.ends_with('-') { start.saturating_sub(1) } else { start };
    let before = before.trim_end_matches('-').trim_start_matches('-').trim_end();
    let behind = text.get(end + 1..)?.trim_start();
    let known = |affix: &str| affix.is_empty() || CURRENCIES.contains(&affix);
    (known(before) && known(behind)).then(|| (before, text.get(digits_start..=end).unwrap_or_default(), behind))
}

/// What stands before and behind the number of an amount of money, with a blank where the number is.
pub(crate) fn affix(text: &str) -> String {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
    let end = text.rfind(|c: char| c.is_ascii_digit()).map_or(text.len(), |end| end + 1);
    let before = text.get(..start).unwrap_or_default().replace('-', "");
    format!("{before}_{}", text.get(end..).unwrap_or_default())
}

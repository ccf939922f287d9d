//! Addresses of servers, which hold passwords that nobody is to see.

use std::fmt;

/// The address of a server's deployment, `mongodb://…` or `mongodb+srv://…`. It is shown without its secrets: neither
/// `Display` nor `Debug` has them.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    uri: String,
}

const SCHEMES: [&str; 2] = ["mongodb://", "mongodb+srv://"];

/// Options whose values are secrets or hold some, from the specification of connection strings, in lower case.
const SECRET_OPTIONS: [&str; 4] =
    ["authmechanismproperties", "proxypassword", "sslclientcertificatekeypassword", "tlscertificatekeyfilepassword"];

/// What stands for a secret.
const MASK: &str = "***";

/// A piece of an address.
#[derive(Clone, Copy)]
enum Part<'a> {
    Open(&'a str),
    Secret(&'a str),
}

impl Address {
    /// The address that `text` is; `None` where it begins otherwise.
    pub fn of(text: &str) -> Option<Self> {
        SCHEMES.iter().any(|scheme| begins_with(text, scheme)).then(|| Self { uri: text.to_owned() })
    }

    /// The address with its secrets: for the driver alone.
    pub fn with_secrets(&self) -> &str {
        &self.uri
    }

    /// `text`, such as a driver's message, without the secrets of this address, neither as they stand in it nor decoded.
    pub fn scrub(&self, text: &str) -> String {
        let mut scrubbed = text.replace(&self.uri, &self.to_string());
        for part in self.parts() {
            let Part::Secret(secret) = part else { continue };
            for form in [secret.to_owned(), decoded(secret)] {
                if !form.is_empty() && form != MASK {
                    scrubbed = scrubbed.replace(&form, MASK);
                }
            }
        }
        scrubbed
    }

    /// The whole address, piece by piece.
    fn parts(&self) -> Vec<Part<'_>> {
        let start = self.uri.find("://").map_or(0, |at| at.saturating_add(3));
        let (scheme, rest) = self.uri.split_at_checked(start).unwrap_or_default();
        let mut parts = vec![Part::Open(scheme)];
        // A password that was not escaped may hold any of `/?@`: all up to the last `@` belongs to it.
        let hosts = match rest.rsplit_once('@') {
            Some((user, hosts)) => {
                let (name, password) = user.split_once(':').unwrap_or((user, ""));
                parts.push(Part::Open(name));
                if !password.is_empty() {
                    parts.extend([Part::Open(":"), Part::Secret(password)]);
                }
                parts.push(Part::Open("@"));
                hosts
            }
            None => rest,
        };
        options(hosts, &mut parts);
        parts
    }
}

/// Hosts, database and options.
fn options<'a>(hosts: &'a str, parts: &mut Vec<Part<'a>>) {
    let Some((hosts, options)) = hosts.split_once('?') else {
        parts.push(Part::Open(hosts));
        return;
    };
    parts.extend([Part::Open(hosts), Part::Open("?")]);
    for option in options.split_inclusive(['&', ';']) {
        let end = option.strip_suffix(['&', ';']).unwrap_or(option);
        let separator = option.strip_prefix(end).unwrap_or_default();
        match end.split_once('=') {
            Some((name, value)) if SECRET_OPTIONS.contains(&name.to_ascii_lowercase().as_str()) => {
                parts.extend([Part::Open(name), Part::Open("="), Part::Secret(value)]);
            }
            _ => parts.push(Part::Open(end)),
        }
        parts.push(Part::Open(separator));
    }
}

fn begins_with(text: &str, scheme: &str) -> bool {
    text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

/// The text with `%41` as `A`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let digits = behind.split_first_chunk::<2>().filter(|_| byte == b'%');
        let value = digits.and_then(|(digits, _)| hex::decode(digits).ok()).and_then(|value| value.first().copied());
        let (value, behind) = match (value, digits) {
            (Some(value), Some((_, behind))) => (value, behind),
            _ => (byte, behind),
        };
        bytes.push(value);
        rest = behind;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl fmt::Display for Address {
    /// The address, each secret as `***`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().into_iter().try_for_each(|part| match part {
            Part::Open(text) => text.chars().try_for_each(|c| {
                if c.is_control() { write!(f, "{}", c.escape_default()) } else { fmt::Write::write_char(f, c) }
            }),
            Part::Secret(_) => f.write_str(MASK),
        })
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Address {
        Address::of(text).unwrap()
    }

    #[test]
    fn passwords_are_not_shown() {
        for (uri, shown) in [
            ("mongodb://localhost", "mongodb://localhost"),
            ("mongodb://ada@h/db", "mongodb://ada@h/db"),
            ("mongodb://ada:s3cret@h:27017,i:27018/db?w=1", "mongodb://ada:***@h:27017,i:27018/db?w=1"),
            ("MONGODB+SRV://ada:s3cret@cluster.example.net", "MONGODB+SRV://ada:***@cluster.example.net"),
            // Passwords that should have been escaped.
            ("mongodb://ada:s3/cr?e@t@h/db", "mongodb://ada:***@h/db"),
            ("mongodb://ada:s3:cr:et@h", "mongodb://ada:***@h"),
            (
                "mongodb://h/?tls=true&TLSCertificateKeyFilePassword=s3cret&w=1",
                "mongodb://h/?tls=true&TLSCertificateKeyFilePassword=***&w=1",
            ),
            (
                "mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:s3cret",
                "mongodb://h/?authMechanismProperties=***",
            ),
        ] {
            let address = of(uri);
            assert_eq!(address.to_string(), shown);
            assert_eq!(format!("{address:?}"), format!("Address({shown})"));
            assert_eq!(address.with_secrets(), uri);
        }
    }

    #[test]
    fn messages_are_scrubbed_of_passwords_in_either_form() {
        let address = of("mongodb://ada:p%40ss%2Fword@h/?proxyPassword=hush");
        let message = format!("cannot use {}: p%40ss%2Fword, p@ss/word and hush", address.with_secrets());
        assert_eq!(address.scrub(&message), "cannot use mongodb://ada:***@h/?proxyPassword=***: ***, *** and ***");
    }

    #[test]
    fn other_texts_are_no_addresses() {
        for text in ["", "dump.bson", "mongodb:", "https://h", "mongodbé://h"] {
            assert_eq!(Address::of(text), None, "{text}");
        }
    }
}

//! How things are printed: colours, numbers, tables.

use std::io::{self, BufWriter, Stdout, Write};

use anstyle::{AnsiColor, Style};
pub(crate) use boson_report::{counted, grouped};

/// For what went wrong.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// For what deserves a look.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// For what is as it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// For paths and names.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();

/// Standard output that strips colours where they are not wanted, held back until it is flushed.
pub(crate) fn stdout() -> BufWriter<anstream::AutoStream<Stdout>> {
    BufWriter::new(anstream::AutoStream::auto(io::stdout()))
}

/// Prints a line on standard error. If nobody takes it there is nobody to tell.
macro_rules! tell {
    ($($argument:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(anstream::stderr(), $($argument)*);
    }};
}
pub(crate) use tell;

/// Prints `value` as JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = stdout();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

//! `boson bench matrix`.

use boson_bench::Matrix;
use boson_bench::benchmarks::matrix::{self, Options};
use boson_oson::write::Style;
use clap::{Args, ValueEnum};

use super::{MeasureArgs, PeersArgs};
use crate::exit::Exit;

/// The arguments of `boson bench matrix`.
#[derive(Debug, Args)]
#[command(after_help = "\
A round is 100 operations unless --iterations says another number; the largest cells take 100 MB and minutes.

Examples:
  boson bench matrix
  boson bench matrix --cells 10x1000,1000x1000 --iterations 10 --oson-style both")]
pub(super) struct MatrixArgs {
    /// The documents to measure, such as `100x1000` for fields and length [default: the nine of the published table]
    #[arg(long, value_name = "CELL", value_delimiter = ',')]
    cells: Vec<Matrix>,

    /// How OSON images are laid out
    #[arg(long, value_enum, default_value_t, value_name = "STYLE")]
    oson_style: Styles,

    #[command(flatten)]
    peers: PeersArgs,

    #[command(flatten)]
    measure: MeasureArgs,
}

/// How OSON images are laid out.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Styles {
    /// Byte for byte what python-oracledb writes
    #[default]
    Driver,
    /// Small, and fast to search
    Compact,
    /// A row for each of the two
    Both,
}

impl Styles {
    fn list(self) -> Vec<Style> {
        match self {
            Self::Driver => vec![Style::Driver],
            Self::Compact => vec![Style::Compact],
            Self::Both => vec![Style::Driver, Style::Compact],
        }
    }
}

pub(super) fn run(args: &MatrixArgs) -> anyhow::Result<Exit> {
    let cells = if args.cells.is_empty() { Matrix::TABLE.to_vec() } else { args.cells.clone() };
    let options = Options { cells, styles: args.oson_style.list() };
    let mut peers = args.peers.start()?;
    args.measure.report(|plan, watch| matrix::run(&options, plan, peers.as_mut(), watch))?;
    Ok(Exit::Done)
}

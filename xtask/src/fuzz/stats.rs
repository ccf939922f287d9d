//! What libFuzzer says of a run.

use std::fmt;

/// The figures at the end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stats {
    /// How many inputs were run.
    pub(super) executions: u64,
    /// Edges of the program that were reached.
    pub(super) edges: u64,
    /// Edges told apart by how often they were reached.
    pub(super) features: u64,
    /// Inputs that each reach a feature which no other reaches.
    pub(super) corpus: u64,
}

impl Stats {
    /// Takes the figures out of `line`; false when it is not one of those that libFuzzer prints as it goes.
    pub(super) fn add(&mut self, line: &str) -> bool {
        if let Some(number) = line.strip_prefix("stat::number_of_executed_units:") {
            self.executions = number.trim().parse().unwrap_or_default();
        }
        let is_progress = line.starts_with('#') && line.contains(" cov: ");
        if is_progress {
            self.edges = figure(line, "cov:").unwrap_or(self.edges);
            self.features = figure(line, "ft:").unwrap_or(self.features);
            self.corpus = figure(line, "corp:").unwrap_or(self.corpus);
        }
        is_progress || line.starts_with("stat::") || line.starts_with("\tNEW_FUNC")
    }
}

/// The number after the word `name`: of `corp: 12/345b` it is 12.
fn figure(line: &str, name: &str) -> Option<u64> {
    let word = line.split_whitespace().skip_while(|word| *word != name).nth(1)?;
    word.split('/').next()?.parse().ok()
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { executions, edges, features, corpus } = self;
        write!(f, "{executions} executions, {edges} edges, {features} features, a corpus of {corpus} inputs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_last_line() {
        let mut stats = Stats::default();
        assert!(stats.add("#2\tINITED cov: 12 ft: 13 corp: 1/1b exec/s: 0 rss: 40Mb"));
        assert!(stats.add("#9\tDONE   cov: 20 ft: 33 corp: 5/123b lim: 4 exec/s: 9 rss: 41Mb"));
        assert!(stats.add("stat::number_of_executed_units: 4711"));
        assert!(!stats.add("Done 4711 runs in 3 second(s)"));
        assert_eq!(stats, Stats { executions: 4711, edges: 20, features: 33, corpus: 5 });
    }
}

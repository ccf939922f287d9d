//! What every binary JSON format shares: scalars, paths, errors, limits, sinks and sources.

//! Documents that could not be read.

/// How many documents could not be read at all, and what was wrong with the first that had any fault.
#[derive(Default)]
pub(super) struct Faults {
    /// Documents that are not in the profile.
    pub(super) unread: u64,
    /// Which file and which document of it, and what to say of it.
    first: Option<(Place, String)>,
}

/// The number of a file, and of a document in it.
pub(super) type Place = (usize, u64);

impl Faults {
    /// Keeps what `describe` says when `place` comes before all others.
    pub(super) fn offer(&mut self, place: Place, describe: impl FnOnce() -> String) {
        if self.first.as_ref().is_none_or(|(first, _)| place < *first) {
            self.first = Some((place, describe()));
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.unread += other.unread;
        if let Some((place, text)) = other.first {
            self.offer(place, || text);
        }
    }

    /// What was said of the first.
    pub(super) fn into_first(self) -> Option<String> {
        self.first.map(|(_, text)| text)
    }
}

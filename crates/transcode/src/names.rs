//! Names that occur more than once in an object.

/// The names of the objects that are open. Looking for repeated ones waits for an object's end and sorts, so that no
/// choice of names makes it slow.
#[derive(Debug, Default)]
pub(crate) struct Names {
    text: String,
    /// Where each name begins in `text`; it ends where the next one begins.
    starts: Vec<usize>,
    /// Where the names of each open object begin in `starts`.
    open: Vec<usize>,
    /// The names of one object being sorted.
    order: Vec<Entry>,
}

/// A name with a number that differs for most different names, so that sorting seldom looks at the text.
#[derive(Clone, Copy, Debug)]
struct Entry {
    digest: u64,
    place: usize,
}

/// The places of two members of one object that have the same name, and none of that name between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twins {
    pub(crate) earlier: usize,
    pub(crate) later: usize,
}

impl Names {
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.starts.clear();
        self.open.clear();
    }

    #[inline]
    pub(crate) fn enter(&mut self) {
        self.open.push(self.starts.len());
    }

    #[inline]
    pub(crate) fn key(&mut self, name: &str) {
        self.starts.push(self.text.len());
        self.text.push_str(name);
    }

    /// How many names of open objects there are, those of closed members not counted: the place that the next one gets.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The object that was entered last ends: hands each name that occurs again to `repeated`, once for each time beyond
    /// the first, with the places of that occurrence and of the one before it.
    pub(crate) fn leave<E>(&mut self, mut repeated: impl FnMut(&str, Twins) -> Result<(), E>) -> Result<(), E> {
        let first = self.open.pop().unwrap_or(0);
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend((first..self.starts.len()).map(|place| Entry { digest: digest(self.name(place)), place }));
        order.sort_unstable_by(|a, b| {
            let by_name = || self.name(a.place).cmp(self.name(b.place)).then(a.place.cmp(&b.place));
            a.digest.cmp(&b.digest).then_with(by_name)
        });
        let twins = order.iter().zip(order.iter().skip(1));
        let mut repeats = twins.filter(|(a, b)| a.digest == b.digest && self.name(a.place) == self.name(b.place));
        let result =
            repeats.try_for_each(|(a, b)| repeated(self.name(a.place), Twins { earlier: a.place, later: b.place }));
        self.order = order;
        self.text.truncate(self.starts.get(first).copied().unwrap_or(self.text.len()));
        self.starts.truncate(first);
        result
    }

    fn name(&self, place: usize) -> &str {
        let start = self.starts.get(place).copied().unwrap_or_default();
        let end = self.starts.get(place.saturating_add(1)).copied().unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or_default()
    }
}

/// The first seven bytes and the length: cheap, and enough to tell most names apart. Names made to be alike only cost a
/// comparison of their texts.
fn digest(name: &str) -> u64 {
    let mut bytes = [0; 8];
    let [length, head @ ..] = &mut bytes;
    head.iter_mut().zip(name.bytes()).for_each(|(slot, byte)| *slot = byte);
    [*length, ..] = name.len().to_le_bytes();
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leave(names: &mut Names) -> Vec<String> {
        let mut repeated = Vec::new();
        names
            .leave(|name, _| {
                repeated.push(name.to_owned());
                Ok::<_, ()>(())
            })
            .unwrap();
        repeated
    }

    fn keys(names: &mut Names, keys: [&str; 4]) {
        for key in keys {
            names.key(key);
        }
    }

    #[test]
    fn tells_the_repeated_names_of_each_object() {
        let mut names = Names::default();
        names.enter();
        keys(&mut names, ["a", "abcdefghi", "b", "a"]);
        names.enter();
        keys(&mut names, ["a", "b", "abcdefgh1", "abcdefgh2"]);
        assert_eq!(leave(&mut names), [""; 0]);
        keys(&mut names, ["", "abcdefghi", "a", ""]);
        assert_eq!(leave(&mut names), ["", "a", "a", "abcdefghi"]);
        assert!(names.text.is_empty() && names.starts.is_empty());
    }
}

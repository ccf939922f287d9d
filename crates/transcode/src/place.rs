//! Where a walk stands: the open containers and the name of the member that each is in.

use std::fmt::Write;

use boson_document::{FieldName, PathBuf};

/// The way from the root to the value that a walk is at, kept as the walk goes: one copy of a name per member and one
/// addition per element. A path is built only when someone is to read it.
#[derive(Debug, Default)]
pub(crate) struct Place {
    /// The names of the members that are open, one after the other.
    names: String,
    open: Vec<Open>,
}

/// A container whose end has not come yet.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Where the names of this container's members begin in `names`.
    names_start: usize,
    member: Member,
}

/// What the walk is at in a container.
#[derive(Clone, Copy, Debug)]
enum Member {
    /// No name has come yet.
    Unnamed,
    /// The member whose name is the rest of `names` up to where the next container's begin.
    Named,
    /// The element before this one, counted from 0.
    Before(usize),
}

impl Place {
    /// Back to the root, for the next document.
    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.open.clear();
    }

    /// The member called `name` comes next.
    #[inline]
    pub(crate) fn key(&mut self, name: &str) {
        if let Some(open) = self.open.last_mut() {
            open.member = Member::Named;
            self.names.truncate(open.names_start);
            self.names.push_str(name);
        }
    }

    /// What comes next is of the open object itself, not of one of its members.
    pub(crate) fn no_member(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.member = Member::Unnamed;
            self.names.truncate(open.names_start);
        }
    }

    /// A value begins, a leaf or a container.
    #[inline]
    pub(crate) fn value(&mut self) {
        if let Some(Open { member: Member::Before(next), .. }) = self.open.last_mut() {
            *next = next.saturating_add(1);
        }
    }

    /// The object that just began has members.
    #[inline]
    pub(crate) fn enter_object(&mut self) {
        self.open.push(Open { names_start: self.names.len(), member: Member::Unnamed });
    }

    /// The array that just began has elements.
    #[inline]
    pub(crate) fn enter_array(&mut self) {
        self.open.push(Open { names_start: self.names.len(), member: Member::Before(0) });
    }

    /// The container that was begun last ends.
    #[inline]
    pub(crate) fn leave(&mut self) {
        if let Some(open) = self.open.pop() {
            self.names.truncate(open.names_start);
        }
    }

    /// The path of the value that began last, or of the container that ended last.
    #[cold]
    pub(crate) fn path(&self) -> PathBuf {
        let mut path = PathBuf::new();
        self.for_each(self.open.len(), |member| match member {
            Step::Field(name) => path.push_field(name),
            Step::Index(index) => path.push_index(index),
        });
        path
    }

    /// Writes the same path to `pattern`, with `[*]` for every place in an array.
    pub(crate) fn pattern(&self, pattern: &mut String) {
        self.pattern_of(self.open.len(), pattern);
    }

    /// The same of the innermost open container, whatever member of it the walk is at.
    pub(crate) fn container_pattern(&self, pattern: &mut String) {
        self.pattern_of(self.open.len().saturating_sub(1), pattern);
    }

    fn pattern_of(&self, depth: usize, pattern: &mut String) {
        pattern.clear();
        pattern.push('$');
        self.for_each(depth, |member| match member {
            // Writing to a string cannot fail.
            Step::Field(name) => write!(pattern, "{}", FieldName(name)).unwrap_or_default(),
            Step::Index(_) => pattern.push_str("[*]"),
        });
    }

    /// Visits the steps into the first `depth` open containers.
    fn for_each(&self, depth: usize, mut visit: impl FnMut(Step<'_>)) {
        let ends = self.open.iter().skip(1).map(|inner| inner.names_start).chain([self.names.len()]);
        for (open, names_end) in self.open.iter().zip(ends).take(depth) {
            match open.member {
                Member::Named => visit(Step::Field(self.names.get(open.names_start..names_end).unwrap_or_default())),
                Member::Before(next) if next > 0 => visit(Step::Index(next.saturating_sub(1))),
                Member::Unnamed | Member::Before(_) => {}
            }
        }
    }
}

enum Step<'a> {
    Field(&'a str),
    Index(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(place: &Place) -> [String; 2] {
        let mut pattern = String::new();
        place.pattern(&mut pattern);
        [place.path().to_string(), pattern]
    }

    #[test]
    fn follows_a_walk() {
        let mut place = Place::default();
        assert_eq!(both(&place), ["$", "$"]);
        place.value();
        place.enter_object();
        assert_eq!(both(&place), ["$", "$"]);
        place.key("first");
        place.value();
        place.key("a.b");
        place.value();
        place.enter_array();
        assert_eq!(both(&place), ["$[\"a.b\"]", "$[\"a.b\"]"]);
        place.value();
        place.value();
        assert_eq!(both(&place), ["$[\"a.b\"][1]", "$[\"a.b\"][*]"]);
        place.enter_object();
        place.key("c");
        place.value();
        assert_eq!(both(&place), ["$[\"a.b\"][1].c", "$[\"a.b\"][*].c"]);
        place.leave();
        assert_eq!(both(&place), ["$[\"a.b\"][1]", "$[\"a.b\"][*]"]);
        place.leave();
        assert_eq!(both(&place), ["$[\"a.b\"]", "$[\"a.b\"]"]);
        place.key("");
        assert_eq!(both(&place), ["$[\"\"]", "$[\"\"]"]);
        place.leave();
        assert_eq!(both(&place), ["$", "$"]);
    }
}

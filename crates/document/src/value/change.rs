//! The changes of [`edit`](crate::edit), made in a tree.

use super::Value;
use crate::edit::{Change, PathError, PathFault};
use crate::kind::Kind;
use crate::path::{PathBuf, Segment};

impl Value {
    /// Makes `change` at `path` in this tree. Where a name occurs twice, the first member of it is meant.
    ///
    /// # Errors
    ///
    /// When the path leads to no place for the change; the tree is then as it was.
    pub fn change(&mut self, path: &PathBuf, change: &Change<'_>) -> Result<(), PathError> {
        let fail = |step, fault| PathError::new(path, step, fault);
        let steps = path.segments();
        let (inner, last) = match (change, steps.split_last()) {
            (Change::Push(_), _) => (steps, None),
            (Change::Set(new), None) => {
                *self = new.to_value();
                return Ok(());
            }
            (_, None) => return Err(fail(0, PathFault::Root)),
            (_, Some((last, inner))) => (inner, Some(last)),
        };
        let mut value = self;
        for (step, segment) in inner.iter().enumerate() {
            value = value.child_mut(segment).map_err(|fault| fail(step, fault))?;
        }
        value.change_child(last, change).map_err(|fault| fail(inner.len(), fault))
    }

    fn child_mut(&mut self, segment: &Segment) -> Result<&mut Self, PathFault> {
        match segment {
            Segment::Field(name) => {
                let mut members = self.members_mut()?.iter_mut();
                members.find(|(key, _)| key == name).map(|(_, value)| value).ok_or(PathFault::NoSuchField)
            }
            Segment::Index(index) => {
                let elements = self.elements_mut()?;
                let len = elements.len();
                elements.get_mut(*index).ok_or(PathFault::NoSuchElement { len })
            }
        }
    }

    /// Makes the change at the child `segment`, or in this itself.
    fn change_child(&mut self, segment: Option<&Segment>, change: &Change<'_>) -> Result<(), PathFault> {
        match (change, segment) {
            (Change::Push(new), _) => self.elements_mut()?.push(new.to_value()),
            (Change::Insert(new), Some(Segment::Index(index))) => {
                let elements = self.elements_mut()?;
                if *index > elements.len() {
                    return Err(PathFault::NoSuchElement { len: elements.len() });
                }
                elements.insert(*index, new.to_value());
            }
            (Change::Insert(_), _) => return Err(PathFault::NotElement),
            (Change::Set(new), Some(segment)) => match (self.child_mut(segment), segment) {
                (Ok(child), _) => *child = new.to_value(),
                (Err(PathFault::NoSuchField), Segment::Field(name)) => {
                    self.members_mut()?.push((name.clone(), new.to_value()));
                }
                (Err(fault), _) => return Err(fault),
            },
            (Change::Remove, Some(segment)) => self.remove_child(segment)?,
            (_, None) => return Err(PathFault::Root),
        }
        Ok(())
    }

    fn remove_child(&mut self, segment: &Segment) -> Result<(), PathFault> {
        match segment {
            Segment::Field(name) => {
                let members = self.members_mut()?;
                let place = members.iter().position(|(key, _)| key == name).ok_or(PathFault::NoSuchField)?;
                members.remove(place);
            }
            Segment::Index(index) => {
                let elements = self.elements_mut()?;
                if *index >= elements.len() {
                    return Err(PathFault::NoSuchElement { len: elements.len() });
                }
                elements.remove(*index);
            }
        }
        Ok(())
    }

    fn members_mut(&mut self) -> Result<&mut Vec<(String, Self)>, PathFault> {
        match self {
            Self::Object(members) | Self::CodeWithScope { scope: members, .. } => Ok(members),
            other => Err(PathFault::NotContainer { expected: Kind::Object, found: other.kind() }),
        }
    }

    fn elements_mut(&mut self) -> Result<&mut Vec<Self>, PathFault> {
        match self {
            Self::Array(elements) => Ok(elements),
            other => Err(PathFault::NotContainer { expected: Kind::Array, found: other.kind() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::New;

    fn array(numbers: &[i32]) -> Value {
        Value::Array(numbers.iter().map(|number| Value::Int32(*number)).collect())
    }

    fn object(members: &[(&str, Value)]) -> Value {
        Value::Object(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }

    fn changed(path: &str, change: Change<'_>) -> Result<Value, String> {
        let mut value = object(&[("a", array(&[1, 2])), ("b", Value::Null)]);
        value.change(&path.parse().unwrap(), &change).map_err(|error| error.to_string())?;
        Ok(value)
    }

    #[test]
    fn every_change_is_made() {
        let seven = || New::from(7);
        let with_a = |a: Value| Ok(object(&[("a", a), ("b", Value::Null)]));
        assert_eq!(changed("a[1]", Change::Set(seven())), with_a(array(&[1, 7])));
        assert_eq!(changed("a[1]", Change::Insert(seven())), with_a(array(&[1, 7, 2])));
        assert_eq!(changed("a[2]", Change::Insert(seven())), with_a(array(&[1, 2, 7])));
        assert_eq!(changed("a", Change::Push(seven())), with_a(array(&[1, 2, 7])));
        assert_eq!(changed("a[0]", Change::Remove), with_a(array(&[2])));
        assert_eq!(changed("a", Change::Remove), Ok(object(&[("b", Value::Null)])));
        let added = object(&[("a", array(&[1, 2])), ("b", Value::Null), ("c", Value::Int32(7))]);
        assert_eq!(changed("c", Change::Set(seven())), Ok(added));
        assert_eq!(changed("$", Change::Set(seven())), Ok(Value::Int32(7)));
    }

    #[test]
    fn what_cannot_be_changed_is_named() {
        let set = Change::Set(New::from(true));
        let len_2 = "there is no such element, the array has 2; to add one, push or insert it";
        for (path, change, message) in [
            ("x.y", set, "$.x: there is no such field"),
            ("a[2]", set, &format!("$.a[2]: {len_2}")),
            ("a[3]", Change::Insert(New::from(1)), &format!("$.a[3]: {len_2}")),
            ("b.c", set, "$.b.c: expected object, found null"),
            ("b", Change::Push(New::from(1)), "$.b: expected array, found null"),
            ("x", Change::Remove, "$.x: there is no such field"),
            ("$", Change::Remove, "$: the root cannot be removed"),
        ] {
            assert_eq!(changed(path, change), Err(message.to_owned()), "{path}");
        }
        assert!(changed("b", Change::Insert(New::from(1))).unwrap_err().starts_with("$.b: the path to insert at"));
    }
}

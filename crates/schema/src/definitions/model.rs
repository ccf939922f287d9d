//! What all languages have in common: objects with names, and the shapes of their fields.

use boson_profile::{Path, Step};

use super::names::{Names, type_name};
use crate::kind::BsonType;
use crate::schema::{Node, ROOT, Schema};

/// The objects of the documents, the documents themselves first, each before those in it.
pub(super) struct Model {
    pub(super) objects: Vec<Object>,
}

/// An object with fields.
pub(super) struct Object {
    pub(super) name: String,
    /// Where it is.
    pub(super) path: Path,
    pub(super) fields: Vec<Field>,
}

/// A field of an object.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) shape: Shape,
    /// Whether some objects do not have it.
    pub(super) is_optional: bool,
}

/// What a value may be.
pub(super) struct Shape {
    /// What it may be if not null; anything, when there is none.
    pub(super) alternatives: Vec<Alternative>,
    pub(super) is_nullable: bool,
    /// The name for the union, where there are several.
    pub(super) name: String,
}

/// One of the things that a value may be.
pub(super) enum Alternative {
    Leaf(BsonType),
    /// One of [`Model::objects`], by its place.
    Object(usize),
    /// An object of which nothing is known.
    AnyObject,
    /// An object whose names are data.
    Map(Box<Shape>),
    List(Box<Shape>),
}

impl Model {
    pub(super) fn new(schema: &Schema, name: &str) -> Self {
        let mut builder = Builder { schema, names: Names::default(), objects: Vec::new() };
        let name = builder.names.claim(&type_name(&[name]));
        builder.object(schema.node(ROOT), &name, &Path::default());
        Self { objects: builder.objects }
    }

    /// The object at `place`.
    pub(super) fn name(&self, place: usize) -> &str {
        self.objects.get(place).map_or("", |object| &object.name)
    }

    /// Every shape, those within others among them.
    pub(super) fn shapes(&self) -> Vec<&Shape> {
        let mut open: Vec<&Shape> =
            self.objects.iter().flat_map(|object| &object.fields).map(|field| &field.shape).rev().collect();
        let mut shapes = Vec::new();
        while let Some(shape) = open.pop() {
            shapes.push(shape);
            open.extend(shape.alternatives.iter().rev().filter_map(|alternative| match alternative {
                Alternative::Map(inner) | Alternative::List(inner) => Some(&**inner),
                _ => None,
            }));
        }
        shapes
    }
}

impl Shape {
    /// The one thing that it may be, if not null.
    pub(super) fn only(&self) -> Option<&Alternative> {
        if let [only] = &*self.alternatives { Some(only) } else { None }
    }
}

struct Builder<'a> {
    schema: &'a Schema,
    names: Names,
    objects: Vec<Object>,
}

/// The calls go down as deep as schemas are, which is limited.
impl Builder<'_> {
    fn object(&mut self, node: &Node, name: &str, path: &Path) -> usize {
        let place = self.objects.len();
        self.objects.push(Object { name: name.to_owned(), path: path.clone(), fields: Vec::new() });
        let mut fields = Vec::new();
        for member in &node.members {
            let inner = self.schema.node(member.node);
            let shape = self.shape(inner, name, &member.name, &with(path, Step::Field(member.name.clone())));
            fields.push(Field { name: member.name.clone(), shape, is_optional: !member.is_required });
        }
        if let Some(object) = self.objects.get_mut(place) {
            object.fields = fields;
        }
        place
    }

    /// The shape of the values of `node`, which are called `own` in what is called `parent`.
    fn shape(&mut self, node: &Node, parent: &str, own: &str, path: &Path) -> Shape {
        let types = node.known_types();
        let is_nullable = node.is(BsonType::Null);
        let others: Vec<BsonType> = types.iter().copied().filter(|&own| own != BsonType::Null).collect();
        let is_union = others.len() > 1;
        let name = if is_union { self.names.claim(&type_name(&[parent, own, "OneOf"])) } else { String::new() };
        let alternatives = others.into_iter().map(|known| self.alternative(node, known, parent, own, path)).collect();
        Shape { alternatives, is_nullable, name }
    }

    fn alternative(&mut self, node: &Node, known: BsonType, parent: &str, own: &str, path: &Path) -> Alternative {
        match known {
            BsonType::Array => {
                let item = match node.elements {
                    Some(elements) => {
                        let item = self.schema.node(elements);
                        self.shape(item, parent, own, &with(path, Step::Elements))
                    }
                    None => Shape { alternatives: Vec::new(), is_nullable: false, name: String::new() },
                };
                Alternative::List(Box::new(item))
            }
            BsonType::Object => self.of_object(node, parent, own, path),
            leaf => Alternative::Leaf(leaf),
        }
    }

    fn of_object(&mut self, node: &Node, parent: &str, own: &str, path: &Path) -> Alternative {
        if let Some(others) = node.others {
            let value = self.schema.node(others);
            return Alternative::Map(Box::new(self.shape(value, parent, own, &with(path, Step::Any))));
        }
        if node.members.is_empty() {
            return Alternative::AnyObject;
        }
        let name = self.names.claim(&type_name(&[parent, own]));
        Alternative::Object(self.object(node, &name, path))
    }
}

fn with(path: &Path, step: Step) -> Path {
    path.steps().iter().cloned().chain([step]).collect()
}

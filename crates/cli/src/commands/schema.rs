//! `boson schema`: what keeps new documents right.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use boson_migrate::{Plan, Rules};
use boson_report::Outcome;
use boson_schema::{Action, Language, Level, Schema, Strictness, Target, coll_mod, definitions, mongosh, validator};
use boson_store::{CollectionKind, Location};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

use super::analyze::{Planned, Request, read, threads};
use crate::args::{DialectArgs, FormArgs};
use crate::exit::{Exit, UsageError};
use crate::output::{WARNING, tell};
use crate::text_file;

/// The arguments of `boson schema`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every document is looked at, and every document passes the validator that comes of it: each path may have the types that it has,
what every object has is required, names that are data may be others. With --plan the documents are looked at as `boson migrate`
would write them, without writing them. A path that only ever held null, or no elements, is left open. A validator takes the
place of one that the collection has; it is put in force with the action warn first, error when nothing is logged any more.

Examples:
  boson schema typed.bson
  boson schema dump --plan plan.toml --as mongosh --collection shop.orders > orders.js
  boson schema dump --plan plan.toml --as collmod
  boson schema typed.bson --as rust --name Reading -o src/reading.rs")]
pub(crate) struct SchemaArgs {
    /// Files to read, `-` for standard input; folders and archives of mongodump, saved profiles, too
    #[arg(value_name = "SRC", default_value = "-")]
    files: Vec<Location>,

    /// Look at the documents as this plan makes them
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,

    /// What to make
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM")]
    form: Form,

    /// The collection: one of a dump, or what the documents of a file are called
    #[arg(long, value_name = "DATABASE.COLLECTION")]
    collection: Option<String>,

    /// What a document is called in a program [default: as the collection]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Which writes are checked
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL")]
    level: LevelChoice,

    /// What becomes of a write that does not pass
    #[arg(long, value_enum, default_value_t, value_name = "ACTION")]
    action: ActionChoice,

    /// Let a number be of any numeric type: drivers for JavaScript and the shell write 20.0 as an int
    #[arg(long)]
    any_number: bool,

    /// Allow only the names that there are
    #[arg(long)]
    closed: bool,

    /// How many threads work [default: as many as there are cores]
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,

    /// The file to write, `-` for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: Location,

    /// Replace a file that is there already
    #[arg(long)]
    overwrite: bool,

    #[command(flatten)]
    read: FormArgs,

    #[command(flatten)]
    dialect: DialectArgs,
}

/// What is made of a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Form {
    /// `{"$jsonSchema": …}`; of several collections by their names
    #[default]
    Validator,
    /// The command `collMod`, as JSON; of several collections by their names
    Collmod,
    /// A script that runs the command and counts the documents that do not pass
    Mongosh,
    /// Structs for serde and the official bson crate
    Rust,
    /// Interfaces for the official driver
    Typescript,
    /// `TypedDict` for `PyMongo`
    Python,
    /// A record for the official driver
    Java,
}

/// Which writes are checked.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum LevelChoice {
    /// All
    #[default]
    Strict,
    /// Not updates of documents that do not pass already
    Moderate,
}

/// What becomes of a write that does not pass.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ActionChoice {
    /// It is logged
    #[default]
    Warn,
    /// It is refused
    Error,
}

impl From<LevelChoice> for Level {
    fn from(choice: LevelChoice) -> Self {
        match choice {
            LevelChoice::Strict => Self::Strict,
            LevelChoice::Moderate => Self::Moderate,
        }
    }
}

impl From<ActionChoice> for Action {
    fn from(choice: ActionChoice) -> Self {
        match choice {
            ActionChoice::Warn => Self::Warn,
            ActionChoice::Error => Self::Error,
        }
    }
}

impl SchemaArgs {
    /// What the plan does to each collection.
    fn planned(&self) -> anyhow::Result<Vec<Planned>> {
        let Some(path) = &self.plan else { return Ok(Vec::new()) };
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| name.clone())?;
        let plan = Plan::parse(&text).with_context(|| name.clone())?;
        let of = |plan: &boson_migrate::CollectionPlan| {
            let rules = Rules::new(plan)?;
            Ok(Planned { name: plan.name.clone(), rules, damaged: plan.damaged })
        };
        plan.collections.iter().map(of).collect::<Result<_, boson_migrate::PlanError>>().context(name)
    }

    fn read(&self) -> anyhow::Result<Vec<Outcome>> {
        let planned = self.planned()?;
        let mut policy = self.dialect.policy(self.read.limits);
        policy.dialects = policy.dialects.lenient();
        let outcomes = read(&Request {
            files: &self.files,
            read: self.read.read_options(),
            policy,
            sample: None,
            sizes: false,
            threads: threads(self.threads),
            planned: &planned,
        })?;
        let is_met = |planned: &&Planned| outcomes.iter().any(|outcome| namespace(outcome) == planned.name);
        if let Some(unmet) = planned.iter().find(|planned| !is_met(planned)) {
            let name = if unmet.name.is_empty() { "a file of documents" } else { &unmet.name };
            return Err(UsageError(format!("the plan is about {name}, which is not among the sources")).into());
        }
        Ok(outcomes)
    }

    /// The collections that are asked for.
    fn chosen<'a>(&self, outcomes: &'a [Outcome]) -> Result<Vec<&'a Outcome>, UsageError> {
        let all: Vec<&Outcome> = outcomes.iter().filter(|outcome| has_documents(outcome)).collect();
        let is_file = |outcome: &&Outcome| outcome.collection.is_none();
        let named = |name: &str| all.iter().copied().filter(|outcome| namespace(outcome) == name).collect::<Vec<_>>();
        let chosen = match &self.collection {
            Some(name) if !all.iter().all(is_file) => named(name),
            _ => all.clone(),
        };
        let there_are = all.iter().map(|outcome| namespace(outcome)).collect::<Vec<_>>().join(", ");
        let takes_one = !matches!(self.form, Form::Validator | Form::Collmod | Form::Mongosh);
        match &*chosen {
            [] if all.is_empty() => Err(UsageError("there are no documents, so nothing is known of them".to_owned())),
            [] => Err(UsageError(format!("no such collection; there are {there_are}"))),
            [_, _, ..] if takes_one => Err(UsageError(format!("--collection says which of {there_are}"))),
            _ => Ok(chosen),
        }
    }

    /// What the commands call a collection.
    fn target(&self, outcome: &Outcome) -> Target {
        let name = match (&outcome.collection, &self.collection) {
            (Some(collection), _) => {
                let (database, collection) = (collection.namespace.database.clone(), &collection.namespace.collection);
                return Target {
                    database: Some(database).filter(|name| !name.is_empty()),
                    collection: collection.clone(),
                };
            }
            (None, Some(name)) => name.clone(),
            (None, None) => self.files.first().and_then(file_stem).unwrap_or_else(|| "documents".to_owned()),
        };
        match name.split_once('.').filter(|_| self.collection.is_some()) {
            Some((database, collection)) => {
                Target { database: Some(database.to_owned()), collection: collection.to_owned() }
            }
            None => Target { database: None, collection: name },
        }
    }

    fn text(&self, outcome: &Outcome) -> Made {
        let schema = Schema::of(&outcome.profile);
        let target = self.target(outcome);
        let language = match self.form {
            Form::Rust => Language::Rust,
            Form::Typescript => Language::TypeScript,
            Form::Python => Language::Python,
            Form::Java => Language::Java,
            Form::Validator | Form::Collmod | Form::Mongosh => return self.command(&schema, &target),
        };
        Made::Text(definitions(&schema, language, self.name.as_ref().unwrap_or(&target.collection)))
    }

    fn command(&self, schema: &Schema, target: &Target) -> Made {
        let validator = validator(schema, Strictness { any_number: self.any_number, closed: self.closed });
        let (level, action) = (self.level.into(), self.action.into());
        match self.form {
            Form::Collmod => Made::Json(coll_mod(target, &validator, level, action)),
            Form::Mongosh => Made::Text(mongosh(target, &validator, level, action)),
            _ => Made::Json(validator),
        }
    }
}

/// What was made of one collection.
enum Made {
    Json(Value),
    Text(String),
}

/// `readings` of `data/readings.bson.gz`.
fn file_stem(file: &Location) -> Option<String> {
    let name = file.path()?.file_name()?.to_string_lossy().into_owned();
    name.split('.').next().filter(|stem| !stem.is_empty()).map(str::to_owned)
}

/// The collection's name in a plan: of a file of documents the empty one.
fn namespace(outcome: &Outcome) -> String {
    outcome.collection.as_ref().map(|collection| collection.namespace.to_string()).unwrap_or_default()
}

fn has_documents(outcome: &Outcome) -> bool {
    let is_own = outcome.collection.as_ref().is_none_or(|collection| collection.kind == CollectionKind::Documents);
    is_own && outcome.profile.documents().count() > 0
}

/// Reads everything and writes what was asked for.
pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    text_file::check(&args.output, args.overwrite)?;
    let outcomes = args.read()?;
    let chosen = args.chosen(&outcomes)?;
    for outcome in &chosen {
        warn(args, outcome);
    }
    let text = joined(args, &chosen);
    text_file::write(&text, &args.output, args.overwrite).with_context(|| args.output.to_string())?;
    let is_whole = chosen.iter().all(|outcome| outcome.first_fault.is_none());
    Ok(if is_whole { Exit::Done } else { Exit::Input })
}

fn joined(args: &SchemaArgs, chosen: &[&Outcome]) -> String {
    let is_dump = chosen.iter().all(|outcome| outcome.collection.is_some()) && args.collection.is_none();
    let mut by_name = Map::new();
    let mut text = String::new();
    for outcome in chosen {
        match args.text(outcome) {
            Made::Json(value) if is_dump => {
                by_name.insert(namespace(outcome), value);
            }
            Made::Json(value) => text = format!("{value:#}\n"),
            // Each in a scope of its own, so that names do not meet.
            Made::Text(script) if args.form == Form::Mongosh && chosen.len() > 1 => {
                text.extend(["// ", &namespace(outcome), "\n{\n", &script, "}\n\n"]);
            }
            Made::Text(made) => text.push_str(&made),
        }
    }
    if by_name.is_empty() { text } else { format!("{:#}\n", Value::Object(by_name)) }
}

/// Says what whoever uses it must know.
fn warn(args: &SchemaArgs, outcome: &Outcome) {
    let name = args.target(outcome).collection;
    if let Some(fault) = &outcome.first_fault {
        tell!("{WARNING}warning:{WARNING:#} not all documents could be read: {fault}");
    }
    if outcome.profile.is_sample() {
        tell!("{WARNING}warning:{WARNING:#} {name}: read off a sample: documents that nobody looked at may not pass");
    }
    let has_validator =
        outcome.collection.as_ref().and_then(|own| own.metadata.as_ref()).is_some_and(|own| own.validator().is_some());
    if has_validator && matches!(args.form, Form::Validator | Form::Collmod | Form::Mongosh) {
        tell!("{WARNING}warning:{WARNING:#} {name} has a validator already: this one would take its place");
    }
}

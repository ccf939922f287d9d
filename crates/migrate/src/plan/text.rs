//! A plan as a file for people: TOML with remarks.

use boson_profile::Case;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use super::{Drafted, FieldPlan, HazardNote, Lossy, Misfits, Nothing, PLAN_VERSION, SourceNote};

const INTRODUCTION: &str = "\
# A plan for `boson migrate`. Nothing is done before you run it with --apply; read it first, and change what you like.
#
# In each [[collection.field]]: `convert` whether anything is done; `misfits` what becomes of values that do not fit: keep
# (as they are), null, fail (stop at the first), quarantine (put the document aside); `lossy` what becomes of values that would
# lose something: keep, accept, companion (the field named in `companion` keeps what is lost); `nothing` what becomes of empty
# strings and words for nothing: misfit or null.
# In each [[collection.hazard]] with `answers`, write one of them as `answer`; before that the plan does not run.
";

/// The text of a plan that was made from `source`.
pub fn write(source: &SourceNote, collections: &[Drafted]) -> String {
    let mut document = DocumentMut::new();
    document.decor_mut().set_prefix(INTRODUCTION);
    document.insert("version", value(i64::from(PLAN_VERSION)));
    let mut table = Table::new();
    table.insert("name", value(&source.name));
    table.insert("documents", number(source.documents));
    table.insert("bytes", number(source.bytes));
    table.insert("sample", value(source.sample));
    if source.sample {
        remark(
            &mut table,
            "sample",
            &["There are more documents that were not looked at: such a plan is only tried, not applied.".to_owned()],
        );
    }
    document.insert("source", Item::Table(table));
    let mut all = ArrayOfTables::new();
    for drafted in collections {
        all.push(collection(drafted));
    }
    if !all.is_empty() {
        document.insert("collection", Item::ArrayOfTables(all));
    }
    document.to_string()
}

fn number(number: u64) -> Item {
    value(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Puts lines of remarks before `key`.
fn remark(table: &mut Table, key: &str, lines: &[String]) {
    if let Some(mut key) = table.key_mut(key) {
        let lines = lines.iter().map(|line| ["# ", &line.replace(['\n', '\r'], " "), "\n"].concat());
        let text: String = lines.collect();
        key.leaf_decor_mut().set_prefix(text);
    }
}

fn collection(drafted: &Drafted) -> Table {
    let plan = &drafted.plan;
    let mut table = Table::new();
    if !plan.name.is_empty() {
        table.insert("name", value(&plan.name));
    }
    table.insert("documents", number(plan.documents));
    if let Some(skip) = &plan.skip {
        table.insert("skip", value(skip));
        return table;
    }
    table.insert("damaged", value("fail"));
    if !plan.name.is_empty() {
        table.insert("shard-key", value(Array::new()));
        remark(
            &mut table,
            "shard-key",
            &["A dump does not say whether the collection is sharded: name the paths of the key here.".to_owned()],
        );
    }
    let mut hazards = ArrayOfTables::new();
    plan.hazards.iter().for_each(|note| hazards.push(hazard(note)));
    if !hazards.is_empty() {
        table.insert("hazard", Item::ArrayOfTables(hazards));
    }
    let mut fields = ArrayOfTables::new();
    for (field, remarks) in plan.fields.iter().zip(&drafted.remarks) {
        fields.push(one_field(field, remarks));
    }
    if !fields.is_empty() {
        table.insert("field", Item::ArrayOfTables(fields));
    }
    table
}

fn hazard(note: &HazardNote) -> Table {
    let mut table = Table::new();
    table.insert("kind", value(&note.kind));
    for (key, text) in [("path", &note.path), ("index", &note.index)] {
        if !text.is_empty() {
            table.insert(key, value(text));
        }
    }
    table.insert("what", value(&note.what));
    if !note.answers.is_empty() {
        table.insert("answers", value(note.answers.iter().collect::<Array>()));
        table.insert("answer", value(&note.answer));
    }
    table
}

fn one_field(field: &FieldPlan, remarks: &[String]) -> Table {
    let mut table = Table::new();
    table.insert("path", value(&field.path));
    remark(&mut table, "path", remarks);
    table.insert("convert", value(field.convert));
    table.insert("from", value(field.from.name()));
    table.insert("to", value(field.to.name()));
    if let Some(subtype) = field.subtype {
        table.insert("subtype", value(i64::from(subtype)));
    }
    for (key, text) in
        [("spelling", &field.spelling), ("affix", &field.affix), ("offset", &field.offset), ("zone", &field.zone)]
    {
        if let Some(text) = text {
            table.insert(key, value(text));
        }
    }
    if let Some(case) = field.case {
        table.insert("case", value(if case == Case::Upper { "upper" } else { "lower" }));
    }
    if let Some(words) = &field.words {
        table.insert("words", value(words.iter().collect::<Array>()));
    }
    if let Some(scale) = field.scale {
        table.insert("scale", value(i64::from(scale)));
    }
    table.insert("misfits", value(misfits(field.misfits)));
    table.insert("lossy", value(lossy(field.lossy)));
    table.insert("nothing", value(if field.nothing == Nothing::Null { "null" } else { "misfit" }));
    table
}

const fn misfits(misfits: Misfits) -> &'static str {
    match misfits {
        Misfits::Keep => "keep",
        Misfits::Null => "null",
        Misfits::Fail => "fail",
        Misfits::Quarantine => "quarantine",
    }
}

const fn lossy(lossy: Lossy) -> &'static str {
    match lossy {
        Lossy::Keep => "keep",
        Lossy::Accept => "accept",
        Lossy::Companion => "companion",
    }
}

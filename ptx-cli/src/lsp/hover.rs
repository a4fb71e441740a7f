//! What is known of the word under the cursor, in at most ten lines.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use ptx_frontend::Arena;
use ptx_isa::Target;
use ptx_isa::count::Count;
use ptx_isa::directive::Directive;
use ptx_isa::special::special_register;
use ptx_text::PieceKind;

use super::document::Document;
use super::instruction::{Written, requirements};
use super::outline::{
    Definition, DefinitionKind, FORMS, Name, Statement, StatementKind, is_keyword,
};
use super::place::{self, Places};
use super::{names, storage, values};

/// What is known of the word at an offset.
pub(super) fn hover(document: &Document, offset: usize) -> Option<Hover> {
    let (range, value) = word(document, offset)?;
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(document.span(range)) })
}

/// The word at an offset, and what is known of it, as Markdown.
fn word(document: &Document, offset: usize) -> Option<(std::ops::Range<usize>, String)> {
    let (text, outline) = (&*document.text, &document.outline);
    if let Some(name) = outline.name_at(offset) {
        let definition = outline.definitions.get(name.definition?)?;
        let definition = outline.definitions.get(definition.canonical)?;
        return Some((name.at.clone(), of_name(document, name, definition)));
    }
    let at = outline.token_at(offset)?;
    let token = outline.tokens.get(at)?;
    let word = token.text(text);
    let range = token.start..token.end;
    if let Some(field) = names::field_at(document, offset) {
        return Some((range, of_field(document, field)?));
    }
    if let Some(register) = special_register(word) {
        return Some((range, special(word, register)));
    }
    let (_, statement) = outline.statement_at(token.start)?;
    if let Some(form) = outline.rust.as_ref().and_then(|_| form(document, statement, at)) {
        return Some((range, form));
    }
    match token.kind {
        PieceKind::Word | PieceKind::Dotted | PieceKind::Colons
            if statement.kind == StatementKind::Instruction =>
        {
            let (opcode, end) = outline.opcode(text, statement)?;
            if !(opcode..end).contains(&at) {
                return None;
            }
            let written = Written::of(text, outline, statement, usize::MAX)?;
            let tokens = outline.tokens.get(opcode..end)?;
            let range = tokens.first()?.start..tokens.last()?.end;
            let target = document.target(token.start);
            Some((range, instruction(&written, target)?))
        }
        PieceKind::Dotted => Some((range, directive(word)?)),
        PieceKind::Number => Some((range, number(word)?)),
        _ => None,
    }
}

/// What a form of bodies in Rust does, on the word that it starts with.
fn form(document: &Document, statement: &Statement, at: usize) -> Option<String> {
    let (text, outline) = (&*document.text, &document.outline);
    let word = outline.tokens.get(at)?.text(text);
    let is_opcode = outline.opcode(text, statement).is_some_and(|(opcode, _)| opcode == at);
    if !is_opcode && !is_keyword(word, statement.kind) {
        return None;
    }
    let form = FORMS.iter().find(|form| form.word == word)?;
    Some(format!("{}\n\n{}", rust(form.example), form.about))
}

/// A block of Rust.
fn rust(text: &str) -> String {
    format!("```rust\n{text}\n```")
}

/// A block of PTX.
fn code(text: &str) -> String {
    format!("```ptx\n{text}\n```")
}

/// What a name stands for.
fn of_name(document: &Document, name: &Name, definition: &Definition) -> String {
    let word = document.slice(name.at.clone());
    let line = document.lines.line(definition.at.start) + 1;
    let is_of_rust = document.outline.is_of_rust(definition);
    let mut parts = Vec::new();
    match definition.kind {
        DefinitionKind::Kernel | DefinitionKind::Device | DefinitionKind::Fragment => {
            let statement = document.outline.statements.get(definition.statement);
            let range = statement.map(|statement| document.outline.range_of(statement));
            let signature = document.slice(range.unwrap_or_default());
            parts.push(if is_of_rust {
                rust(&shortened(signature))
            } else {
                code(&shortened(signature))
            });
        }
        DefinitionKind::Counter => {
            let head = document.outline.statements.get(definition.statement);
            let head = head.map(|statement| document.outline.range_of(statement));
            parts.push(rust(document.slice(head.unwrap_or_default())));
            parts.push("counter".to_owned());
        }
        DefinitionKind::Label => {
            let uses = document.outline.places(definition.canonical);
            let uses = uses.filter(|place| !place.is_definition).count();
            parts.push(code(&format!("{word}:")));
            parts.push(format!("label in line {line}, {}", Count(uses, "use")));
        }
        DefinitionKind::Param | DefinitionKind::Variable(_) | DefinitionKind::Register => {
            let declaration = storage::declaration(document, definition);
            parts.push(if is_of_rust || declaration.starts_with("let ") {
                rust(&declaration)
            } else {
                code(&declaration)
            });
            let kind = match definition.kind {
                DefinitionKind::Variable(space) => format!("{} memory", space.name()),
                DefinitionKind::Register => String::new(),
                _ => definition.kind.name().to_owned(),
            };
            let layout = storage::layout(document, definition);
            let layout = layout.or_else(|| place::size(document, definition));
            let all = [Some(kind).filter(|kind| !kind.is_empty()), layout];
            let all: Vec<String> = all.into_iter().flatten().collect();
            parts.push(all.join(": "));
            let value = storage::initial_value(document, definition);
            parts.extend(value.map(|value| format!("initial value `{value}`")));
            if definition.kind == DefinitionKind::Register {
                parts.extend(known(document, name));
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// What is known of the value of a register: that an instruction writes here, or that the last one before it in the text
/// has written, if it has no other.
fn known(document: &Document, name: &Name) -> Option<String> {
    if name.is_definition {
        return None;
    }
    let word = document.slice(name.at.clone());
    let values = values::around(document, name.at.start);
    if let Some((_, value)) = values.iter().find(|(at, _)| *at == name.at) {
        return Some(format!("here: {value}"));
    }
    // A register that is written once has that value wherever it is read.
    let writes = |it: &&Name| {
        it.is_written && it.definition == name.definition && document.slice(it.at.clone()) == word
    };
    let mut writes = document.outline.names.iter().filter(writes);
    let (write, None) = (writes.next()?, writes.next()) else { return None };
    let (_, value) = values.iter().find(|(at, _)| *at == write.at)?;
    Some(format!("from line {}: {value}", document.lines.line(write.at.start) + 1))
}

/// What a field of a place is: how many bytes it has, and where they lie.
fn of_field(document: &Document, field: usize) -> Option<String> {
    let arena = Arena::new();
    let mut places = Places::of(document, &arena)?;
    let before = places.before(field)?;
    let tokens = &document.outline.tokens;
    let word = tokens.get(field)?.text(&document.text).strip_prefix('.')?;
    let found = place::fields(before.ty?).into_iter().find(|it| it.name == word)?;
    let after = places.before(field + 1)?;
    let mut words = vec![Count(found.ty.size()?, "byte").to_string()];
    words.extend(found.ty.align().map(|align| format!("aligned to {align}")));
    words.push(match after.offset {
        Some(offset) => format!("at offset {offset} from `{}`", document.slice(after.name)),
        None => format!("at offset {} of its struct or vector", found.offset),
    });
    Some(format!("{}\n\nfield: {}", rust(&format!(".{word}")), words.join(", ")))
}

/// A signature of at most six lines.
fn shortened(signature: &str) -> String {
    const MOST: usize = 6;
    let mut lines: Vec<&str> = signature.lines().map(str::trim_end).collect();
    lines.retain(|line| !line.trim().is_empty());
    if lines.len() > MOST {
        let last = lines.pop().unwrap_or_default();
        lines.truncate(MOST - 2);
        lines.push("    ..");
        lines.push(last);
    }
    lines.join("\n")
}

/// What the table says of an instruction.
fn instruction(written: &Written<'_>, target: Target) -> Option<String> {
    let operands = written.operands();
    let does = written.does();
    let needs = requirements(&written.needs(), target);
    if operands.is_empty() && does.is_empty() && needs.is_none() {
        return None;
    }
    let labels: Vec<&str> = operands.iter().map(|place| place.label.as_str()).collect();
    let mut parts = vec![code(format!("{} {}", written.name(), labels.join(", ")).trim_end())];
    parts.push(does);
    let places = operands.iter().map(|place| {
        let may = if place.is_optional { ", may be left out" } else { "" };
        format!("`{}`: {}{may}", place.label, place.what)
    });
    parts.push(places.collect::<Vec<_>>().join("; "));
    parts.extend(needs);
    parts.retain(|part| !part.is_empty());
    Some(parts.join("\n\n"))
}

fn special(word: &str, register: &ptx_isa::special::SpecialRegister) -> String {
    let ty = register.ty.name();
    let vector = if register.is_vector { ", with the elements `.x`, `.y` and `.z`" } else { "" };
    let arch = match register.min_arch {
        ..=20 => "any target".to_owned(),
        arch => format!("`sm_{arch}` or newer"),
    };
    format!(
        "{}\n\nspecial register of type `.{ty}`{vector}\n\nNeeds PTX {} and {arch}.",
        code(word),
        register.since
    )
}

/// What a directive says.
fn directive(word: &str) -> Option<String> {
    let about = Directive::from_name(word)?.about;
    Some(format!("{}\n\n{about}", code(word)))
}

/// The value of a floating-point number that is written as its bits.
fn number(word: &str) -> Option<String> {
    let (kind, bits) = word.split_at_checked(2)?;
    let value = match (kind, bits.len()) {
        ("0f" | "0F", 8) => f32::from_bits(u32::from_str_radix(bits, 16).ok()?).to_string(),
        ("0d" | "0D", 16) => f64::from_bits(u64::from_str_radix(bits, 16).ok()?).to_string(),
        _ => return None,
    };
    Some(format!("`{word}` is {value}"))
}

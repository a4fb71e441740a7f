//! What is known of a declaration: as it is written, and where it lies.

use ptx_emit::MemoryMap;
use ptx_isa::count::Count;
use ptx_isa::ir::{self, Extent};
use ptx_isa::{ScalarType, Space};

use super::document::Document;
use super::outline::{Definition, DefinitionKind, Token};

/// The most characters of an initial value to show.
const MOST: usize = 60;

/// A declaration as it is written, without those next to it and its initial value, in one line.
pub(super) fn declaration(document: &Document, definition: &Definition) -> String {
    let (text, outline) = (&*document.text, &document.outline);
    let Some(statement) = outline.statements.get(definition.statement) else {
        return String::new();
    };
    let tokens = outline.tokens_of(statement);
    let Some(name) = tokens.iter().position(|token| token.start == definition.at.start) else {
        return document.slice(definition.at.clone()).to_owned();
    };
    if let Some(declaration) = declaration_in_rust(document, definition, (tokens, name)) {
        return declaration;
    }
    let is_param = definition.kind == DefinitionKind::Param;
    let is_end = |n: &usize| tokens[*n].is_sign(text, ",") || tokens[*n].text(text) == "(";
    // The type stands before the first name; that of a parameter stands before each.
    let own = if is_param { (0..name).rev().find(is_end) } else { None };
    let first = own.map_or(0, |n| n + 1);
    let words = tokens.iter().skip(first).take(name - first);
    let mut words: Vec<&str> = words
        .take_while(|token| is_param || token.kind != ptx_text::PieceKind::Word)
        .map(|token| token.text(text))
        .collect();
    let (mut depth, mut last) = (0_isize, definition.at.end);
    for token in &tokens[name + 1..] {
        depth += token.depth();
        if depth < 0 || depth == 0 && [",", "="].iter().any(|sign| token.is_sign(text, sign)) {
            break;
        }
        last = token.end;
    }
    let named = document.slice(definition.at.start..last);
    words.push(named);
    words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A declaration in Rust, or of a register by `let`.
fn declaration_in_rust(
    document: &Document,
    definition: &Definition,
    (tokens, name): (&[Token], usize),
) -> Option<String> {
    let (text, outline) = (&*document.text, &document.outline);
    let is_let = outline.rust.is_some() && tokens.first()?.text(text) == "let";
    if !is_let && !outline.is_of_rust(definition) {
        return None;
    }
    let first = match definition.kind {
        DefinitionKind::Register => {
            let colon = tokens.iter().position(|token| token.is_sign(text, ":"))?;
            let name = document.slice(definition.at.clone());
            return Some(format!("let {name}{}", joined(text, &tokens[colon..])));
        }
        DefinitionKind::Param => name,
        _ => 0,
    };
    let mut depth = 0_isize;
    let is_inside = |token: &&Token| {
        let is_arrow = token.start > 0 && text.as_bytes()[token.start - 1] == b'-';
        depth += token.depth();
        depth += isize::from(token.is_sign(text, "<"));
        depth -= isize::from(token.is_sign(text, ">") && !is_arrow);
        definition.kind != DefinitionKind::Param
            || depth >= 0 && !(depth == 0 && token.is_sign(text, ","))
    };
    let count = tokens[first..].iter().take_while(is_inside).count();
    Some(joined(text, &tokens[first..first + count]))
}

/// Tokens in one line, with a blank where there is space between them.
fn joined(text: &str, tokens: &[Token]) -> String {
    let mut line = String::new();
    let mut last = tokens.first().map_or(0, |token| token.start);
    for token in tokens {
        if last < token.start {
            line.push(' ');
        }
        line.push_str(token.text(text));
        last = token.end;
    }
    line
}

/// The type in a declaration: `.f32`, or a type of Rust.
pub(super) fn ty(document: &Document, definition: &Definition) -> String {
    let declaration = declaration(document, definition);
    if document.outline.is_of_rust(definition) || declaration.starts_with("let ") {
        let ty = declaration.split_once(": ").map(|(_, ty)| ty.to_owned());
        return ty.unwrap_or(declaration);
    }
    let is_type = |word: &&str| {
        word.strip_prefix('.').is_some_and(|word| ScalarType::from_name(word).is_some())
    };
    declaration.split(' ').rfind(is_type).map_or(declaration.clone(), str::to_owned)
}

/// The scalar type of a register, or of its elements, by the type in its declaration.
pub(super) fn scalar(ty: &str) -> Option<ScalarType> {
    if let Some(name) = ty.strip_prefix('.') {
        return ScalarType::from_name(name);
    }
    let ty = ty.trim_start_matches("&mut ");
    let ty = ty.strip_prefix("Reg<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(ty);
    let element = ty.strip_prefix('[').and_then(|ty| ty.split_once(';'));
    let ty = syn::parse_str(element.map_or(ty, |(ty, _)| ty)).ok()?;
    ptx_frontend::body::register_type(&ty).and_then(ScalarType::from_name)
}

/// The initial value of a variable, as it is written.
pub(super) fn initial_value(document: &Document, definition: &Definition) -> Option<String> {
    let (text, outline) = (&*document.text, &document.outline);
    let tokens = outline.tokens_of(outline.statements.get(definition.statement)?);
    let name = tokens.iter().position(|token| token.start == definition.at.start)?;
    let (mut depth, mut start, mut last) = (0_isize, None, 0);
    for token in &tokens[name + 1..] {
        depth += token.depth();
        if depth == 0 && token.is_sign(text, ",") {
            break;
        }
        match start {
            None if depth == 0 && token.is_sign(text, "=") => start = Some(token.end),
            None => {}
            Some(_) => last = token.end,
        }
    }
    let value = document.slice(start.filter(|start| *start < last)?..last);
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(match value.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} ..", &value[..end]),
        None => value,
    })
}

/// Where a declaration lies, in a line of Markdown: "128 bytes, aligned to 4". What Rust declares is in [`super::place`].
pub(super) fn layout(document: &Document, definition: &Definition) -> Option<String> {
    if document.outline.rust.is_some() {
        let scalar = scalar(&ty(document, definition));
        let count = definition.family.map(Extent::known);
        return (definition.kind == DefinitionKind::Register)
            .then(|| Some(registers(count.flatten(), scalar?, definition.family.is_some())))?;
    }
    let module = document.parsed()?.module();
    let name = document.slice(definition.at.clone());
    let function = function(document, definition, module);
    let (variable, pointer) = match (definition.kind, function) {
        (DefinitionKind::Param, Some(function)) => {
            let mut params = function.params.iter().chain(function.returns);
            let param = params.find(|param| param.variable.name == name)?;
            (&param.variable, param.pointer.as_ref())
        }
        (DefinitionKind::Variable(_), None) => {
            (*module.variables.iter().find(|variable| variable.name == name)?, None)
        }
        (DefinitionKind::Variable(_) | DefinitionKind::Register, Some(function)) => {
            (local(document, definition, function)?, None)
        }
        _ => return None,
    };
    if definition.kind == DefinitionKind::Register {
        return register(variable);
    }
    let mut words = vec![match variable.bytes() {
        Some(bytes) => Count(bytes, "byte").to_string(),
        None => "the launch decides its size".to_owned(),
    }];
    words.extend(variable.alignment().map(|align| format!("aligned to {align}")));
    words.extend(places(module, name, variable.space, function));
    if let Some(pointer) = pointer {
        let space = pointer.space.map_or("generic memory", |space| space.name());
        let align = pointer.align.map(|align| format!(", aligned to {align}"));
        words.push(format!("an address in {space}{}", align.unwrap_or_default()));
    }
    Some(words.join(", "))
}

/// The type of a register, or of the members of a family.
fn register(variable: &ir::Variable<'_>) -> Option<String> {
    let (count, ty) = match variable.ty.family() {
        Some((count, ty)) => (count.known(), ty),
        None => (None, variable.ty),
    };
    Some(registers(count, ty.scalar()?, variable.ty.family().is_some()))
}

/// So many registers of a type; one, unless they are several whose number is not known.
fn registers(count: Option<usize>, ty: ScalarType, are_several: bool) -> String {
    let is_predicate = ty == ScalarType::Pred;
    let bits = ty.bytes() * 8;
    match count {
        Some(count) if is_predicate => Count(count, "predicate").to_string(),
        Some(count) => format!("{} of {bits} bits", Count(count, "register")),
        None if are_several && is_predicate => "predicates".to_owned(),
        None if are_several => format!("registers of {bits} bits"),
        None if is_predicate => "a predicate".to_owned(),
        None => format!("a register of {bits} bits"),
    }
}

/// The function of the IR that declares something.
fn function<'m>(
    document: &Document,
    definition: &Definition,
    module: &ir::Module<'m>,
) -> Option<&'m ir::Function<'m>> {
    let outline = &document.outline;
    let number = outline.scopes.get(definition.scope)?.function?;
    let function = outline.functions.get(number)?;
    let name = document.slice(outline.definitions.get(function.definition)?.at.clone());
    let mut all = module.functions.iter().copied().filter(|it| it.name == name);
    all.find(|it| it.body.is_some() == function.has_body)
}

/// The variable of a declaration in a body: the one at the same place among those with its name.
fn local<'m>(
    document: &Document,
    definition: &Definition,
    function: &'m ir::Function<'m>,
) -> Option<&'m ir::Variable<'m>> {
    let outline = &document.outline;
    let name = document.slice(definition.at.clone());
    let owner = outline.scopes.get(definition.scope)?.function;
    let same = outline.definitions.iter().filter(|other| {
        outline.scopes.get(other.scope).is_some_and(|scope| scope.function == owner)
            && !matches!(other.kind, DefinitionKind::Param | DefinitionKind::Label)
            && document.slice(other.at.clone()) == name
    });
    let before = same.take_while(|other| other.at.start < definition.at.start).count();
    let mut all = function.declared().filter(|(_, _, declared)| declared.text == name);
    function.local(all.nth(before)?.0)
}

/// The offsets of a variable in the memory of each kernel.
fn places(
    module: &ir::Module<'_>,
    name: &str,
    space: Space,
    function: Option<&ir::Function<'_>>,
) -> Option<String> {
    let map = MemoryMap::of(module);
    let offset = |all: &[ptx_emit::Placed<'_>]| {
        all.iter().find(|placed| placed.variable.name == name).and_then(|placed| placed.offset)
    };
    let is_of_kernel =
        |kernel: &&ptx_emit::KernelMap<'_>| function.is_none_or(|it| it.name == kernel.name);
    let mut kernels = map.kernels.iter().filter(is_of_kernel);
    match space {
        Space::Param => {
            let kernel = kernels.next()?;
            let offset = offset(&kernel.parameters)?;
            Some(format!("at {:#x} of constant bank 0", kernel.param_base + offset))
        }
        Space::Const => offset(&map.constants).map(|offset| format!("at offset {offset}")),
        Space::Shared => {
            let at = |kernel: &ptx_emit::KernelMap<'_>| {
                let offset = offset(&kernel.shared).or_else(|| offset(&kernel.dynamic_shared))?;
                Some(format!("at offset {offset} in `{}`", kernel.name))
            };
            let all: Vec<String> = kernels.filter_map(at).collect();
            let rest = if all.len() > 3 { ", .." } else { "" };
            let shown: Vec<String> = all.into_iter().take(3).collect();
            (!shown.is_empty()).then(|| format!("{}{rest}", shown.join(", ")))
        }
        Space::Reg | Space::Sreg | Space::Global | Space::Local | Space::Tex => None,
    }
}

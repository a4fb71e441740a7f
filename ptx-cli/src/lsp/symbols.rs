//! The declarations of a document, as a tree.

use std::collections::HashMap;

use lsp_types::{DocumentSymbol, SymbolKind};
use ptx_isa::Space;

use super::document::Document;
use super::outline::{Definition, DefinitionKind, Function};
use super::storage;

/// The declarations outside of functions, or of a Rust file, the functions with bodies; inside of each function, its parameters, storage and labels.
pub(super) fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    let outline = &document.outline;
    let functions = outline.functions.iter().map(|function| (function.definition, function));
    let functions: HashMap<usize, &Function> = functions.collect();
    let mut symbols = Vec::new();
    for (number, definition) in outline.definitions.iter().enumerate() {
        if !outline.is_module(definition.scope) || definition.at.is_empty() {
            continue;
        }
        let Some(function) = functions.get(&number) else {
            // Those of a Rust file, rust-analyzer shows.
            if outline.rust.is_some() {
                continue;
            }
            symbols.push(symbol(document, definition, None, Vec::new()));
            continue;
        };
        let at = |offset| outline.definitions.partition_point(|inner| inner.at.start < offset);
        let inside = at(function.range.start)..at(function.range.end);
        let inside = outline.definitions.get(inside).unwrap_or_default().iter();
        let inside = inside.filter(|it| {
            let is_register = matches!(it.kind, DefinitionKind::Register | DefinitionKind::Counter);
            !outline.is_module(it.scope) && !is_register && !outline.is_of_rust(it)
        });
        let inside = inside.map(|inner| symbol(document, inner, None, Vec::new())).collect();
        symbols.push(symbol(document, definition, Some(function.range.clone()), inside));
    }
    symbols
}

fn symbol(
    document: &Document,
    definition: &Definition,
    range: Option<std::ops::Range<usize>>,
    children: Vec<DocumentSymbol>,
) -> DocumentSymbol {
    let statement = document.outline.statements.get(definition.statement);
    let declaration = || match definition.kind {
        DefinitionKind::Param => definition.at.clone(),
        _ => statement.map_or(definition.at.clone(), |it| document.outline.range_of(it)),
    };
    let range = range.unwrap_or_else(declaration);
    let is_rust = document.outline.rust.is_some();
    let detail = match definition.kind {
        kind @ (DefinitionKind::Kernel | DefinitionKind::Device | DefinitionKind::Fragment)
            if is_rust =>
        {
            Some(kind.name().to_owned())
        }
        DefinitionKind::Kernel => Some(".entry".to_owned()),
        DefinitionKind::Device => Some(".func".to_owned()),
        DefinitionKind::Fragment | DefinitionKind::Counter | DefinitionKind::Label => None,
        DefinitionKind::Param | DefinitionKind::Variable(_) | DefinitionKind::Register => {
            Some(storage::declaration(document, definition))
        }
    };
    #[expect(deprecated, reason = "the protocol's type still has the field")]
    DocumentSymbol {
        name: document.slice(definition.at.clone()).to_owned(),
        detail,
        kind: match definition.kind {
            DefinitionKind::Kernel | DefinitionKind::Device | DefinitionKind::Fragment => {
                SymbolKind::FUNCTION
            }
            DefinitionKind::Variable(Space::Const) => SymbolKind::CONSTANT,
            DefinitionKind::Param
            | DefinitionKind::Variable(_)
            | DefinitionKind::Register
            | DefinitionKind::Counter => SymbolKind::VARIABLE,
            DefinitionKind::Label => SymbolKind::KEY,
        },
        tags: None,
        deprecated: None,
        range: document.span(range),
        selection_range: document.span(definition.at.clone()),
        children: (!children.is_empty()).then_some(children),
    }
}

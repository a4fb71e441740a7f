//! What each word is, for colours.

use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
};
use ptx_isa::ScalarType;
use ptx_isa::special::is_special;
use ptx_text::PieceKind;

use super::document::Document;
use super::outline::{DefinitionKind, Statement, StatementKind, is_keyword};

/// The kinds of words, in the order of the legend.
#[derive(Clone, Copy)]
enum Kind {
    Directive,
    Opcode,
    Modifier,
    Type,
    Register,
    Special,
    Storage,
    Param,
    Function,
    Label,
    Number,
    Text,
    Comment,
}

/// The words that are declared where they stand.
const DECLARATION: u32 = 1;

/// The names of the kinds.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::MACRO,
            SemanticTokenType::KEYWORD,
            SemanticTokenType::MODIFIER,
            SemanticTokenType::TYPE,
            SemanticTokenType::VARIABLE,
            SemanticTokenType::ENUM_MEMBER,
            SemanticTokenType::PROPERTY,
            SemanticTokenType::PARAMETER,
            SemanticTokenType::FUNCTION,
            SemanticTokenType::new("label"),
            SemanticTokenType::NUMBER,
            SemanticTokenType::STRING,
            SemanticTokenType::COMMENT,
        ],
        token_modifiers: vec![SemanticTokenModifier::DECLARATION],
    }
}

/// The kinds of all words and comments.
pub(super) fn tokens(document: &Document) -> SemanticTokens {
    let outline = &document.outline;
    let mut found: Vec<(usize, usize, Kind, u32)> = Vec::new();
    let comments = outline.comments.iter();
    found.extend(comments.map(|(start, end)| (*start, *end, Kind::Comment, 0)));
    let mut names = outline.names.iter().peekable();
    // In Rust, what is around bodies is not ours.
    let is_ours = |it: &&Statement| {
        let is_in_body = it.function.is_some() && it.kind != StatementKind::Signature;
        outline.rust.is_none() || is_in_body
    };
    for statement in outline.statements.iter().filter(is_ours) {
        for (n, token) in outline.tokens_of(statement).iter().enumerate() {
            while names.next_if(|name| name.at.start < token.start).is_some() {}
            let name = names.next_if(|name| name.at.start == token.start);
            let kind = match name {
                Some(name) => {
                    let definition = name.definition.and_then(|it| outline.definitions.get(it));
                    definition.map(|it| of_definition(it.kind))
                }
                None => of_token(document, statement, n, token),
            };
            let declares = name.is_some_and(|name| name.is_definition);
            let modifiers = if declares { DECLARATION } else { 0 };
            found.extend(kind.map(|kind| (token.start, token.end, kind, modifiers)));
        }
    }
    found.sort_by_key(|found| found.0);
    SemanticTokens { result_id: None, data: encoded(document, &found) }
}

const fn of_definition(kind: DefinitionKind) -> Kind {
    match kind {
        DefinitionKind::Kernel | DefinitionKind::Device | DefinitionKind::Fragment => {
            Kind::Function
        }
        DefinitionKind::Param => Kind::Param,
        DefinitionKind::Variable(_) => Kind::Storage,
        DefinitionKind::Register | DefinitionKind::Counter => Kind::Register,
        DefinitionKind::Label => Kind::Label,
    }
}

/// What a token is that is not a declared name; `None` if it is punctuation, or not known.
fn of_token(
    document: &Document,
    statement: &Statement,
    n: usize,
    token: &super::outline::Token,
) -> Option<Kind> {
    let text = token.text(&document.text);
    let is_rust = document.outline.rust.is_some();
    Some(match token.kind {
        // `#( expr )` has the colours of Rust.
        PieceKind::Number if text.starts_with('#') => return None,
        // The end of `0..4`.
        PieceKind::Dotted if is_rust && text[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            Kind::Number
        }
        PieceKind::Number => Kind::Number,
        PieceKind::Text | PieceKind::OpenText => Kind::Text,
        PieceKind::Dotted if text.strip_prefix('.').and_then(ScalarType::from_name).is_some() => {
            Kind::Type
        }
        PieceKind::Dotted | PieceKind::Colons if statement.kind == StatementKind::Instruction => {
            Kind::Modifier
        }
        PieceKind::Dotted => Kind::Directive,
        PieceKind::Colons => Kind::Modifier,
        PieceKind::Word if is_special(text) || text == "WARP_SZ" => Kind::Special,
        PieceKind::Word if is_rust && is_keyword(text, statement.kind) => Kind::Opcode,
        PieceKind::Word => {
            let opcode = document.outline.opcode(&document.text, statement)?.0;
            (statement.tokens.start + n == opcode).then_some(Kind::Opcode)?
        }
        _ => return None,
    })
}

/// The tokens as the protocol has them: each from the one before it, and none over several lines.
fn encoded(document: &Document, found: &[(usize, usize, Kind, u32)]) -> Vec<SemanticToken> {
    let Document { text, lines, .. } = document;
    let (mut line, mut last, mut column) = (0, 0, 0);
    let mut data = Vec::with_capacity(found.len());
    for (start, end, kind, modifiers) in found {
        let mut part = *start;
        while part < *end {
            line = lines.line_from(line, part);
            let next = lines.start(text, line + 1);
            let content = document.slice(part..next.min(*end));
            let content = content.trim_end_matches(['\r', '\n']);
            let (first, after) = (part, part + content.len());
            part = next.max(part + 1);
            if content.is_empty() {
                continue;
            }
            let own = lines.column(text, line, first);
            let delta_line = u32::try_from(line - last).unwrap_or(u32::MAX);
            data.push(SemanticToken {
                delta_line,
                delta_start: own - if delta_line == 0 { column } else { 0 },
                length: lines.column(text, line, after) - own,
                token_type: *kind as u32,
                token_modifiers_bitset: *modifiers,
            });
            (last, column) = (line, own);
        }
    }
    data
}

//! What an instruction takes, while it is written.

use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureInformation,
};

use super::document::Document;
use super::instruction::Written;

/// What the instruction at an offset takes.
pub(super) fn help(document: &Document, offset: usize) -> Option<SignatureHelp> {
    let (text, outline) = (&*document.text, &document.outline);
    let (_, statement) = outline.statement_at(offset)?;
    let (opcode, end) = outline.opcode(text, statement)?;
    let first = outline.tokens.get(end.checked_sub(1)?)?;
    // Before and in the opcode, there are modifiers to complete.
    if offset <= first.end || opcode >= end {
        return None;
    }
    let tokens = outline.tokens.get(end..statement.tokens.end).unwrap_or_default();
    // After its semicolon, it is complete.
    let last = outline.range_of(statement).end;
    let after = document.slice(last.min(offset)..offset);
    if after.contains([';', '}']) {
        return None;
    }
    let (mut depth, mut active) = (0_isize, 0_u32);
    for token in tokens.iter().take_while(|token| token.end <= offset) {
        depth += token.depth();
        active += u32::from(depth <= 0 && token.is_sign(text, ","));
    }
    let written = Written::of(text, outline, statement, usize::MAX)?;
    let operands = written.operands();
    if operands.is_empty() {
        return None;
    }
    let mut label = format!("{} ", written.name());
    let mut parameters = Vec::new();
    for (n, place) in operands.iter().enumerate() {
        label += match (n, place.is_optional) {
            (0, _) => "",
            (_, false) => ", ",
            (_, true) => "{, ",
        };
        let start = utf16(&label);
        label += &place.label;
        parameters.push(ParameterInformation {
            label: ParameterLabel::LabelOffsets([start, utf16(&label)]),
            documentation: Some(Documentation::String(place.what.clone())),
        });
        if place.is_optional {
            label.push('}');
        }
    }
    let does = written.does();
    let markup = |value| MarkupContent { kind: MarkupKind::Markdown, value };
    let documentation = Some(does).filter(|does| !does.is_empty()).map(markup);
    let documentation = documentation.map(Documentation::MarkupContent);
    let signature = SignatureInformation {
        label,
        documentation,
        parameters: Some(parameters),
        active_parameter: Some(active),
    };
    Some(SignatureHelp {
        signatures: vec![signature],
        active_signature: Some(0),
        active_parameter: Some(active),
    })
}

/// The length of a label, as the protocol counts it.
fn utf16(label: &str) -> u32 {
    u32::try_from(label.encode_utf16().count()).unwrap_or(u32::MAX)
}

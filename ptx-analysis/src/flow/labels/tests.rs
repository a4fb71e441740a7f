use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::body::{Body, Encoder, StatementKind, TokenKind};

use super::{Labels, OfBlocks};
use crate::flow::effects::Effects;
use crate::flow::node::{Node, Referent, Resolved};

/// A statement of a hand-built body, in which braces may be unbalanced.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Part {
    Open,
    Close,
    Label(&'static str),
    Jump(&'static str),
}

/// Returns all bodies with this many of these statements.
fn bodies(parts: &[Part], length: usize) -> Vec<Vec<Part>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = |body: &Vec<Part>| {
            parts.iter().map(|part| [body.as_slice(), &[*part]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn encode(parts: &[Part]) -> (alloc::string::String, Vec<u8>) {
    let mut encoder = Encoder::default();
    for part in parts {
        let kind = match part {
            Part::Open => {
                encoder.token(TokenKind::Open, "{");
                StatementKind::Open
            }
            Part::Close => {
                encoder.token(TokenKind::Close, "}");
                StatementKind::Close
            }
            Part::Label(name) => {
                encoder.token(TokenKind::Name, name);
                StatementKind::Label
            }
            Part::Jump(name) => {
                encoder.token(TokenKind::Word, "bra");
                encoder.space(1);
                encoder.token(TokenKind::Name, name);
                StatementKind::Instruction
            }
        };
        encoder.end(kind, []);
    }
    encoder.finish()
}

/// Returns, for each statement, the blocks around it, outermost first, by statement index, and
/// whether an unmatched closing brace precedes it.
fn blocks(parts: &[Part]) -> Vec<(Vec<usize>, bool)> {
    let (mut open, mut is_over) = (vec![usize::MAX], false);
    let mut all = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        match part {
            Part::Open => open.push(n),
            Part::Close if open.len() == 1 => is_over = true,
            Part::Close => drop(open.pop()),
            Part::Label(_) | Part::Jump(_) => {}
        }
        all.push((open.clone(), is_over));
    }
    all
}

/// Returns the nodes of the labels with this name in a block.
fn labels_of(parts: &[Part], block: usize, name: &str) -> Vec<usize> {
    let is_node = |part: &Part| matches!(part, Part::Label(_) | Part::Jump(_));
    let around = blocks(parts);
    (0..parts.len())
        .filter(|n| parts[*n] == Part::Label(name_of(name)))
        .filter(|n| around[*n].0.last() == Some(&block))
        .map(|n| parts[..n].iter().filter(|part| is_node(part)).count())
        .collect()
}

fn name_of(name: &str) -> &'static str {
    if name == "a" { "a" } else { "b" }
}

#[track_caller]
fn check_targets(parts: &[Part]) {
    let (text, table) = encode(parts);
    let mut labels = Labels::new();
    let mut nodes = Vec::new();
    for statement in Body::new(&text, &table, &[]).statements() {
        match statement.kind() {
            StatementKind::Open => labels.open(),
            StatementKind::Close => labels.close(),
            kind => {
                let instruction = statement.instruction(&[]);
                assert_eq!(instruction.is_some(), kind == StatementKind::Instruction);
                let node = instruction.map_or(Node::Label(statement.text()), |instruction| {
                    let effects = Effects::of(&instruction, 0);
                    let resolved = Resolved::new(effects, Vec::new(), |_| Referent::Other);
                    Node::Instruction(resolved.into())
                });
                labels.note(&node);
                nodes.push(node);
            }
        }
    }
    labels.link(&mut nodes);
    let linked: Vec<Option<usize>> =
        nodes.iter().filter_map(Node::instruction).map(|resolved| resolved.target).collect();
    let mut expected = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        let Part::Jump(name) = part else { continue };
        // The label of the innermost block that has one, if it is unique there.
        let around = blocks(parts).swap_remove(n).0;
        let found = around.iter().rev().map(|block| labels_of(parts, *block, name));
        let found = found.filter(|labels| !labels.is_empty()).take(1).flatten();
        let found: Vec<usize> = found.collect();
        expected.push(if let [label] = found[..] { Some(label) } else { None });
    }
    assert_eq!(linked, expected, "{parts:?}");
}

#[test]
fn a_jump_goes_to_the_label_of_the_innermost_block_around_it() {
    let parts = [Part::Open, Part::Close, Part::Label("a"), Part::Jump("a")];
    for body in bodies(&parts, 6) {
        check_targets(&body);
    }
}

#[test]
fn labels_with_other_names_are_not_in_the_way() {
    let parts = [Part::Open, Part::Close, Part::Label("a"), Part::Label("b"), Part::Jump("a")];
    for body in bodies(&parts, 5) {
        check_targets(&body);
    }
    let (open, close) = (Part::Open, Part::Close);
    let (label, jump) = (Part::Label("b"), Part::Jump("b"));
    // In a block after another one, and next to jumps to other labels.
    check_targets(&[
        open,
        Part::Label("a"),
        close,
        open,
        label,
        Part::Jump("a"),
        jump,
        close,
        jump,
    ]);
}

#[test]
fn the_labels_of_each_block_are_those_that_stand_in_it() {
    let parts = [Part::Open, Part::Close, Part::Label("a"), Part::Label("b")];
    for body in bodies(&parts, 6) {
        let (text, table) = encode(&body);
        let mut labels = OfBlocks::of(Body::new(&text, &table, &[]).statements());
        let starts = (0..body.len()).filter(|n| body[*n] == Part::Open);
        let around = blocks(&body);
        for block in core::iter::once(usize::MAX).chain(starts) {
            let mut expected = Vec::new();
            for (n, part) in body.iter().enumerate() {
                let (open, is_over) = &around[n];
                // Labels of the body after an unmatched closing brace belong to no block.
                let is_of_it = open.last() == Some(&block) && (block != usize::MAX || !is_over);
                if let (Part::Label(name), true) = (part, is_of_it) {
                    expected.push((n, *name));
                }
            }
            let found: Vec<_> = labels.next_block().collect();
            assert_eq!(found, expected, "{block} of {body:?}");
        }
    }
}

//! Test bodies written as text, as nodes with linked labels.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;

use crate::flow::effects::Effects;
use crate::flow::labels::Labels;
use crate::flow::node::{Node, Referent, Resolved};

/// Parses a body, one statement per line, whose names `referent` resolves.
pub(crate) fn with_nodes<T>(
    text: &str,
    referent: fn(&str) -> Referent,
    read: impl FnOnce(&[Node<'_>]) -> T,
) -> T {
    let (encoded, table) = encode(text);
    let body = Body::new(&encoded, &table, &[]);
    let mut nodes: Vec<Node<'_>> = Vec::new();
    for (n, statement) in body.statements().enumerate() {
        nodes.push(match statement.instruction(&[]) {
            Some(instruction) => {
                let effects = Effects::of(&instruction, n);
                Node::Instruction(Box::new(Resolved::new(effects, Vec::new(), referent)))
            }
            None => Node::Label(statement.text()),
        });
    }
    let mut labels = Labels::new();
    for node in &nodes {
        labels.note(node);
    }
    labels.link(&mut nodes);
    read(&nodes)
}

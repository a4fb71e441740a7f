//! The contents of the `.param` variables that pass the arguments of calls.

use ptx_isa::instruction::Direction;
use ptx_isa::ir::body::Name;

use crate::flow::expression::Expression;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Referent, Resolved};
use crate::flow::storage::Storage;

/// Records which of these `.param` variables an instruction writes, and the value.
pub(crate) fn note_written<'a>(resolved: &mut Resolved<'a>, storages: &[Storage<'a>]) {
    let storage = |name: &Name<'_>| match resolved.find(name.text) {
        Some(Referent::Storage(storage)) => Some(&storages[storage]),
        Some(Referent::Register(_) | Referent::Other) | None => None,
    };
    let (mut written, mut value) = (alloc::vec::Vec::new(), None);
    // The return values of a call.
    written.extend(resolved.effects.writes.iter().filter_map(|name| storage(name)?.content));
    for operand in &resolved.effects.memory {
        if let Some(storage) = storage(&operand.name)
            && let Some(content) = storage.content
            && matches!(operand.form.direction, Direction::Write | Direction::ReadWrite)
        {
            written.push(content);
            value = Some(stored(operand, storage));
        }
    }
    if !written.is_empty() {
        resolved.written = [&*resolved.written, &written].concat().into();
    }
    if let Some(value) = value {
        resolved.effects.value = value;
    }
}

/// Returns the contents of a variable after a store to it.
fn stored<'a>(operand: &MemoryOperand<'a>, storage: &Storage<'a>) -> Expression<'a> {
    let bytes = operand.bytes.known().and_then(|bytes| usize::try_from(bytes).ok());
    let is_whole = operand.offset.known() == Some(0)
        && operand.index.is_none()
        && storage.object().bytes() == bytes;
    match (&operand.written, bytes.filter(|_| is_whole)) {
        (Some(value), Some(8)) => (**value).clone(),
        (Some(value), Some(4)) => Expression::Narrow(value.clone(), 32),
        (_, _) => Expression::UNKNOWN,
    }
}

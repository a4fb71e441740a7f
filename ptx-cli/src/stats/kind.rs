//! Kinds of instructions, from the instruction table.

use ptx_isa::instruction::{
    AddressOperand, BarrierEffect, Computes, Control, Direction, Formats, OperandType, Order, Role,
    Row, TogetherEffect,
};
use ptx_isa::ir::body::Instruction;

/// Declares the [`Kind`] enum, one row per kind.
macro_rules! kinds {
    ($($(#[$doc:meta])* $Kind:ident $name:literal;)*) => {
        /// The kind of an instruction.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(super) enum Kind {
            $($(#[$doc])* $Kind,)*
        }

        impl Kind {
            /// Every kind, in the order in which they are shown.
            pub(super) const ALL: &'static [Self] = &[$(Self::$Kind),*];

            /// The name, which is also a key of bounds.
            pub(super) const fn name(self) -> &'static str {
                match self { $(Self::$Kind => $name,)* }
            }
        }
    };
}

kinds! {
    /// Loads, stores, atomic operations, prefetches.
    Memory "memory";
    /// Asynchronous copies without a tensor map.
    Copy "copies";
    /// Copies, reductions and prefetches by a tensor map.
    TensorCopy "tensor_copies";
    /// Textures and surfaces.
    Texture "texture";
    /// Products of matrices.
    Matrix "matrix";
    /// Tensor memory, apart from products.
    TensorMemory "tensor_memory";
    /// Barriers, fences, and waits for groups.
    Barrier "barriers";
    /// Exchanges among the threads of a warp.
    Warp "warp";
    /// Conversions of types and of addresses.
    Conversion "conversion";
    /// Copies of registers, and addresses of variables.
    Move "moves";
    /// Computations in registers.
    Arithmetic "arithmetic";
    /// Branches, calls and returns.
    Control "control";
    /// What the table has no columns for.
    Other "other";
}

impl Kind {
    /// The kind of an instruction; [`Other`](Self::Other) without a row.
    pub(super) fn of(instruction: &Instruction<'_>) -> Self {
        let Some(row) = instruction.row else { return Self::Other };
        let has = |word: &str| instruction.has(word);
        let is_at = |is_it: fn(&AddressOperand) -> bool| row.addresses.iter().any(is_it);
        let effect = row.effect(has);
        if row.control != Control::Next {
            return Self::Control;
        }
        if is_at(|it| it.tensor.is_some()) || effect == Some(BarrierEffect::CopyTile) {
            return Self::TensorCopy;
        }
        let order = row.order(has);
        if matches!(order, Some(Order::Copy(_))) || matches!(effect, Some(BarrierEffect::Copy(_))) {
            return Self::Copy;
        }
        if is_product(row, has) {
            return Self::Matrix;
        }
        if is_at(|it| it.role == Role::Data) {
            return Self::Memory;
        }
        if is_at(|it| matches!(it.role, Role::Texture | Role::Surface)) {
            return Self::Texture;
        }
        if is_at(|it| it.role == Role::TensorMemory) {
            return Self::TensorMemory;
        }
        if is_at(|it| it.role == Role::Map && it.direction == Direction::Cache) {
            return Self::Memory;
        }
        if order.is_some() || effect.is_some() || is_at(|it| it.role == Role::Barrier) {
            return Self::Barrier;
        }
        match (row.together, row.computes) {
            (
                Some(
                    TogetherEffect::WarpgroupFence
                    | TogetherEffect::WarpgroupCommit
                    | TogetherEffect::WarpgroupWait,
                ),
                _,
            ) => Self::Barrier,
            (Some(_), _) => Self::Warp,
            (
                None,
                Computes::Conversion
                | Computes::ToGeneric
                | Computes::FromGeneric
                | Computes::Remote,
            ) => Self::Conversion,
            (None, Computes::Copy) => Self::Move,
            (None, _) if !row.is_of_memory && row.has_result => Self::Arithmetic,
            (None, _) => Self::Other,
        }
    }
}

/// Whether it multiplies matrices, whose fragments or descriptors it takes.
fn is_product(row: &Row, has: impl Fn(&str) -> bool) -> bool {
    let types = row.operand_types(has).map_or(&[][..], |(_, types)| types);
    let is_of_matrices =
        |ty: &&OperandType| matches!(ty, OperandType::Fragment(_) | OperandType::MatrixDescriptor);
    matches!(row.formats, Formats::Fragments | Formats::Matrices)
        || types.iter().filter(is_of_matrices).count() > 1
}

#[cfg(test)]
mod tests {
    use ptx_isa::ir::body::StatementKind;
    use ptx_text::Parsed;

    use super::*;

    #[test]
    fn kinds_are_those_of_the_table() {
        for (statement, kind) in [
            ("ld.global.v4.f32 {a, a, a, a}, [x];", Kind::Memory),
            ("red.global.add.u32 [x], a;", Kind::Memory),
            (
                "wmma.load.a.sync.aligned.row.m16n16k16.f16 {a, a, a, a, a, a, a, a}, [x];",
                Kind::Memory,
            ),
            ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {a}, [x];", Kind::Memory),
            ("cp.async.ca.shared.global [x], [x], 16;", Kind::Copy),
            (
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x], [x], 16, [x];",
                Kind::Copy,
            ),
            (
                "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [x], [x, {a}], [x];",
                Kind::TensorCopy,
            ),
            (
                "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [x, {a}], [x];",
                Kind::TensorCopy,
            ),
            ("cp.async.commit_group;", Kind::Barrier),
            ("cp.async.bulk.wait_group 0;", Kind::Barrier),
            ("mbarrier.init.shared.b64 [x], 1;", Kind::Barrier),
            ("mbarrier.try_wait.parity.shared.b64 p, [x], a;", Kind::Barrier),
            ("bar.sync 0;", Kind::Barrier),
            ("fence.proxy.async;", Kind::Barrier),
            ("wgmma.fence.sync.aligned;", Kind::Barrier),
            (
                "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {f, f, f, f}, d, d, p, 1, 1, 0, 0;",
                Kind::Matrix,
            ),
            (
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {f, f, f, f}, {a, a, a, a}, {a, a}, {f, f, f, f};",
                Kind::Matrix,
            ),
            (
                "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {f, f, f, f, f, f, f, f}, {a, a, a, a, a, a, a, a}, {a, a, a, a, a, a, a, a}, {f, f, f, f, f, f, f, f};",
                Kind::Matrix,
            ),
            ("shfl.sync.bfly.b32 a, a, 1, 31, -1;", Kind::Warp),
            ("elect.sync _|p, -1;", Kind::Warp),
            ("cvt.rn.f32.u32 f, a;", Kind::Conversion),
            ("cvta.to.global.u64 d, d;", Kind::Conversion),
            ("mov.u32 a, %tid.x;", Kind::Move),
            ("fma.rn.f32 f, f, f, f;", Kind::Arithmetic),
            ("setp.eq.u32 p, a, a;", Kind::Arithmetic),
            ("@p bra L;", Kind::Control),
            ("ret;", Kind::Control),
            ("tex.1d.v4.f32.s32 {f, f, f, f}, [x, {a}];", Kind::Texture),
        ] {
            let text = format!(
                ".version 8.0 .target sm_90a .address_size 64 .entry k() {{ .reg .b32 a; .reg .f32 f; \
                 .reg .b64 d, x; .reg .pred p; L: {statement} }}"
            );
            let parsed = Parsed::new(text);
            let body = parsed.module().functions[0].body.expect("it has one");
            let mut all = body.statements().filter(|it| it.kind() == StatementKind::Instruction);
            let instruction = all.next().and_then(|it| it.instruction(&[])).expect("it is one");
            assert_eq!(Kind::of(&instruction), kind, "{statement}");
        }
    }
}

//! Operands in known storage, and the rules that they break.

#![allow(dead_code)] // each test that includes this module uses part of it

use ptx_isa::instruction::{Direction, Role};
use ptx_isa::rules::access::Object;
use ptx_isa::rules::{self, AccessForm, Computed, Offset, Settled, StorageAccess, Via};
use ptx_isa::{NumberFormat, ScalarType, Space, Spaces};

/// A load from global memory by name.
pub(crate) const LOAD: StorageAccess<'static> = StorageAccess {
    form: AccessForm {
        role: Role::Data,
        direction: Direction::Read,
        space: Some(Space::Global),
        names_space: true,
        nameable: Spaces::ALL,
        sub_space: None,
        ty: None,
        may_be_nothing: false,
        unified: None,
        tensor: None,
        isa_align: None,
    },
    bytes: Some(4),
    align: None,
    via: Via::Name,
    offset: Offset::exact(0),
    settled: Settled::NOTHING,
    only_where: None,
    reached: None,
};

/// The same access with another role.
pub(crate) const fn for_role(role: Role) -> StorageAccess<'static> {
    StorageAccess { form: AccessForm { role, ..LOAD.form }, ..LOAD }
}

/// A load of this type.
pub(crate) const fn of_type(ty: ScalarType) -> StorageAccess<'static> {
    let form = AccessForm { ty: Some(ty), ..LOAD.form };
    StorageAccess { form, bytes: Some(ty.bytes()), ..LOAD }
}

/// A store of numbers that the program has computed in this format, by an instruction of this type.
pub(crate) const fn computed_in(format: NumberFormat, ty: ScalarType) -> StorageAccess<'static> {
    let form = AccessForm { direction: Direction::Write, ..of_type(ty).form };
    let settled = Settled { computed: Some(Computed::Numbers(format)), ..Settled::NOTHING };
    StorageAccess { form, settled, ..of_type(ty) }
}

/// The access with another form.
pub(crate) fn formed(
    access: StorageAccess<'_>,
    change: impl FnOnce(&mut AccessForm),
) -> StorageAccess<'_> {
    let mut form = access.form;
    change(&mut form);
    StorageAccess { form, ..access }
}

/// The access at this offset, or at any multiple of `step` bytes after it.
pub(crate) const fn starting(
    access: StorageAccess<'_>,
    base: i128,
    step: u64,
) -> StorageAccess<'_> {
    StorageAccess { offset: Offset { base, step }, ..access }
}

/// The codes of the rules that the access breaks.
pub(crate) fn codes(access: StorageAccess<'_>, object: Object<'_>) -> Vec<&'static str> {
    rules::check_operand(access, object).iter().map(|violation| violation.rule.code).collect()
}

/// The message of the rule with this code; empty if it is not broken.
pub(crate) fn message(access: StorageAccess<'_>, object: Object<'_>, code: &str) -> String {
    let found = rules::check_operand(access, object);
    let mut found = found.iter().filter(|violation| violation.rule.code == code);
    found.next().map(ToString::to_string).unwrap_or_default()
}

/// Whether the access breaks the rule with this code.
pub(crate) fn breaks(access: StorageAccess<'_>, object: Object<'_>, code: &str) -> bool {
    codes(access, object).contains(&code)
}

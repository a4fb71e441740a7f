//! Checked launches: one at a time, on copies of the buffers between pads that are compared afterwards.

use core::ffi::c_void;
use std::string::{String, ToString as _};
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;

use cudarc::driver::{CudaStream, DriverError, result};
use ptx_types::ScalarType;
use ptx_types::ir::{Param, StructKind, Type};
use ptx_types::tensor::{Descriptor, describe};

use super::calls;
use super::context::is_captured;
use super::fault::{fault_of, fault_of_launch};
use super::fault_meaning::code_of;
use super::kept::{Passed, Pointed};
use super::launch_error::Reason;
use super::padded::Padded;
use super::plan::Plan;
use super::recorded::RecordedLaunch;
use super::refusal::Refusal;
use super::shape::Shape;
use super::stray::Stray;

/// One checked launch runs at a time.
static ONE: Mutex<()> = Mutex::new(());

/// Overlapping buffers, which are copied together.
struct Group<'p> {
    start: u64,
    end: u64,
    /// The parameters, by their numbers.
    params: Vec<(usize, &'p Param<'static>)>,
}

impl Group<'_> {
    fn names(&self) -> String {
        let names: Vec<&str> = self.params.iter().map(|(_, param)| param.variable.name).collect();
        names.join("` and `")
    }
}

/// Whether this launch is checked.
#[inline]
pub(super) fn is_checked(plan: &Plan<'_>, stream: &CudaStream) -> Result<bool, Reason> {
    if !plan.is_checked && !plan.facts.module.is_checked {
        return Ok(false);
    }
    // What is captured does not run now.
    if !is_captured(stream).map_err(Reason::Driver)? {
        return Ok(true);
    }
    if plan.is_checked { Err(Reason::CheckedCapture) } else { Ok(false) }
}

/// Launches the kernel on copies of its buffers, waits for it, and compares what is around them.
///
/// # Safety
/// There are as many addresses as parameters, and each points to a value of its parameter's type.
#[cold]
#[inline(never)]
pub(super) unsafe fn launch(
    plan: &Plan<'_>,
    stream: &CudaStream,
    shape: Shape,
    params: &mut [*mut c_void],
    pointed: &[Pointed],
    submit: impl FnOnce(&mut [*mut c_void]) -> Result<Result<(), Refusal>, Reason>,
) -> Result<Result<(), Refusal>, Reason> {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let facts = plan.facts;
    // What was launched before must not be blamed on this launch.
    let marks = facts.log.marks();
    result::ctx::synchronize().map_err(Reason::Driver)?;
    facts.log.succeeded(&marks);

    // SAFETY: the caller guarantees it.
    let groups = unsafe { groups(plan, params, pointed) };
    poisoned_exist(plan, &groups)?;
    let mut copies = Vec::with_capacity(groups.len());
    let mut addresses: Vec<(usize, u64)> = Vec::with_capacity(params.len());
    for group in &groups {
        let len = usize::try_from(group.end - group.start).unwrap_or(usize::MAX);
        // SAFETY: these buffers are borrowed for the launch, and their context is current.
        let copy = unsafe { Padded::copy(stream, group.start, len) }.map_err(Reason::Driver)?;
        let is_poisoned =
            |(_, param): &(usize, &Param<'_>)| plan.poisoned.contains(&param.variable.name);
        if group.params.iter().any(is_poisoned) {
            copy.fill().map_err(Reason::Driver)?;
        }
        for (n, _) in &group.params {
            // SAFETY: a pointer parameter has the address of 8 bytes.
            let address = unsafe { params[*n].cast::<u64>().read() };
            addresses.push((*n, copy.start() + (address - group.start)));
        }
        copies.push(copy);
    }
    for (n, address) in &mut addresses {
        params[*n] = core::ptr::from_mut(address).cast();
    }
    let wait = || -> Result<(), DriverError> { result::ctx::synchronize() };
    wait().map_err(Reason::Driver)?;
    let alone = facts.log.marks();
    let failed = |code, params: &[*mut c_void]| {
        let context = &facts.module.context;
        let passed = Passed { slots: facts.slots(), params, pointed };
        // SAFETY: the caller guarantees it, and the slots are the kernel's.
        let launch = unsafe { RecordedLaunch::of(facts.ir, shape, stream, passed) };
        let fault = if facts.log.marks() == alone {
            fault_of_launch(context, code, launch)
        } else {
            // Another thread has launched something that is not checked.
            let stream = stream.cu_stream().addr();
            // SAFETY: as above.
            unsafe { facts.log.record(facts.ir, shape, stream, passed) }.submitted();
            fault_of(context, code)
        };
        fault.map(Reason::Failed)
    };
    if let Err(refusal) = submit(params)? {
        // The driver may wait for each launch.
        return failed(refusal.code, params).map_or(Ok(Err(refusal)), Err);
    }
    if let Err(error) = wait() {
        return Err(failed(code_of(error), params).unwrap_or(Reason::Driver(error)));
    }
    let mut strays = Vec::new();
    for (group, copy) in groups.iter().zip(&copies) {
        let mut changes = copy.pads_changed().map_err(Reason::Driver)?.to_vec();
        if group.params.iter().all(|(_, param)| param.readonly) {
            changes.push(copy.changed().map_err(Reason::Driver)?);
        }
        strays.extend(changes.into_iter().flatten().map(|changed| Stray {
            parameter: group.names(),
            len: usize::try_from(group.end - group.start).unwrap_or(usize::MAX),
            first: changed.first,
            last: changed.last,
            count: changed.count,
        }));
    }
    if !strays.is_empty() {
        return Err(Reason::Strays(strays));
    }
    for (group, copy) in groups.iter().zip(&copies) {
        if group.params.iter().any(|(_, param)| !param.readonly) {
            copy.copy_back().map_err(Reason::Driver)?;
        }
    }
    stream.synchronize().map_err(Reason::Driver)?;
    Ok(Ok(()))
}

/// Compares the names of outputs that are to be poisoned with the buffers.
fn poisoned_exist(plan: &Plan<'_>, groups: &[Group<'_>]) -> Result<(), Reason> {
    let outputs = || {
        let params = groups.iter().flat_map(|group| &group.params);
        params.filter(|(_, param)| !param.readonly).map(|(_, param)| param.variable.name)
    };
    match plan.poisoned.iter().find(|name| !outputs().any(|output| output == **name)) {
        Some(name) => {
            Err(Reason::NoOutput { name: name.to_string(), outputs: outputs().collect() })
        }
        None => Ok(()),
    }
}

/// The buffers among the arguments, those that overlap together. A buffer stays in its place if the kernel also has its
/// memory by a map or by an address from elsewhere.
///
/// # Safety
/// As in [`launch`].
unsafe fn groups<'p>(
    plan: &Plan<'p>,
    params: &[*mut c_void],
    pointed: &[Pointed],
) -> Vec<Group<'p>> {
    let mut groups: Vec<Group<'p>> = Vec::new();
    let mut fixed: Vec<u64> = Vec::new();
    let all = plan.facts.ir.params.iter().zip(params).zip(pointed).enumerate();
    for (n, ((param, value), pointed)) in all {
        if param.pointer.is_none() {
            // SAFETY: the caller guarantees that it is a value of this type.
            unsafe { addresses(param.variable.ty, value.cast_const().cast(), &mut fixed) };
        }
        let Some(pointer) = param.pointer else { continue };
        // SAFETY: a pointer parameter has the address of 8 bytes.
        let start = unsafe { value.cast::<u64>().read() };
        let size = pointer.pointee.size().unwrap_or(0) as u64;
        if !pointed.is_buffer() {
            fixed.push(start);
            continue;
        }
        let end = start.saturating_add(size.saturating_mul(pointed.elements()));
        if end > start {
            groups.push(Group { start, end, params: std::vec![(n, param)] });
        }
    }
    groups.sort_by_key(|group| group.start);
    let mut merged: Vec<Group<'p>> = Vec::with_capacity(groups.len());
    for group in groups {
        match merged.last_mut() {
            Some(last) if group.start < last.end => {
                last.end = last.end.max(group.end);
                last.params.extend(group.params);
            }
            _ => merged.push(group),
        }
    }
    // The kernel may have all of the memory that was allocated with such an address.
    let fixed: Vec<(u64, u64)> = fixed.into_iter().map(allocation).collect();
    let is_fixed = |group: &Group<'_>| {
        fixed.iter().any(|(start, end)| group.start < *end && *start < group.end)
    };
    merged.retain(|group| !is_fixed(group));
    merged
}

/// Adds what may be addresses in a value: that of a map's tensor, pointers, and numbers of 64 bits.
///
/// # Safety
/// It is a value of this type.
unsafe fn addresses(ty: &Type<'_>, value: *const u8, to: &mut Vec<u64>) {
    match ty {
        Type::Scalar(ScalarType::U64 | ScalarType::S64 | ScalarType::B64) => {
            // SAFETY: the caller's; numbers have no padding.
            to.push(unsafe { value.cast::<u64>().read_unaligned() });
        }
        Type::Vector(count, scalar) => {
            for n in 0..usize::from(*count) {
                // SAFETY: a vector consists of its elements.
                unsafe { addresses(&Type::Scalar(*scalar), value.add(n * scalar.bytes()), to) };
            }
        }
        Type::Array(extent, element) => {
            let (Some(count), Some(size)) = (extent.known(), element.size()) else { return };
            for n in 0..count {
                // SAFETY: an array consists of its elements.
                unsafe { addresses(element, value.add(n * size), to) };
            }
        }
        // SAFETY: the caller's.
        Type::Aligned(_, inner) => unsafe { addresses(inner, value, to) },
        Type::Struct(of) if matches!(of.kind, StructKind::TensorMap(_)) => {
            // SAFETY: the caller guarantees that it is a descriptor.
            let map = unsafe { value.cast::<Descriptor>().read_unaligned() };
            to.push(describe(map.as_bytes()).address());
        }
        Type::Struct(of) => {
            for field in of.fields {
                // SAFETY: each field is a value of its type at its offset.
                unsafe { addresses(field.ty, value.add(field.offset), to) };
            }
        }
        Type::Scalar(_) | Type::Opaque(_) | Type::Family(..) | Type::Unknown => {}
    }
}

/// The addresses of the memory that was allocated together with this one.
fn allocation(address: u64) -> (u64, u64) {
    // `CU_POINTER_ATTRIBUTE_RANGE_START_ADDR` and `CU_POINTER_ATTRIBUTE_RANGE_SIZE`.
    let ask = |attribute| {
        let call = calls::pointer_attribute().ok()?;
        let mut number = 0_u64;
        // SAFETY: the value of these attributes has 8 bytes.
        let code = unsafe { call((&raw mut number).cast(), attribute, address) };
        (code == 0).then_some(number)
    };
    match (ask(11), ask(12)) {
        (Some(start), Some(bytes)) if bytes > 0 => (start, start.saturating_add(bytes)),
        _ => (address, address.saturating_add(1)),
    }
}

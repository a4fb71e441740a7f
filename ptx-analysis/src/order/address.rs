//! Addresses of a launch: each variable and each buffer lies in a region of its own.
//!
//! An address of shared memory is a number of 32 bits: 0 for the own block, or the rank of another in its cluster plus
//! one, and the offset. All others have a tag, which no number that a kernel computes has.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::rules::access::Object;

use crate::flow::storage::Storage;

/// The highest bits of an address with a tag.
const TAG: u64 = 5 << 60;
/// The tag of generic addresses of shared memory.
const SHARED: u64 = TAG;
/// The tag of parameters.
const PARAM: u64 = TAG | 1 << 56;
/// The tag of constant memory.
const CONST: u64 = TAG | 2 << 56;
/// The tag of local memory.
const LOCAL: u64 = TAG | 3 << 56;
/// The tag of variables in global memory.
const GLOBAL: u64 = TAG | 4 << 56;
/// The tag of what parameters point to.
const POINTEE: u64 = TAG | 5 << 56;
/// The tag of numbers in parameters that are not known: each is itself, and nothing is computed of it.
const SYMBOL: u64 = TAG | 6 << 56;
/// Where the number of bytes starts in one of these, after the byte of the parameter.
const SIZE: u32 = 32;
/// The tag of numbers that are not followed, but known to be equal: each is itself, and nothing is computed of it.
const OPAQUE: u64 = TAG | 7 << 56;
/// The tag of what addresses within parameters point to.
const MEMBER: u64 = TAG | 8 << 56;
/// The tag of tensor memory.
const TENSOR: u64 = TAG | 9 << 56;
/// Where the number of the part of the lanes starts in the name of a place in tensor memory.
const PART: u32 = 16;
/// Where the number of an address within a parameter starts, in units of its size, and the start of what it points to.
const MEMBERS: u32 = 31;
const MEMBER_START: u64 = 1 << (MEMBERS - 1);
/// The bits of a tag.
const TAGS: u64 = 0xff << 56;
/// Where the number of a region starts.
const NUMBER: u32 = 40;
/// The offset of the start of a region in global memory: accesses before it belong to it, too.
const START: u64 = 1 << (NUMBER - 1);
/// Where the rank of a block, plus one, starts in an address of shared memory.
const RANK: u32 = 27;
/// The bits of an offset in shared memory.
const OFFSET: u64 = (1 << RANK) - 1;
/// The number of bytes that a matrix descriptor can address: regions of shared memory of known sizes are below.
const DESCRIBED: u64 = 1 << 18;
/// The lowest offset of a variable in shared memory: no number that a kernel is likely to mean otherwise.
const FIRST: u64 = 16 * 1024;

/// The most bytes of dynamic shared memory.
const MOST_DYNAMIC: u64 = 227 * 1024;

/// The most bytes of a variable in shared memory that are laid out.
const MOST_BYTES: usize = 1 << 20;

/// The most variables and parameters that have an address.
const MOST_STORAGES: usize = 0xffff;

/// Whether a number is an address with a tag.
pub(super) const fn is_tagged(address: u64) -> bool {
    address >> 60 == 5
}

/// Returns a number, if it is not an address, nor one that stands for a number that is not known.
pub(super) fn plain(number: u64) -> Option<u64> {
    (!is_tagged(number)).then_some(number)
}

/// Whether a number is not followed.
pub(super) const fn is_opaque(number: u64) -> bool {
    number & TAGS == OPAQUE
}

/// Returns a number that is not followed: the same for the same instruction, and the same numbers in any order. `None` if one
/// of them is not known.
pub(super) fn opaque(
    instruction: usize,
    mut numbers: impl Iterator<Item = Option<u64>>,
) -> Option<u64> {
    // The finaliser of SplitMix64.
    let mix = |number: u64| {
        let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ number >> 31
    };
    let start = mix(!(instruction as u64));
    let all = numbers.try_fold(start, |all, number| Some(all.wrapping_add(mix(number?))))?;
    Some(OPAQUE | mix(all) & !TAGS)
}

/// Returns a number as memory holds it: of addresses, only whole ones are followed.
pub(super) fn stored(number: u64, bytes: u64) -> Option<u64> {
    (!is_tagged(number) || bytes == 8 && !is_opaque(number)).then_some(number)
}

/// Returns the lowest bits of a number or an address; `None` if they are not known.
pub(super) const fn narrowed(number: u64, bits: u32) -> Option<u64> {
    if bits >= 64 {
        return Some(number);
    }
    if !is_tagged(number) {
        return Some(number & ((1 << bits) - 1));
    }
    match number & TAGS {
        SYMBOL if bits as u64 >= (number >> SIZE & 0xff) * 8 => Some(number),
        SHARED if bits == 32 => Some(number & 0xffff_ffff),
        _ => None,
    }
}

/// Returns the result of a bitwise operation of two numbers, if it is followed: one of an address has to be an address.
pub(super) fn combined(two: (u64, u64), result: u64) -> Option<u64> {
    let is_address = is_tagged(two.0) || is_tagged(two.1);
    (!is_address || is_tagged(result) && offset(two).is_some()).then_some(result)
}

/// Whether it is known how two numbers compare: addresses in different regions do not.
pub(super) const fn are_comparable(one: u64, other: u64) -> bool {
    match (is_tagged(one), is_tagged(other)) {
        (false, false) => true,
        (true, true) => one == other || one & TAGS != SYMBOL && region(one) == region(other),
        (_, _) => false,
    }
}

/// The region that an address is in.
const fn region(address: u64) -> u64 {
    if address & TAGS == MEMBER { address >> MEMBERS } else { address >> NUMBER }
}

/// Returns two numbers of which the sum is followed: of two addresses, it is not.
pub(super) fn added(two: (u64, u64)) -> Option<(u64, u64)> {
    offset(two).filter(|(one, other)| !is_tagged(*one) || !is_tagged(*other))
}

/// Returns two numbers of which the difference is followed: of addresses, if they are in the same region.
pub(super) fn subtracted(two: (u64, u64)) -> Option<(u64, u64)> {
    let is_near = |one, other| is_tagged(one) && region(one) == region(other);
    offset(two).filter(|(one, other)| !is_tagged(*other) || is_near(*one, *other))
}

/// Returns two numbers of which a sum or a difference may be followed.
pub(super) fn offset(two: (u64, u64)) -> Option<(u64, u64)> {
    let is_symbol = |number: u64| number & TAGS == SYMBOL;
    (!is_symbol(two.0) && !is_symbol(two.1)).then_some(two)
}

/// Returns the number of so many bytes in a parameter from a byte on, which is not known, given by the index of its
/// storage.
pub(super) const fn symbol(storage: usize, from: u64, bytes: usize) -> u64 {
    SYMBOL | (storage as u64) << NUMBER | (bytes as u64 & 0xff) << SIZE | from & ((1 << SIZE) - 1)
}

/// Returns the generic address of an address in a state space.
pub(super) fn to_generic(space: Space, address: u64) -> Option<u64> {
    match space {
        Space::Shared if is_tagged(address) => Some(address),
        Space::Shared => Some(SHARED | address & 0xffff_ffff),
        _ => is_tagged(address).then_some(address),
    }
}

/// Returns the address in a state space of a generic one.
pub(super) fn from_generic(space: Space, address: u64) -> Option<u64> {
    match space {
        Space::Shared => (address & TAGS == SHARED).then_some(address & 0xffff_ffff),
        _ => is_tagged(address).then_some(address),
    }
}

/// Whether a generic address is in a state space.
pub(super) fn in_space(space: Space, address: u64) -> Option<bool> {
    let tag = match space {
        Space::Shared => return is_tagged(address).then_some(address & TAGS == SHARED),
        Space::Param => PARAM,
        Space::Const => CONST,
        Space::Local => LOCAL,
        Space::Global => {
            let tag = address & TAGS;
            return is_tagged(address).then_some(matches!(tag, GLOBAL | POINTEE | MEMBER));
        }
        Space::Reg | Space::Sreg | Space::Tex => return None,
    };
    is_tagged(address).then_some(address & TAGS == tag)
}

/// Returns the same address in another block of the cluster.
pub(super) fn remote(address: u64, rank: u64, blocks: u64) -> Option<u64> {
    let is_shared = !is_tagged(address) || address & TAGS == SHARED;
    (is_shared && rank < blocks).then_some(address & !(0x1f << RANK) | (rank + 1) << RANK)
}

/// Returns the same address in the first block of the pair, if this mask of an address of shared memory clears the bit in
/// which those of a pair differ, and no other bit above; given is the rank of the own block.
pub(super) fn in_first_of_pair(
    address: u64,
    mask: u64,
    rank: Option<u64>,
    blocks: u64,
) -> Option<u64> {
    let is_peer_mask = mask & 0xffff_0000 == 0xfeff_0000;
    let is_shared = (FIRST..DESCRIBED).contains(&(address & OFFSET));
    let own = (address >> RANK & 0x1f).checked_sub(1).or(rank)?;
    (is_peer_mask && is_shared && blocks > 1 && !is_tagged(address))
        .then(|| remote(address, own & !1, blocks))?
}

/// Where the number of a thread starts in the name of a byte of its local memory.
const THREAD: u32 = 20;

/// Returns the name of a byte of local memory of a thread, given by its address, if it is one.
pub(super) fn local(address: u64, thread: u64) -> Option<u64> {
    let offset = address & ((1 << NUMBER) - 1);
    let is_named = address & TAGS == LOCAL && offset >> THREAD == 0;
    // A number may look like such an address.
    if is_named { address.checked_add(thread << THREAD) } else { None }
}

/// The place of a byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Byte {
    /// In shared memory of the block with this rank.
    Shared(u64, u64),
    /// In a variable or behind a pointer in global memory, which all threads see.
    Global(u64),
    /// In other memory, which no thread writes or only one sees.
    Elsewhere,
}

impl Byte {
    /// Returns the place of an address in a state space, or of a generic one, in the block with this rank.
    pub(super) fn of(space: Option<Space>, address: u64, own: u64) -> Option<Self> {
        let shared = |address: u64| {
            let rank = (address >> RANK & 0x1f).checked_sub(1).unwrap_or(own);
            Self::Shared(rank, address & OFFSET)
        };
        match space {
            Some(Space::Shared) if !is_tagged(address) => Some(shared(address & 0xffff_ffff)),
            Some(Space::Shared) | None if address & TAGS == SHARED => {
                Some(shared(address & 0xffff_ffff))
            }
            Some(Space::Global) | None if matches!(address & TAGS, GLOBAL | POINTEE | MEMBER) => {
                Some(Self::Global(address))
            }
            Some(Space::Const | Space::Local | Space::Param) => Some(Self::Elsewhere),
            None if matches!(address & TAGS, CONST | LOCAL | PARAM) => Some(Self::Elsewhere),
            _ => None,
        }
    }

    /// Returns a column of tensor memory of a block, in 16 of its 128 lanes.
    pub(super) const fn of_tensor(block: u64, part: u64, column: u64) -> Self {
        Self::Global(TENSOR | block << NUMBER | part << PART | column)
    }

    /// Whether it is in tensor memory.
    pub(super) const fn is_tensor(self) -> bool {
        matches!(self, Self::Global(address) if address & TAGS == TENSOR)
    }

    /// Returns the place of a byte by its key.
    pub(super) const fn at(key: u64) -> Self {
        if is_tagged(key) {
            Self::Global(key)
        } else {
            Self::Shared((key >> RANK) - 1, key & OFFSET)
        }
    }

    /// Returns the block that it is in, if it is in shared memory.
    pub(super) const fn block(self) -> Option<u64> {
        match self {
            Self::Shared(block, _) => Some(block),
            Self::Global(_) | Self::Elsewhere => None,
        }
    }

    /// Returns a number that orders all bytes.
    pub(super) fn key(self) -> Option<u64> {
        match self {
            Self::Shared(rank, offset) => Some((rank + 1) << RANK | offset),
            Self::Global(address) => Some(address),
            Self::Elsewhere => None,
        }
    }
}

/// Returns the number of bytes before each variable in shared memory: as many as fit, so that what leaves one of them does
/// not come to the next.
fn gap(storages: &[Storage<'_>]) -> u64 {
    let (mut all, mut count, mut used) = (DESCRIBED - FIRST, 1, 0_u64);
    for storage in storages {
        let [choice] = storage.choices.as_slice() else { continue };
        let (Object::Variable(variable) | Object::Member(variable, _)) = choice.object else {
            continue;
        };
        if variable.space != Space::Shared {
            continue;
        }
        count += 1;
        if variable.is_dynamic() {
            all = all.min(DESCRIBED - FIRST - MOST_DYNAMIC);
        } else {
            let align = variable.alignment().unwrap_or(1024).max(16);
            let bytes = choice.object.bytes().unwrap_or_default().saturating_add(align);
            used = used.saturating_add(bytes as u64);
        }
    }
    all.saturating_sub(used) / count / 1024 * 1024
}

/// The addresses of the storage that a body names.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The address of each storage.
    addresses: Vec<Option<u64>>,
    /// The offsets in shared memory, in order, with the storage that starts there.
    shared: Vec<(u64, usize)>,
    /// The size in bytes of each storage in shared memory, if it is known.
    sizes: Vec<Option<u64>>,
    /// The size in bytes of each storage, or of what it points to, that the launch gives.
    given: Vec<Option<u64>>,
    /// Whether offsets in shared memory are all below what a matrix descriptor can address.
    is_described: bool,
}

impl Layout {
    /// Places storage; the numbers of bytes of dynamic shared memory, and of the buffers that parameters point to, are
    /// given or not.
    pub(super) fn of(
        storages: &[Storage<'_>],
        dynamic_bytes: Option<u32>,
        buffer: impl Fn(&Storage<'_>) -> Option<u64>,
    ) -> Self {
        let mut layout = Self {
            addresses: vec![None; storages.len()],
            shared: Vec::new(),
            sizes: vec![None; storages.len()],
            given: storages.iter().map(buffer).collect(),
            is_described: true,
        };
        let (mut dynamic, mut end) = (Vec::new(), FIRST);
        let mut unknown = 0;
        let gap = gap(storages);
        for (n, storage) in storages.iter().enumerate() {
            let [choice] = storage.choices.as_slice() else { continue };
            if n > MOST_STORAGES {
                break;
            }
            let number = (n as u64) << NUMBER;
            layout.addresses[n] = match choice.object {
                Object::EntryParam(_) => Some(PARAM | number),
                Object::Variable(variable) | Object::Member(variable, _) => match variable.space {
                    Space::Shared if variable.is_dynamic() => {
                        dynamic.push(n);
                        None
                    }
                    Space::Shared => {
                        let is_small = |bytes: &usize| *bytes <= MOST_BYTES;
                        let bytes = choice.object.bytes().filter(|_| !choice.is_deferred);
                        let bytes = bytes.filter(is_small);
                        let align =
                            variable.alignment().filter(is_small).unwrap_or(1024).max(16) as u64;
                        let (at, size) = if let Some(bytes) = bytes {
                            ((end + gap).next_multiple_of(align), bytes as u64)
                        } else {
                            unknown += 1;
                            layout.is_described = false;
                            (DESCRIBED * unknown, 0)
                        };
                        // More is not there.
                        let fits = at % DESCRIBED + size < DESCRIBED && at < OFFSET;
                        if bytes.is_some() && fits {
                            end = at + size;
                            layout.sizes[n] = Some(size);
                        }
                        if fits {
                            layout.shared.push((at, n));
                        }
                        fits.then_some(at)
                    }
                    Space::Global => Some(GLOBAL | number | START),
                    Space::Const => Some(CONST | number),
                    Space::Local => Some(LOCAL | number),
                    Space::Reg | Space::Sreg | Space::Param | Space::Tex => None,
                },
                _ => None,
            };
        }
        let start = end.next_multiple_of(1024);
        for n in dynamic {
            layout.shared.push((start, n));
            layout.sizes[n] = dynamic_bytes.map(u64::from);
            layout.given[n] = layout.sizes[n];
            layout.addresses[n] = Some(start);
        }
        layout.is_described &= end < DESCRIBED;
        layout.shared.sort_unstable();
        layout
    }

    /// Returns the address of storage, in its state space.
    pub(super) fn address(&self, storage: usize) -> Option<u64> {
        self.addresses.get(storage).copied().flatten()
    }

    /// Returns the address that a parameter points to, given by the index of its storage.
    pub(super) const fn pointee(storage: usize) -> u64 {
        POINTEE | (storage as u64) << NUMBER | START
    }

    /// Returns the address that an address at a byte of a parameter points to, if it is there.
    pub(super) fn member(storage: usize, from: u64, bytes: usize) -> Option<u64> {
        let is_address = bytes == 8 && from.is_multiple_of(8) && from / 8 < 1 << (NUMBER - MEMBERS);
        let start = MEMBER | (storage as u64) << NUMBER | MEMBER_START;
        is_address.then_some(start + ((from / 8) << MEMBERS))
    }

    /// Returns the address in shared memory of the matrix that a descriptor describes (PTX ISA 9.7.15.5.1.2.2).
    pub(super) fn described(&self, descriptor: u64) -> Option<u64> {
        self.is_described.then_some((descriptor & 0x3fff) << 4)
    }

    /// Returns where the storage starts that an offset in shared memory is in, and that storage.
    fn at(&self, offset: u64) -> Option<(u64, usize)> {
        let after = self.shared.partition_point(|(start, _)| *start <= offset);
        self.shared.get(after.checked_sub(1)?).copied()
    }

    /// Returns the number of bytes in shared memory from one on to the end of what it is in, if that is known.
    pub(super) fn room(&self, byte: Byte) -> Option<u64> {
        let Byte::Shared(_, offset) = byte else { return None };
        let (start, storage) = self.at(offset)?;
        let size = self.sizes.get(storage).copied().flatten()?;
        (start + size).checked_sub(offset)
    }

    /// Whether these bytes in shared memory are outside of the variable before them.
    pub(super) fn is_beyond(&self, byte: Byte, bytes: u64) -> bool {
        let Byte::Shared(_, offset) = byte else { return false };
        let end = |(start, storage): (u64, usize)| Some(start + (*self.sizes.get(storage)?)?);
        self.at(offset).and_then(end).is_some_and(|end| offset + bytes > end)
    }

    /// Returns the first of these bytes that is outside of what the launch gives, by its key, and how many bytes that has.
    pub(super) fn outside(&self, byte: Byte, bytes: u64) -> Option<(u64, u64)> {
        let (storage, _, offset) = self.storage(byte)?;
        let size = self.given.get(storage).copied().flatten()?;
        let Ok(first) = u64::try_from(offset) else { return Some((byte.key()?, size)) };
        (first + bytes > size).then_some((byte.key()? + size.saturating_sub(first), size))
    }

    /// Returns the storage that a byte is in, whether it is what a parameter points to, and its number in that.
    pub(super) fn storage(&self, byte: Byte) -> Option<(usize, bool, i64)> {
        match byte {
            Byte::Shared(_, offset) => {
                let (start, storage) = self.at(offset)?;
                Some((storage, false, (offset - start).cast_signed()))
            }
            Byte::Global(_) if byte.is_tensor() => None,
            Byte::Global(address) => {
                let storage = usize::try_from(address >> NUMBER & 0xffff).ok()?;
                let (bits, start) = match address & TAGS {
                    MEMBER => (MEMBERS, MEMBER_START),
                    _ => (NUMBER, START),
                };
                let offset = (address & ((1 << bits) - 1)).cast_signed() - start.cast_signed();
                Some((storage, address & TAGS != GLOBAL, offset))
            }
            Byte::Elsewhere => None,
        }
    }
}

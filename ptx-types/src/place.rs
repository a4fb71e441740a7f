//! Places in declared objects, as bodies write them: `SMEM.full[2]`.
//!
//! Expanded code resolves these paths with rustc's own types, since only rustc knows the offset of a field
//! and the length of an array.

use core::marker::PhantomData;
use core::mem::{MaybeUninit, size_of};

use crate::Text;
use crate::handle::Variable;
use crate::tensor::Swizzle;
use crate::tensor::{MapType, Tile};
use crate::types::{Aligned, Alignment, Ptr};
use crate::{Generic, StateSpace};

/// A place of type `T`, at an offset in bytes from the start of an object.
pub struct Place<T: ?Sized> {
    offset: i64,
    of: PhantomData<fn() -> *const T>,
}

/// A space whose objects can be addressed in the state space `S`.
#[diagnostic::on_unimplemented(
    message = "this is in `{Self}` memory, but the address is taken in `{S}` memory",
    label = "in `{Self}` memory",
    note = "write the state space of the storage after `lea`"
)]
pub trait IsIn<S> {}

#[diagnostic::do_not_recommend]
impl<S: StateSpace> IsIn<S> for S {}
#[diagnostic::do_not_recommend]
impl<S: StateSpace> IsIn<S> for Generic {}

/// The start of a variable, which must be in this state space.
pub const fn place_in<S, V: StateSpace + IsIn<S>, T: ?Sized>(
    _: &'static Variable<V, T>,
) -> Place<T> {
    Place::START
}

/// The start of a variable.
pub const fn place<S: StateSpace, T: ?Sized>(_: &'static Variable<S, T>) -> Place<T> {
    Place::START
}

/// A pointer type, which points to consecutive elements.
pub trait Leads {
    /// The state space.
    type Into;
    /// The type of an element.
    type To;
}

impl<S, T, A> Leads for Ptr<S, T, A> {
    type Into = S;
    type To = T;
}

/// The elements that a pointer points into, at any of them.
pub struct Run<E>(PhantomData<fn() -> *const E>);

/// The element that a pointer into this state space points to.
pub const fn pointee_in<S, P: Leads<Into: IsIn<S>>>() -> Place<Run<P::To>> {
    Place::START
}

/// The element that a pointer points to.
pub const fn pointee<P: Leads>() -> Place<Run<P::To>> {
    Place::START
}

impl<T: ?Sized> Place<T> {
    /// The start of an object.
    pub const START: Self = Self { offset: 0, of: PhantomData };

    /// The offset from the start in bytes; it may be negative if the path starts at a pointer.
    pub const fn offset(self) -> i64 {
        self.offset
    }

    const fn at<U: ?Sized>(self, further: i64) -> Place<U> {
        Place { offset: self.offset + further, of: PhantomData }
    }
}

impl<T> Place<T> {
    /// An object whose fields' offsets can be taken.
    pub const fn object(&self) -> MaybeUninit<T> {
        MaybeUninit::uninit()
    }

    /// The place of a field of `object`.
    ///
    /// # Safety
    ///
    /// `field` must point to a field of `object`.
    #[allow(unsafe_code, reason = "it subtracts pointers, in constants")]
    pub const unsafe fn field<F>(self, object: *const T, field: *const F) -> Place<F> {
        // SAFETY: the caller guarantees that both are in one object.
        let further = unsafe { field.byte_offset_from(object) };
        self.at(further as i64)
    }
}

/// Panics if the element does not exist, at the caller's location, which in expanded code is the index.
#[track_caller]
const fn require_element(name: &str, extent: Extent, index: i128) {
    let elements = match extent {
        Extent::Known(elements) if index < 0 || index >= elements as i128 => Some(elements),
        Extent::Unknown if index < 0 => None,
        Extent::OfTile(tile) => refuse_tile(name, tile),
        Extent::Known(_) | Extent::Unknown | Extent::AnyDirection => return,
    };
    let mut text = Text::<1024>::new();
    text.push_str("`");
    text.push_str(name);
    text.push_str("` has ");
    if let Some(elements) = elements {
        text.push_int(elements as i128, false);
        text.push_str(if elements == 1 { " element" } else { " elements" });
        text.push_str(", but this is element ");
    } else {
        text.push_str("no element ");
    }
    text.push_int(index, false);
    text.push_str("; elements count from 0 [A020, PTX ISA 6.4.1]");
    panic!("{}", text.as_str());
}

/// The range of valid indices.
#[derive(Clone, Copy)]
pub enum Extent {
    /// A known number of elements.
    Known(usize),
    /// An unknown number of elements.
    Unknown,
    /// An unknown number of elements, also before the first.
    AnyDirection,
    /// None: this is a tile, and its elements cannot be selected like this.
    OfTile(TileOf),
}

/// The map whose tile a type is, and why an index cannot select its elements.
#[derive(Clone, Copy)]
pub struct TileOf {
    map: &'static str,
    why: Why,
}

/// Why an index cannot select elements of a tile.
#[derive(Clone, Copy)]
enum Why {
    /// The macro does not see that it is a tile.
    Unseen,
    /// There are as many coordinates as the first number says, and the second number is given.
    Coordinates(usize, usize),
    /// The elements are smaller than a byte.
    Small,
}

/// A type with consecutive elements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements",
    label = "an index after something that is not an array",
    note = "an index selects an element of an array, or of what a pointer points to; to index a field, write the field first"
)]
pub trait Elements {
    /// The type of an element.
    type Element;
    /// The range of valid indices.
    const EXTENT: Extent;
}

#[diagnostic::do_not_recommend]
impl<E, const N: usize> Elements for [E; N] {
    type Element = E;
    const EXTENT: Extent = Extent::Known(N);
}

#[diagnostic::do_not_recommend]
impl<E> Elements for [E] {
    type Element = E;
    const EXTENT: Extent = Extent::Unknown;
}

#[diagnostic::do_not_recommend]
impl<E> Elements for Run<E> {
    type Element = E;
    const EXTENT: Extent = Extent::AnyDirection;
}

#[diagnostic::do_not_recommend]
impl<E, const N: usize, A: Alignment> Elements for Aligned<[E; N], A> {
    type Element = E;
    const EXTENT: Extent = Extent::Known(N);
}

/// Its elements are selected by all of its [coordinates](coordinate) at once: an index that is not taken for one is an
/// error that explains why.
#[diagnostic::do_not_recommend]
impl<M: MapType> Elements for Tile<M> {
    type Element = Self;
    const EXTENT: Extent = Extent::OfTile(TileOf { map: M::NAME, why: Why::Unseen });
}

/// Panics because an index cannot select an element of this tile, at the caller's location, which in expanded code is
/// the index.
#[track_caller]
const fn refuse_tile(name: &str, tile: TileOf) -> ! {
    let mut text = Text::<1024>::new();
    let texts = ["`", name, "` is a `Tile<", tile.map, ">`"];
    let mut i = 0;
    while i < texts.len() {
        text.push_str(texts[i]);
        i += 1;
    }
    match tile.why {
        Why::Unseen => text.push_str(
            ", and the macro cannot see that: declare the struct that it is a field of in this module, by `Tile<..>` and without an alias",
        ),
        Why::Coordinates(count, given) => {
            text.push_str(if count == 1 { ", whose element has 1 coordinate, and " } else { ", whose elements have " });
            if count > 1 {
                text.push_int(count as i128, false);
                text.push_str(" coordinates, and ");
            }
            text.push_int(given as i128, false);
            text.push_str(if given == 1 { " is given" } else { " are given" });
            text.push_str("; write all of them, the outermost first, as in `[%row][%column]`");
        }
        Why::Small => {
            let texts = [
                ", whose elements are smaller than a byte or padded; write an offset in bytes after it, `+ #(",
                tile.map,
                "::element_offset([..]).unwrap())` for constant coordinates, or `add` one that is in a register to its address",
            ];
            let mut i = 0;
            while i < texts.len() {
                text.push_str(texts[i]);
                i += 1;
            }
        }
    }
    panic!("{}", text.as_str());
}

/// The places of paths that differ only in their indices.
pub struct Places {
    /// The offset in bytes of the place whose indices are all zero.
    pub first: i64,
    /// The elements that each index selects from, in order.
    pub indices: &'static [Index],
}

/// The elements that an index selects from.
#[derive(Clone, Copy)]
pub struct Index {
    name: &'static str,
    extent: Extent,
    stride: usize,
}

/// The elements that an index into the array with this name selects from.
pub const fn index<T: Elements + ?Sized>(_: &Place<T>, name: &'static str) -> Index {
    Index { name, extent: T::EXTENT, stride: size_of::<T::Element>() }
}

impl Places {
    /// Places of a variable that does not exist, which was reported.
    pub const UNKNOWN: Self = Self {
        first: 0,
        indices: &[const { Index { name: "", extent: Extent::AnyDirection, stride: 0 } }; 16],
    };

    /// The place that the first index selects.
    #[track_caller]
    pub const fn at(&self, index: i128) -> i64 {
        self.element(self.first, 0, index)
    }

    /// The place that index `n` selects, relative to `from`.
    #[allow(clippy::cast_possible_truncation)] // addresses have 64 bits
    #[track_caller]
    pub const fn element(&self, from: i64, n: usize, index: i128) -> i64 {
        let Index { name, extent, stride } = self.indices[n];
        require_element(name, extent, index);
        let further = index.saturating_mul(stride as i128);
        assert!(
            further >= -(1 << 62) && further < 1 << 62,
            "this index is beyond all addresses; write a smaller one"
        );
        from + further as i64
    }

    /// The distance in bytes between the elements that index `n` selects from.
    #[track_caller]
    pub const fn stride(&self, n: usize) -> usize {
        let Index { name, extent, stride } = self.indices[n];
        if let Extent::OfTile(tile) = extent {
            refuse_tile(name, tile);
        }
        stride
    }
}

/// The first element of an array.
pub const fn elements<T: Elements + ?Sized>(array: Place<T>) -> Place<T::Element> {
    array.at(0)
}

/// The places of paths that end in the coordinates of a tile's element.
pub struct TilePlaces {
    /// The places without the swizzle.
    pub places: Places,
    /// The swizzle of the tile.
    pub swizzle: Swizzle,
}

/// The swizzle of a tile. The instructions of an address depend on the one that the macro has seen, if it has seen one.
///
/// # Panics
/// If it is another one, at the caller.
#[track_caller]
pub const fn swizzle_of<M: MapType>(_: &Place<Tile<M>>, seen: Option<Swizzle>) -> Swizzle {
    let swizzle = M::SPEC.swizzle;
    if let Some(seen) = seen
        && seen as u8 != swizzle as u8
    {
        let mut text = Text::<1024>::new();
        text.push_str("the swizzle of `");
        text.push_str(M::NAME);
        text.push_str("` is `");
        text.push_str(swizzle.name());
        text.push_str("`, but a map of this name in the module has `");
        text.push_str(seen.name());
        text.push_str("`, for which this address is computed; give the maps different names");
        panic!("{}", text.as_str());
    }
    swizzle
}

/// The elements that coordinate `n` of the tile with this name selects from, where `given` are written, the outermost
/// first.
pub const fn coordinate<M: MapType>(
    _: &Place<Tile<M>>,
    name: &'static str,
    n: usize,
    given: usize,
) -> Index {
    let (spec, rank) = (M::SPEC, M::SPEC.tile_coordinates());
    let (why, mut stride) = match spec.element_bytes() {
        _ if given != rank => (Some(Why::Coordinates(rank, given)), 0),
        None => (Some(Why::Small), 0),
        Some(bytes) => (None, bytes),
    };
    if let Some(why) = why {
        return Index { name, extent: Extent::OfTile(TileOf { map: M::NAME, why }), stride };
    }
    let (tile, dimension) = (spec.tile_dims(), rank - 1 - n);
    let mut i = 0;
    while i < dimension {
        stride = if i == 0 { spec.row_pitch() } else { stride.saturating_mul(tile[i] as usize) };
        i += 1;
    }
    Index { name, extent: Extent::Known(tile[dimension] as usize), stride }
}

impl TilePlaces {
    /// Places in a variable that does not exist, which was reported.
    pub const UNKNOWN: Self = Self { places: Places::UNKNOWN, swizzle: Swizzle::None };

    /// The bytes after which every swizzle repeats.
    const PERIOD: i64 = 4096;

    /// An offset from the start of an object, which is aligned as the tile is, with the swizzle.
    #[allow(
        clippy::cast_possible_wrap,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is below the period"
    )]
    pub const fn swizzled(&self, offset: i64) -> i64 {
        let low = offset.rem_euclid(Self::PERIOD);
        offset - low + self.swizzle.apply(low as usize) as i64
    }

    /// The bits that the swizzle changes in the addresses of a row, of which this is the first offset.
    pub const fn row(&self, offset: i64) -> i64 {
        self.swizzled(offset) ^ offset
    }

    /// How far the bits of an address that the swizzle reads are above those that it changes.
    #[track_caller]
    pub const fn shift(&self) -> u32 {
        assert!(
            !matches!(self.swizzle, Swizzle::B128Atom32Flip8),
            "`B128Atom32Flip8` exchanges halves of 16 bytes, too, and this computes one pattern; compute the address with instructions"
        );
        match self.swizzle {
            Swizzle::None => 0,
            swizzle => 7 - swizzle.atom().trailing_zeros(),
        }
    }

    /// The bits that the swizzle changes.
    pub const fn mask(&self) -> i64 {
        // Those of the last line of the pattern, which has all of them.
        self.row(Self::PERIOD - 128)
    }
}

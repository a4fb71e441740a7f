//! The table. A new rule is one row here and a test next to the others of its subject.

use super::padded::*;
use super::spec::*;
use super::tensor::*;
use super::{Field, Maps, Observed, Rule, Source, Targets};
use crate::map::{Spec, Tensor};
use crate::rule::{find, rules};
use crate::target::Target;

/// The columns of a row. The source: the parameter of the driver's manual, and the section or
/// instruction of the PTX ISA, that state the rule, and the targets that it applies to if not all.
/// The kind: the observed behaviour of the driver. The part: the field, with `each` if it is an
/// array.
macro_rules! maps {
    (source ($(manual $manual:literal)? $(ptx $ptx:literal)? $(on $targets:ident $(($of:expr))?)?)) => {
        Source {
            manual: maps!(optional $($manual)?),
            ptx: maps!(optional $($ptx)?),
            targets: maps!(targets $($targets $(($of))?)?),
        }
    };
    (optional) => {
        None
    };
    (optional $reason:literal) => {
        Some($reason)
    };
    (targets) => {
        Targets::All
    };
    (targets $targets:ident $(($of:expr))?) => {
        Targets::$targets $(($of))?
    };
    (kind (Refused $how:literal)) => {
        Observed::Refused($how)
    };
    (kind Refused) => {
        Observed::Refused("")
    };
    (kind $kind:ident) => {
        Observed::$kind
    };
    (part (each $field:ident)) => {
        Field::$field(0)
    };
    (part $field:ident) => {
        Field::$field
    };
    (asked $code:ident $part:tt ($target:ident: $Target:ty, $refused:ident: $Refused:ty)) => {
        (!$refused || const { $code.is_refused() }) && $code.source.targets.hold($target)
    };
}

rules! {
    Maps, maps, asks (target: Option<Target>, refused: bool);

    /// Rules of a declaration.
    fn spec(spec: &Spec) tests (spec, i) each (i in spec, at once breaks_spec) of "",
        allowed (on Map), silent never;
    M001 rank_out_of_range (manual "tensorRank" ptx "5.5.1") Refused Rank:
        "this makes a tensor of rank {0}, but a tensor map has rank 1 to 5", "use rank {1}";
    M002 interleave_rank (manual "tensorRank" ptx "5.5.6") Refused Rank:
        "a tensor of rank {0} has no interleaved layout, which needs rank 3 to 5", "{1}";
    M003 im2col_rank (manual "tensorRank" ptx "5.5.4") Refused Rank:
        "a tensor of rank {0} has no mode `{1}`, which needs rank 3 to 5: channels, 1 to 3 dimensions with corners, and images", "use rank 3, or the mode `tile`";
    M004 gather_rank (ptx "5.5.3.4") Taken Rank:
        "a tensor of rank {0} has no mode `{1}`, which is for matrices", "use rank 2";
    M005 gather_interleave (ptx "5.5.3.4") Taken Interleave:
        "{f} is `{0}`, but `{1}` takes no interleave", "write `None`";
    M006 element_too_new (ptx "cp.async.bulk.tensor" on Below(100)) Refused Element:
        "`{0}` elements need sm_100 or newer", "choose a newer target, or copy bytes as `u8`";
    M007 swizzle_too_new (ptx "cp.async.bulk.tensor" on Below(100)) Refused Swizzle:
        "the swizzle `{0}` needs sm_100 or newer", "choose a newer target, or write `B128`";
    M008 swizzle_96_target (ptx "tensormap.replace" on AllBut(Target::Sm103a)) (Refused "it has no number for it") Swizzle:
        "the swizzle `B96` exists only on sm_103a", "choose that target, or write `{0}`";
    M009 mode_too_new (ptx "cp.async.bulk.tensor" on Below(100)) Taken Mode:
        "`{0}` needs sm_100 or newer", "choose a newer target, or use `{1}`";
    M010 mode_outside_families (ptx "cp.async.bulk.tensor" on OutsideFamilies) Unseen Mode:
        "`{0}` needs a target of the family sm_100f or sm_110f", "choose such a target, or use `{1}`";

    M011 element_stride_out_of_range (manual "elementStrides") Refused (each ElementStride):
        "{f} is {0}, but a traversal stride is 1 to 8", "write {1}";
    M012 element_stride_0_out_of_range () (Refused "although the manual says that it is ignored without an interleave") (each ElementStride):
        "{f} is {0}, but the driver requires 1 to 8, even where the manual says that it is ignored", "write 1";
    M013 element_stride_0_not_one (ptx "5.5.3.2") Taken (each ElementStride):
        "{f} is {0}, but without an interleave the traversal stride of dimension 0 must be 1", "write 1";
    M014 box_out_of_range (manual "boxDim") Refused (each Box):
        "{f} is {0}, but a box has 1 to 256 elements in each dimension", "write {1}";
    M015 row_not_of_16_bytes (manual "boxDim" ptx "5.5.3.1") Refused (each Box):
        "{f} is {0} of {1} ({2}), but a row of a box must be a multiple of 16 bytes", "write {3}";
    M016 interleaved_row_not_of_16_bytes () (Refused "although the manual asks for it without an interleave only") (each Box):
        "{f} is {0} of {1} ({2}), but the driver requires a multiple of 16 bytes, with an interleave too", "write {3}";
    M017 row_over_span (manual "interleave") Refused (each Box):
        "{f} is {0} elements ({1} bytes), but {2}", "{3}";
    M018 tile_over_shared_memory () Refused Tile:
        "the {f} makes a tile of {0} bytes, but the driver takes at most {1}", "copy it in smaller tiles";
    M019 target_too_old (manual "tensorMap" ptx "cp.async.bulk.tensor" on Below(90)) Unseen Mode:
        "`{0}` maps need sm_90 or newer", "choose a newer target";

    M020 channels_out_of_range (manual "channelsPerPixel") Refused ChannelsPerPixel:
        "{f} is {0}, but a copy takes 1 to 256 channels", "write {1}";
    M021 pixels_out_of_range (manual "pixelsPerColumn") Refused PixelsPerColumn:
        "{f} is {0}, but a copy takes 1 to 1024 pixels", "write {1}";
    M022 ignored_pixels_out_of_range () (Refused "although the mode ignores them") PixelsPerColumn:
        "{f} is {0}, but the driver requires 1 to 1024, although `im2col::w::128` ignores it", "write 128";
    M023 lower_out_of_range (manual "pixelBoxLowerCorner" ptx "5.5.4.1") Refused (each Lower):
        "{f} is {0}, but a corner is {1} to {2} in this mode at rank {3}", "write a corner in that range";
    M024 upper_out_of_range (manual "pixelBoxUpperCorner" ptx "5.5.4.1") Refused (each Upper):
        "{f} is {0}, but a corner is {1} to {2} in this mode at rank {3}", "write a corner in that range";
    M025 wide_lower_out_of_range () (Refused "the limits of im2col at that rank") (each Lower):
        "{f} is {0}, but the driver takes {1} to {2} at rank {3}, although the manual allows 16 bits", "write a corner in that range";
    M026 wide_upper_out_of_range () (Refused "the limits of im2col at that rank") (each Upper):
        "{f} is {0}, but the driver takes {1} to {2} at rank {3}, although the manual allows 16 bits", "write a corner in that range";
    M027 wide_swizzle (manual "swizzle" ptx "cp.async.bulk.tensor") Taken Swizzle:
        "{f} is `{0}`, but `{1}` needs a swizzle that does not flip", "write `B128`";
    M028 wide_swizzle_of_manual (manual "swizzle") Taken Swizzle:
        "{f} is `{0}`, but `{1}` takes only `B64`, `B128` and `B128Atom32`", "write `B128`";
    M029 wide_interleave (ptx "5.5.6") Taken Interleave:
        "{f} is `{0}`, but `{1}` takes no interleave", "write `None`";

    M030 interleave_32_swizzle (manual "swizzle") Taken Swizzle:
        "{f} is `{0}`, but the interleave `B32` takes only the swizzle `B32`", "{1}";
    M031 interleave_96 (ptx "cp.async.bulk.tensor") Unseen Interleave:
        "{f} is `{0}`, but the swizzle `B96` takes no interleave", "write `None`";
    M032 nan_fill_of_integers (manual "oobFill") Refused OobFill:
        "{f} is `Nan`, but `{0}` elements are not floating-point numbers", "write `Zero`";
    M033 flip_stored (ptx "cp.async.bulk.tensor") Unseen Swizzle:
        "{f} is `B128Atom32Flip8`, which is for loads, but `{0}` stores", "write `B128Atom32`";
    M034 element_direction (ptx "5.5.1.1") Unseen Element:
        "`{0}` elements can only be {1}, which `{2}` does not do", "{3}";

    M040 padded_box (manual "boxDim" ptx "cp.async.bulk.tensor") Unseen (each Box):
        "{f} is {0}, but a row of `{1}` is 128 elements", "write 128";
    M041 stored_box (manual "boxDim" ptx "cp.async.bulk.tensor" on AllBut(Target::Sm103a)) Unseen (each Box):
        "{f} is {0}, but a row of `{1}` is 128 elements", "write 128";
    M042 stored_box_of_sm_103a (ptx "cp.async.bulk.tensor" on Only(Target::Sm103a)) Unseen (each Box):
        "{f} is {0}, but a row of `{1}` is 64 or 128 elements on sm_103a", "write {2}";
    M043 padded_swizzle (manual "swizzle") Unseen Swizzle:
        "{f} is `{0}`, but `{1}` takes only `None`, `B128` and `B128Atom32`", "{2}";
    M044 stored_swizzle (manual "swizzle") Unseen Swizzle:
        "{f} is `{0}`, but `{1}` takes only `None`, `B128`, `B128Atom32` and `B128Atom64`, and `B64` and `B96` on sm_103a", "{2}";
    M045 stored_swizzle_of_sm_103a (manual "swizzle" on AllBut(Target::Sm103a)) Unseen Swizzle:
        "{f} is `{0}`, which `{1}` takes on sm_103a only", "{2}";
    M046 six_bits_interleave (manual "interleave") Unseen Interleave:
        "{f} is `{0}`, but `{1}` takes no interleave", "write `None`";

    /// Rules of a declaration with a tensor.
    fn tensor(spec: &Spec, tensor: &Tensor) tests (spec, tensor, i) each (i in spec, at once breaks_tensor) of "",
        allowed (on Map), silent never;
    M050 address_alignment (manual "globalAddress" ptx "5.5.3.1") Refused Address:
        "{f} is {0}, but a tensor starts at a multiple of 16 bytes", "use {1} or {2}";
    M051 interleaved_address_alignment (manual "globalAddress") Refused Address:
        "{f} is {0}, but with the interleave `B32` a tensor starts at a multiple of 32 bytes", "use {1} or {2}";
    M052 padded_address_alignment (manual "globalAddress") Unseen Address:
        "{f} is {0}, but a tensor of `{3}` starts at a multiple of 32 bytes", "use {1} or {2}";
    M053 dim_out_of_range (manual "globalDim") Refused (each Dim):
        "{f} is {0}, but a dimension has 1 to 4294967296 elements", "write {1}";
    M054 padded_dim (manual "globalDim") Unseen (each Dim):
        "{f} is {0}, but a row of a tensor of `{1}` is a multiple of {2} elements", "pad it to {3}";
    M055 stride_alignment (manual "globalStrides") Refused (each Stride):
        "{f} is {0} bytes, but a stride is a multiple of 16", "pad it to {1}";
    M056 stride_too_large (manual "globalStrides") Refused (each Stride):
        "{f} is {0} bytes, but a stride is less than 1,099,511,627,776 (2^40)", "write {1} or less";
    M057 interleaved_stride_alignment (manual "globalStrides") Refused (each Stride):
        "{f} is {0} bytes, but with the interleave `B32` a stride is a multiple of 32", "pad it to {1}";
    M058 padded_stride_alignment (manual "globalStrides") Unseen (each Stride):
        "{f} is {0} bytes, but a stride of `{2}` is a multiple of 32", "pad it to {1}";
    M059 stride_too_short (manual "globalStrides") Taken (each Stride):
        "{f} is {0} bytes, but dimension {1} takes {2}: elements would overlap", "write {3} or more";
    M060 corners_empty (manual "pixelBoxUpperCorner" ptx "5.5.4.1") Refused (each Dim):
        "{f} is {0}, but the corners {1} and {2} leave {3} pixels of it", "leave at least 1";
    M061 corners_of_large_dim () (Refused "it adds the upper corner in signed numbers of 32 bits") (each Dim):
        "{f} is {0}, and with the upper corner the driver computes {1} as the end in `{2}`", "write {3} or less";
    M062 corners_of_interleaved_dim () (Refused "with an interleave it reads the dimension before") (each Dim):
        "{f} is {0}, but the corners {1} and {2}, which the driver applies to it with an interleave, leave {3} pixels", "leave at least 1";
    M063 interleaved_corners_empty (manual "pixelBoxUpperCorner" ptx "5.5.4.1") Taken (each Dim):
        "{f} is {0}, but the corners {1} and {2} leave {3} pixels of it", "leave at least 1";
    M064 address_too_large () Refused Address:
        "{f} is {0}, but the driver takes addresses below {1} (2^57)", "use an address in the GPU's memory";
    M065 more_dimensions (manual "tensorRank") Taken Rank:
        "the tensor has {0} dimensions (`dims[{1}]` is {2}), but the map has {3}", "give the map a rank of {0}, or make `dims[{1}]` 1";
}

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    find(RULES, code)
}

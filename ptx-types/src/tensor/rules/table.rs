//! The table. A new rule is one row here and its test beside the others of its subject.

use super::padded::*;
use super::spec::*;
use super::tensor::*;
use super::{Field, Observed, Rule, Subject, Targets, Violation};
use crate::target::Target;
use crate::tensor::spec::{Spec, Tensor};

/// A source of a rule: `no`, or what it says.
macro_rules! source {
    (no) => {
        None
    };
    ($says:literal) => {
        Some($says)
    };
}

/// What was observed: `refused`, `taken`, `unseen`, or how the driver goes its own way.
macro_rules! observed {
    (refused) => {
        Observed::Refused("")
    };
    (taken) => {
        Observed::Taken
    };
    (unseen) => {
        Observed::Unseen
    };
    ($says:literal) => {
        Observed::Refused($says)
    };
}

macro_rules! rules {
    ($(
        $(#[$doc:meta])*
        fn $subject:ident($($param:ident: $Param:ty),*) tests $args:tt at $i:ident of $spec:ident, $Subject:ident;
        $($code:ident $test:ident manual $manual:tt ptx $ptx:tt observed $observed:tt
            $blames:expr, $targets:expr => $message:literal, $fix:literal;)*
    )*) => {
        $($(
            const $code: Rule = Rule {
                code: stringify!($code),
                name: stringify!($test),
                subject: Subject::$Subject,
                manual: source!($manual),
                ptx: source!($ptx),
                observed: observed!($observed),
                targets: $targets,
                blames: $blames,
                message: $message,
                fix: $fix,
            };
        )*)*

        /// Every rule, by subject.
        pub const RULES: &[Rule] = &[$($($code,)*)*];

        $(
            $(#[$doc])*
            /// The first rule broken at or after the position `from`, and its position; of those
            /// that the driver enforces if `refused` is set.
            pub(super) const fn $subject(
                $($param: $Param,)* target: Option<Target>, refused: bool, from: usize,
            ) -> Option<(usize, Violation)> {
                // No test has anything to say of dimensions that there are not.
                let rank = $spec.dimensions();
                let mut position = 0;
                $(
                    let end = position + const { $code.blames.count() };
                    if from < end
                        && (!refused || const { $code.is_refused() })
                        && $code.targets.hold(target)
                    {
                        let mut $i = from.saturating_sub(position);
                        while $i < const { $code.blames.count() } && $i < rank {
                            if let Some(args) = $test $args {
                                let field = $code.blames.at($i, &$spec.mode);
                                let violation = Violation { rule: &$code, field, args };
                                return Some((position + $i, violation));
                            }
                            $i += 1;
                        }
                    }
                    position = end;
                )*
                let _ = position;
                None
            }
        )*
    };
}

rules! {
    /// Rules of a declaration.
    fn spec(spec: &Spec) tests (spec, i) at i of spec, Spec;
    M001 rank_out_of_range manual "tensorRank" ptx "5.5.1" observed refused
        Field::Rank, Targets::All =>
        "this makes a tensor of {0} dimensions, and there are 1 to 5", "give it {1}";
    M002 interleave_rank manual "tensorRank" ptx "5.5.6" observed refused
        Field::Rank, Targets::All =>
        "a tensor of {0} dimensions has no interleaved layout, which is for 3 to 5", "give it 3, or leave the interleave out";
    M003 im2col_rank manual "tensorRank" ptx "5.5.4" observed refused
        Field::Rank, Targets::All =>
        "a tensor of {0} dimensions has no `{1}`, which is for 3 to 5: channels, 1 to 3 dimensions with corners, and images", "give it 3, or use the mode `tile`";
    M004 gather_rank manual no ptx "5.5.3.4" observed taken
        Field::Rank, Targets::All =>
        "a tensor of {0} dimensions has no `{1}`, which is for matrices", "give it 2";
    M005 gather_interleave manual no ptx "5.5.3.4" observed taken
        Field::Interleave, Targets::All =>
        "{f} is `{0}`, and `{1}` has none", "write `None`";
    M006 element_too_new manual no ptx "cp.async.bulk.tensor" observed refused
        Field::Element, Targets::Below(100) =>
        "`{0}` elements need sm_100 or newer", "choose a newer target, or copy bytes as `u8`";
    M007 swizzle_too_new manual no ptx "cp.async.bulk.tensor" observed refused
        Field::Swizzle, Targets::Below(100) =>
        "the swizzle `{0}` needs sm_100 or newer", "choose a newer target, or write `B128`";
    M008 swizzle_96_target manual no ptx "tensormap.replace" observed "it has no number for it"
        Field::Swizzle, Targets::AllBut(Target::Sm103a) =>
        "the swizzle `B96` is for sm_103a only", "choose that target, or write `{0}`";
    M009 mode_too_new manual no ptx "cp.async.bulk.tensor" observed taken
        Field::Mode, Targets::Below(100) =>
        "`{0}` needs sm_100 or newer", "choose a newer target, or use `{1}`";
    M010 mode_outside_families manual no ptx "cp.async.bulk.tensor" observed unseen
        Field::Mode, Targets::OutsideFamilies =>
        "`{0}` needs a target of the families of sm_100f and sm_110f", "choose such a target, or use `{1}`";

    M011 element_stride_out_of_range manual "elementStrides" ptx no observed refused
        Field::ElementStride(0), Targets::All =>
        "{f} is {0}, and a traversal stride is 1 to 8", "write {1}";
    M012 element_stride_0_out_of_range manual no ptx no observed "although the manual says that it is ignored without an interleave"
        Field::ElementStride(0), Targets::All =>
        "{f} is {0}, and the driver wants 1 to 8 even where the manual says that it is ignored", "write 1";
    M013 element_stride_0_not_one manual no ptx "5.5.3.2" observed taken
        Field::ElementStride(0), Targets::All =>
        "{f} is {0}, and without an interleave the traversal stride of dimension 0 is always 1", "write 1";
    M014 box_out_of_range manual "boxDim" ptx no observed refused
        Field::Box(0), Targets::All =>
        "{f} is {0}, and a box is 1 to 256 elements along each dimension", "write {1}";
    M015 row_not_of_16_bytes manual "boxDim" ptx "5.5.3.1" observed refused
        Field::Box(0), Targets::All =>
        "{f} is {0} elements of {1}, {2} in all, and a row of a box is a multiple of 16 bytes", "write {3}";
    M016 interleaved_row_not_of_16_bytes manual no ptx no observed "although the manual asks for it without an interleave only"
        Field::Box(0), Targets::All =>
        "{f} is {0} elements of {1}, {2} in all, and the driver wants a multiple of 16 bytes, with an interleave too", "write {3}";
    M017 row_over_span manual "interleave" ptx no observed refused
        Field::Box(0), Targets::All =>
        "{f} is {0} elements, {1} bytes in all, and a row is at most {2} bytes with this swizzle", "write {3}, or choose a wider swizzle or none";
    M018 tile_over_shared_memory manual no ptx no observed refused
        Field::Tile, Targets::All =>
        "the {f} makes a tile of {0} bytes, and the driver takes at most {1}", "copy it in smaller tiles";
    M019 target_too_old manual "tensorMap" ptx "cp.async.bulk.tensor" observed unseen
        Field::Mode, Targets::Below(90) =>
        "`{0}` maps need sm_90 or newer", "choose a newer target";

    M020 channels_out_of_range manual "channelsPerPixel" ptx no observed refused
        Field::ChannelsPerPixel, Targets::All =>
        "{f} is {0}, and a copy takes 1 to 256 channels", "write {1}";
    M021 pixels_out_of_range manual "pixelsPerColumn" ptx no observed refused
        Field::PixelsPerColumn, Targets::All =>
        "{f} is {0}, and a copy takes 1 to 1024 pixels", "write {1}";
    M022 ignored_pixels_out_of_range manual no ptx no observed "although the mode ignores them"
        Field::PixelsPerColumn, Targets::All =>
        "{f} is {0}, and the driver wants 1 to 1024, although `im2col::w::128` ignores it", "write 128";
    M023 lower_out_of_range manual "pixelBoxLowerCorner" ptx "5.5.4.1" observed refused
        Field::Lower(0), Targets::All =>
        "{f} is {0}, and a corner is {1} to {2} in this mode at rank {3}", "choose a corner in this range";
    M024 upper_out_of_range manual "pixelBoxUpperCorner" ptx "5.5.4.1" observed refused
        Field::Upper(0), Targets::All =>
        "{f} is {0}, and a corner is {1} to {2} in this mode at rank {3}", "choose a corner in this range";
    M025 wide_lower_out_of_range manual no ptx no observed "the limits of im2col at that rank"
        Field::Lower(0), Targets::All =>
        "{f} is {0}, and the driver takes {1} to {2} at rank {3}, although the manual allows 16 bits", "choose a corner in this range";
    M026 wide_upper_out_of_range manual no ptx no observed "the limits of im2col at that rank"
        Field::Upper(0), Targets::All =>
        "{f} is {0}, and the driver takes {1} to {2} at rank {3}, although the manual allows 16 bits", "choose a corner in this range";
    M027 wide_swizzle manual "swizzle" ptx "cp.async.bulk.tensor" observed taken
        Field::Swizzle, Targets::All =>
        "{f} is `{0}`, and `{1}` needs a swizzle, and none that flips", "write `B128`";
    M028 wide_swizzle_of_manual manual "swizzle" ptx no observed taken
        Field::Swizzle, Targets::All =>
        "{f} is `{0}`, and `{1}` takes `B64`, `B128` and `B128Atom32` only", "write `B128`";
    M029 wide_interleave manual no ptx "5.5.6" observed taken
        Field::Interleave, Targets::All =>
        "{f} is `{0}`, and `{1}` has none", "write `None`";

    M030 interleave_32_swizzle manual "swizzle" ptx no observed taken
        Field::Swizzle, Targets::All =>
        "{f} is `{0}`, and the interleave `B32` goes with the swizzle `B32` only", "write `B32`";
    M031 interleave_96 manual no ptx "cp.async.bulk.tensor" observed unseen
        Field::Interleave, Targets::All =>
        "{f} is `{0}`, and the swizzle `B96` goes with none", "write `None`";
    M032 nan_fill_of_integers manual "oobFill" ptx no observed refused
        Field::OobFill, Targets::All =>
        "{f} is `Nan`, and `{0}` elements are no floating-point numbers", "write `Zero`";
    M033 flip_stored manual no ptx "cp.async.bulk.tensor" observed unseen
        Field::Swizzle, Targets::All =>
        "{f} is `B128Atom32Flip8`, which loads only, and `{0}` stores", "write `B128Atom32`";
    M034 element_direction manual no ptx "5.5.1.1" observed unseen
        Field::Element, Targets::All =>
        "`{0}` elements can only be {1}, and `{2}` is the other way", "write `{3}`";

    M040 padded_box manual "boxDim" ptx "cp.async.bulk.tensor" observed unseen
        Field::Box(0), Targets::All =>
        "{f} is {0}, and a row of `{1}` is 128 elements", "write 128";
    M041 stored_box manual "boxDim" ptx "cp.async.bulk.tensor" observed unseen
        Field::Box(0), Targets::AllBut(Target::Sm103a) =>
        "{f} is {0}, and a row of `{1}` is 128 elements", "write 128";
    M042 stored_box_of_sm_103a manual no ptx "cp.async.bulk.tensor" observed unseen
        Field::Box(0), Targets::Only(Target::Sm103a) =>
        "{f} is {0}, and a row of `{1}` is 64 or 128 elements on sm_103a", "write {2}";
    M043 padded_swizzle manual "swizzle" ptx no observed unseen
        Field::Swizzle, Targets::All =>
        "{f} is `{0}`, and `{1}` takes `None`, `B128` and `B128Atom32` only", "write `B128`";
    M044 stored_swizzle manual "swizzle" ptx no observed unseen
        Field::Swizzle, Targets::All =>
        "{f} is `{0}`, and `{1}` takes `None`, `B128`, `B128Atom32` and `B128Atom64`, and `B64` and `B96` on sm_103a", "write `B128`";
    M045 stored_swizzle_of_sm_103a manual "swizzle" ptx no observed unseen
        Field::Swizzle, Targets::AllBut(Target::Sm103a) =>
        "{f} is `{0}`, which `{1}` takes on sm_103a only", "write `B128`";
    M046 six_bits_interleave manual "interleave" ptx no observed unseen
        Field::Interleave, Targets::All =>
        "{f} is `{0}`, and `{1}` has none", "write `None`";

    /// Rules of a declaration with a tensor.
    fn tensor(spec: &Spec, tensor: &Tensor) tests (spec, tensor, i) at i of spec, Tensor;
    M050 address_alignment manual "globalAddress" ptx "5.5.3.1" observed refused
        Field::Address, Targets::All =>
        "{f} is {0}, and a tensor starts at a multiple of 16 bytes", "use {1} or {2}";
    M051 interleaved_address_alignment manual "globalAddress" ptx no observed refused
        Field::Address, Targets::All =>
        "{f} is {0}, and with the interleave `B32` a tensor starts at a multiple of 32 bytes", "use {1} or {2}";
    M052 padded_address_alignment manual "globalAddress" ptx no observed unseen
        Field::Address, Targets::All =>
        "{f} is {0}, and a tensor of `{3}` starts at a multiple of 32 bytes", "use {1} or {2}";
    M053 dim_out_of_range manual "globalDim" ptx no observed refused
        Field::Dim(0), Targets::All =>
        "{f} is {0}, and a dimension has 1 to 4294967296 elements", "write {1}";
    M054 padded_dim manual "globalDim" ptx no observed unseen
        Field::Dim(0), Targets::All =>
        "{f} is {0}, and a row of a tensor of `{1}` is a multiple of {2} elements", "pad it to {3}";
    M055 stride_alignment manual "globalStrides" ptx no observed refused
        Field::Stride(0), Targets::All =>
        "{f} is {0} bytes, and a stride is a multiple of 16", "pad it to {1}";
    M056 stride_too_large manual "globalStrides" ptx no observed refused
        Field::Stride(0), Targets::All =>
        "{f} is {0} bytes, and a stride is less than 1,099,511,627,776 (2^40)", "write {1} or less";
    M057 interleaved_stride_alignment manual "globalStrides" ptx no observed refused
        Field::Stride(0), Targets::All =>
        "{f} is {0} bytes, and with the interleave `B32` a stride is a multiple of 32", "pad it to {1}";
    M058 padded_stride_alignment manual "globalStrides" ptx no observed unseen
        Field::Stride(0), Targets::All =>
        "{f} is {0} bytes, and a stride of `{2}` is a multiple of 32", "pad it to {1}";
    M059 stride_too_short manual "globalStrides" ptx no observed taken
        Field::Stride(0), Targets::All =>
        "{f} is {0} bytes, and dimension {1} takes {2}: its elements would overlap", "write {3} or more";
    M060 corners_empty manual "pixelBoxUpperCorner" ptx "5.5.4.1" observed refused
        Field::Dim(0), Targets::All =>
        "{f} is {0}, and the corners {1} and {2} leave {3} pixels of it", "leave at least 1";
    M061 corners_of_large_dim manual no ptx no observed "it adds the upper corner in signed numbers of 32 bits"
        Field::Dim(0), Targets::All =>
        "{f} is {0}, of which the driver, with the upper corner, takes {1} for the end in `{2}`", "write {3} or less";
    M062 corners_of_interleaved_dim manual no ptx no observed "with an interleave it reads the dimension before"
        Field::Dim(0), Targets::All =>
        "{f} is {0}, and the corners {1} and {2}, which the driver applies to it with an interleave, leave {3} pixels", "leave at least 1";
    M063 interleaved_corners_empty manual "pixelBoxUpperCorner" ptx "5.5.4.1" observed taken
        Field::Dim(0), Targets::All =>
        "{f} is {0}, and the corners {1} and {2} leave {3} pixels of it", "leave at least 1";
    M064 address_too_large manual no ptx no observed refused
        Field::Address, Targets::All =>
        "{f} is {0}, and the driver takes addresses below {1} (2^57)", "use an address of the GPU's memory";
}

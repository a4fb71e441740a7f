//! `#[ptx::padded]`: structs whose padding is filled, in the layout of Rust and of PTX.
#![allow(unsafe_code, reason = "it implements unsafe traits, as expanded code does")]

use std::mem::{align_of, offset_of, size_of};

use ptx::prelude::*;

/// A tile that is aligned to 1024 bytes.
#[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
pub(crate) struct A;

#[ptx::padded]
#[derive(PtxType)]
#[repr(C)]
pub(crate) struct Stages {
    count: u32,
    a: [Tile<A>; 2],
    full: [Mbarrier; 3],
}

#[ptx::padded]
#[derive(PtxType, Clone, Copy, PartialEq, Default, Debug)]
#[repr(C, align(32))]
pub(crate) struct Config {
    rounds: u8,
    scale: f64,
    half: u16,
    gain: V2<f32>,
}

/// A struct without padding.
#[ptx::padded]
#[derive(PtxType, Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Dense {
    x: u32,
    y: u32,
}

#[ptx::module(target = sm_90a)]
mod storage {
    use super::*;

    #[shared(dynamic)]
    pub static SMEM: Stages;

    #[constant]
    pub static CONFIG: Config =
        Config { rounds: 3, scale: 0.5, half: 7, gain: V2::new([1.0, 2.0]), ..Config::PADDING };

    #[global]
    pub static DENSE: Dense = Dense { x: 1, y: 2, ..Dense::PADDING };

    #[kernel]
    pub fn reads(config: Config) {
        ptx! {
            .reg .f64 %x;
            .reg .b32 %y;
            ld.param.f64 %x, [config + #(offset_of!(Config, scale))];
            ld.const.f64 %x, [CONFIG + #(Config::OFFSETS.scale)];
            ld.global.u32 %y, [DENSE + #(offset_of!(Dense, y))];
            mbarrier.init.shared.b64 [SMEM + #(offset_of!(Stages, full))], 1;
            ret;
        }
    }
}

#[test]
fn fields_are_where_repr_c_has_them() {
    assert_eq!((offset_of!(Stages, a), offset_of!(Stages, full)), (1024, 3072));
    assert_eq!((size_of::<Stages>(), align_of::<Stages>()), (4096, 1024));
    assert_eq!(Stages::OFFSETS.full, 3072);
    let offsets = [Config::OFFSETS.scale, Config::OFFSETS.half, Config::OFFSETS.gain];
    assert_eq!(offsets, [8, 16, 24]);
    assert_eq!((size_of::<Config>(), align_of::<Config>()), (32, 32));
    assert_eq!(size_of::<Dense>(), 8);
}

#[test]
fn values_have_zeros_between_their_fields() {
    let text = storage::MODULE.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let config = ".visible .const .align 32 .b8 CONFIG[32] = {\
                  3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 224, 63, \
                  7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64};";
    assert!(text.contains(config), "{text}");
    assert!(text.contains("DENSE[8] = {1, 0, 0, 0, 2};"), "{text}");
    for ptxas in xtask::oracles() {
        ptxas.assemble(&storage::MODULE).expect("ptxas accepts it");
    }
    assert!(storage::MODULE.check().is_empty());
}

#[test]
fn padding_is_not_part_of_a_value() {
    let config = Config { rounds: 3, ..Config::default() };
    let mut bytes = [0xa5_u8; size_of::<Config>()];
    bytes[0] = 3;
    bytes[8..16].fill(0);
    bytes[16..18].fill(0);
    bytes[24..32].fill(0);
    // SAFETY: any bytes are a valid value of a `PtxType`.
    let copied: Config = unsafe { core::ptr::read_unaligned(bytes.as_ptr().cast()) };
    assert_eq!(copied, config);
    assert_ne!(Config { rounds: 4, ..copied }, config);
}

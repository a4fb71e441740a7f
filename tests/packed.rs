//! Every small float and packed type in every state space that allows it: as an initial value with the
//! host's bytes, and as a kernel parameter.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
#![allow(unreachable_pub)] // it is `.visible` in PTX

use object::read::elf::ElfFile64;
use object::{Object, ObjectSection};
use ptx::float::{Dense, Padded};
use ptx::ir::Init;
use ptx::prelude::*;

/// For each type, declares one variable in each space, with a value where the space allows one, and a kernel
/// that takes it as a parameter.
macro_rules! everywhere {
    ($($name:ident: $T:ty = $value:expr;)*) => {$(
        #[ptx::module(target = sm_90)]
        mod $name {
            use super::*;

            #[constant]
            pub static CONSTANT: [$T; 2] = [$value; 2];
            #[global]
            pub static GLOBAL: [$T; 2] = [$value; 2];
            #[shared]
            static SHARED: [$T; 2];
            #[shared(dynamic)]
            static DYNAMIC: [$T];

            #[kernel]
            pub fn takes(one: $T, two: [$T; 2], pointer: Ptr<Global, $T>) {
                ptx! {
                    .reg .b32 %r;
                    mov.b32 %r, SHARED;
                    mov.b32 %r, DYNAMIC;
                    ret;
                }
            }

            #[device]
            fn passes(one: $T) -> $T {
                ptx! { ret; }
            }
        }

        #[test]
        fn $name() {
            arrives(&$name::MODULE, $name::GLOBAL.bytes());
            assert_eq!($name::GLOBAL.bytes(), 2 * size_of::<$T>());
        }
    )*};
}

/// The bytes of the constant and of the global variable in the cubin equal those of the Rust value.
fn arrives(module: &ptx::Module<'_>, bytes: usize) {
    let rust: Vec<&[u8]> = module
        .variables
        .iter()
        .filter_map(|variable| match variable.init {
            Init::Bytes(bytes) => Some(bytes),
            _ => None,
        })
        .collect();
    assert_eq!(rust.len(), 2);
    assert!(rust.iter().all(|value| value.len() == bytes && value.iter().any(|byte| *byte != 0)));
    for ptxas in xtask::oracles() {
        let assembled = match ptxas.assemble(module) {
            Ok(assembled) => assembled,
            Err(error) => panic!("{error}\n{module}"),
        };
        let elf: ElfFile64 = ElfFile64::parse(&*assembled.cubin).expect("ptxas writes ELF");
        for section in [".nv.constant3", ".nv.global.init"] {
            let section = elf.section_by_name(section).expect("the section exists");
            assert_eq!(section.data().expect("it has bytes"), rust[0], "{module}");
        }
    }
}

everywhere! {
    e4m3: E4M3 = E4M3::from_f32(-1.625);
    e5m2: E5M2 = E5M2::from_f32(1e-3);
    ue4m3: Ue4m3 = Ue4m3::from_f32(0.3);
    tf32: Tf32 = Tf32::from_f32(0.1);
    f16x2: F16x2 = F16x2::from_lanes([f16::PI, f16::NEG_INFINITY]);
    f32x2: F32x2 = F32x2::from_lanes([0.1, -2.0]);
    bf16x2: Bf16x2 = Bf16x2::from_lanes([bf16::PI, bf16::NAN]);
    e4m3x2: E4M3x2 = E4M3x2::from_f32_array([448.0, -0.0]);
    e4m3x4: E4M3x4 = E4M3x4::from_f32_array([0.1, 0.2, -0.3, f32::NAN]);
    e5m2x2: E5M2x2 = E5M2x2::from_f32_array([-3.0, 57344.0]);
    e5m2x4: E5M2x4 = E5M2x4::from_f32_array([1.0, 2.0, 3.0, -4.0]);
    e2m3x2: E2M3x2 = E2M3x2::from_f32_array([7.5, -0.125]);
    e2m3x4: E2M3x4 = E2M3x4::from_f32_array([7.5, -7.5, 0.125, 1.0]);
    e3m2x2: E3M2x2 = E3M2x2::from_f32_array([28.0, -0.0625]);
    e3m2x4: E3M2x4 = E3M2x4::from_f32_array([28.0, -28.0, 0.25, 0.0]);
    e2m1x2: E2M1x2 = E2M1x2::from_f32_array([6.0, -0.5]);
    e2m1x4: E2M1x4 = E2M1x4::from_f32_array([6.0, -0.5, 1.5, 4.0]);
    ue8m0x2: Ue8m0x2 = Ue8m0x2::from_f32_array([1.0, 1e30]);
    u16x2: U16x2 = U16x2::from_lanes([1, 65_535]);
    s16x2: S16x2 = S16x2::from_lanes([-1, i16::MAX]);
    dense_e2m1: Dense<E2M1, 4> =
        Dense::from_elements(E2M1::from_f32_array([0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -6.0]));
    padded_e2m3: Padded<E2M3> = Padded::from_elements(E2M3::from_f32_array([7.5; 16]));
    padded_e2m1: Padded<E2M1> = Padded::from_elements([E2M1::MIN; 16]);
    padded_e3m2: Padded<E3M2> = Padded::from_elements([E3M2::ONE; 16]);
    dense_e2m3: Dense<E2M3, 3> = Dense::from_elements([E2M3::MAX; 4]);
    dense_e3m2: Dense<E3M2, 12> = Dense::from_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
}

/// Each small float that PTX variables can have, whether it has a row above or not.
#[allow(non_snake_case)] // named like the types
mod alone {
    use super::*;

    macro_rules! rows {
        ($($(#[$_type:meta])* $F:ident($_Bits:ident) {
            cvt: $_modifiers:literal = $_cvt:expr,
            with: [$($_word:ident)*],
            $(#[$_format:meta])* format: $_ROW:ident { $($_fields:tt)* },
            $(variable: $Scalar:ident,)?
        })*) => {
            everywhere! { $($($Scalar: ptx::$F = ptx::$F::from_f32(0.3);)?)* }
        };
    }
    ptx::__small_floats!(rows);
}

/// The first operand of `cvt` goes to the highest lane (PTX ISA, `cvt`).
#[test]
fn lanes_stand_as_cvt_has_them() {
    assert_eq!(E4M3x2::from_f32_array([1.0, 2.0]).to_bits(), 0x4038);
    assert_eq!(E2M1x4::from_f32_array([0.5, 1.0, 1.5, -6.0]).to_bits(), 0xf321);
    assert_eq!(E2M3x4::from_f32_array([-7.5; 4]).to_bits(), 0x3f3f_3f3f);
    let packed = E5M2x4::from_f32_array([1.0, 2.0, 3.0, 4.0]);
    assert_eq!(packed.get(3), Some(E5M2::from_f32(4.0)));
    assert_eq!(packed.get(4), None);
    assert_eq!(packed.with(0, E5M2::ZERO).map(E5M2x4::to_f32_array), Some([0.0, 2.0, 3.0, 4.0]));
    assert_eq!(packed.with(4, E5M2::ZERO), None);
}

#[ptx::module(target = sm_100a, version = 8.7)]
mod of_sm_100a {
    use super::*;

    #[kernel]
    pub fn converts(results: Ptr<Global, u32, U16>, random: u32) {
        ptx! {
            .reg .b64 %to;
            .reg .b32 %random, %r;
            .reg .b16 %h;
            .reg .b8 %b;
            .reg .f32 %x<4>;
            ld.param.u64 %to, [results];
            ld.param.u32 %random, [random];
            ld.global.v4.b32 {%x0, %x1, %x2, %x3}, [%to];
            cvt.rn.satfinite.e2m1x2.f32 %b, %x0, %x1;
            cvt.rn.f16x2.e2m1x2 %r, %b;
            cvt.rn.satfinite.relu.e2m1x2.f32 %b, %x0, %x1;
            cvt.rn.relu.f16x2.e2m1x2 %r, %b;
            cvt.rn.satfinite.e2m3x2.f32 %h, %x0, %x1;
            cvt.rn.f16x2.e2m3x2 %r, %h;
            cvt.rn.satfinite.relu.e2m3x2.f32 %h, %x0, %x1;
            cvt.rn.relu.f16x2.e2m3x2 %r, %h;
            cvt.rn.satfinite.e3m2x2.f32 %h, %x0, %x1;
            cvt.rn.f16x2.e3m2x2 %r, %h;
            cvt.rn.satfinite.relu.e3m2x2.f32 %h, %x0, %x1;
            cvt.rn.relu.f16x2.e3m2x2 %r, %h;
            cvt.rz.ue8m0x2.f32 %h, %x0, %x1;
            mov.b32 %r, 0x3f803f80;
            cvt.rz.ue8m0x2.bf16x2 %h, %r;
            cvt.rz.satfinite.ue8m0x2.f32 %h, %x0, %x1;
            cvt.rz.satfinite.ue8m0x2.bf16x2 %h, %r;
            cvt.rp.ue8m0x2.f32 %h, %x0, %x1;
            cvt.rp.ue8m0x2.bf16x2 %h, %r;
            cvt.rp.satfinite.ue8m0x2.f32 %h, %x0, %x1;
            cvt.rp.satfinite.ue8m0x2.bf16x2 %h, %r;
            cvt.rn.bf16x2.ue8m0x2 %r, %h;
            cvt.rn.satfinite.tf32.f32 %r, %x0;
            cvt.rn.satfinite.relu.tf32.f32 %r, %x0;
            cvt.rz.satfinite.tf32.f32 %r, %x0;
            cvt.rz.satfinite.relu.tf32.f32 %r, %x0;
            cvt.rs.f16x2.f32 %r, %x0, %x1, %random;
            cvt.rs.bf16x2.f32 %r, %x0, %x1, %random;
            cvt.rs.satfinite.f16x2.f32 %r, %x0, %x1, %random;
            cvt.rs.satfinite.bf16x2.f32 %r, %x0, %x1, %random;
            cvt.rs.relu.f16x2.f32 %r, %x0, %x1, %random;
            cvt.rs.relu.bf16x2.f32 %r, %x0, %x1, %random;
            cvt.rs.relu.satfinite.f16x2.f32 %r, %x0, %x1, %random;
            cvt.rs.relu.satfinite.bf16x2.f32 %r, %x0, %x1, %random;
            cvt.rs.satfinite.e4m3x4.f32 %r, {%x0, %x1, %x2, %x3}, %random;
            cvt.rs.satfinite.e5m2x4.f32 %r, {%x0, %x1, %x2, %x3}, %random;
            cvt.rs.satfinite.e2m3x4.f32 %r, {%x0, %x1, %x2, %x3}, %random;
            cvt.rs.satfinite.e3m2x4.f32 %r, {%x0, %x1, %x2, %x3}, %random;
            cvt.rs.satfinite.e2m1x4.f32 %h, {%x0, %x1, %x2, %x3}, %random;
            cvt.rs.relu.satfinite.e4m3x4.f32 %r, {%x0, %x1, %x2, %x3}, %random;
            cvt.rs.relu.satfinite.e5m2x4.f32 %r, {%x0, %x1, %x2, %x3}, %random;
            cvt.rs.relu.satfinite.e2m3x4.f32 %r, {%x0, %x1, %x2, %x3}, %random;
            cvt.rs.relu.satfinite.e3m2x4.f32 %r, {%x0, %x1, %x2, %x3}, %random;
            cvt.rs.relu.satfinite.e2m1x4.f32 %h, {%x0, %x1, %x2, %x3}, %random;
            st.global.u32 [%to], %r;
            st.global.b16 [%to + 4], %h;
            ret;
        }
    }
}

/// Conversions that need newer GPUs assemble, as the documentation of the formats states.
#[test]
fn conversions_of_sm_100a_assemble() {
    for ptxas in xtask::oracles() {
        ptxas.assemble(&of_sm_100a::MODULE).unwrap_or_else(|error| panic!("{error}"));
    }
}

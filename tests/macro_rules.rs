//! A whole module from a `macro_rules!`: its types, extents and registers arrive as fragments in invisible
//! groups, and the tokens of the macro itself are not adjacent in the source.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
use ptx::prelude::*;

macro_rules! accumulator {
    (
        $name:ident, $target:ident, $version:literal, $ty:ty, $mnemonic:ident,
        $rows:expr, $cols:literal, $value:expr, [$($reg:ident),*], $scratch:ident
    ) => {
        #[ptx::module(target = $target, version = $version)]
        mod $name {
            #[allow(unused)]
            use super::*;

            #[constant]
            pub(crate) static TABLE: [[$ty; $cols]; $rows] = [[$value; $cols]; $rows];
            #[shared(align = $cols * 4)]
            pub(crate) static TILE: [V4<$ty>; $cols];
            #[shared(dynamic)]
            static SCRATCH: [$ty];

            #[kernel(maxntid = $cols)]
            pub(crate) fn sum(out: Ptr<Global, $ty>) {
                ptx! {
                    .reg .$mnemonic $(%$reg),*, %$scratch;
                    .reg .b64 %address, %d;
                    .reg .b32 %s<2>;
                    ld.param.u64 %address, [out];
                    mov.b32 %s0, SCRATCH;
                    mov.b32 %s1, TILE;
                    ld.const.$mnemonic %$scratch, [TABLE + #($cols * core::mem::size_of::<$ty>())];
                    $(
                        mov.$mnemonic %$reg, #($value);
                        add.$mnemonic %$scratch, %$scratch, %$reg;
                    )*
                    st.global.$mnemonic [%address], %$scratch;
                    ret;
                }
            }
        }
    };
}

accumulator!(floats, sm_90a, 8.6, f32, f32, 1 + 1, 8, 0.5_f32, [a, b, c], total);
accumulator!(ints, sm_80, 7.0, u32, u32, 2 + 1, 16, 7, [x0], sum);

macro_rules! table {
    ($name:ident, $values:ident = $list:expr, $offset:literal, $step:expr, $function:ident, $ty:ty) => {
        #[ptx::module(target = sm_80)]
        mod $name {
            use super::*;

            #[global]
            static $values: [$ty; 4] = $list;
            #[global]
            static POINTERS: [Ptr<Generic, $ty>; 2] =
                [generic($values) + $offset, generic($values) + $step];
            #[constant]
            static FUNCTIONS: [u64; 1] = [addr($function)];

            #[device]
            fn $function(x: Reg<$ty>) -> Reg<$ty> {
                ptx! {
                    mov.b32 returned, x;
                    ret;
                }
            }

            #[kernel]
            fn k() {
                ptx! {
                    .reg .b32 %r;
                    call (%r), $function, ($offset);
                    ret;
                }
            }
        }
    };
}

table!(pointers, VALUES = [1, 2, 3, 4], 4, 2 * size_of::<u32>(), same, u32);

#[test]
fn addresses_and_functions_come_out_of_macros() {
    let text = pointers::MODULE.to_string();
    assert!(text.contains("POINTERS[2] = {generic(VALUES)+4, generic(VALUES)+8};"), "{text}");
    assert!(text.contains("call (%r), same, (4);"), "{text}");
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(&pointers::MODULE) {
            panic!("{refused}\n{text}");
        }
    }
}

#[test]
fn modules_come_out_of_macros() {
    let floats = floats::MODULE.to_string();
    assert!(floats.contains(".visible .const .f32 TABLE[2][8] = {"), "{floats}");
    assert!(floats.contains(".visible .shared .align 32 .v4 .f32 TILE[8];"), "{floats}");
    assert!(floats.contains(".reg .f32 %a, %b, %c, %total;"), "{floats}");
    assert!(floats.contains("ld.const.f32 %total, [TABLE+32];"), "{floats}");
    assert!(floats.contains("mov.f32 %b, 0f3F000000;"), "{floats}");
    let ints = ints::MODULE.to_string();
    assert!(ints.contains("mov.u32 %x0, 7;"), "{ints}");
    for ptxas in xtask::oracles() {
        for module in [&floats::MODULE, &ints::MODULE] {
            if let Err(refused) = ptxas.assemble(module) {
                panic!("{refused}\n{module}");
            }
        }
    }
}

//! The bytes that ptxas puts into the cubin equal the bytes of the Rust values.

use object::read::elf::ElfFile64;
use object::{Object, ObjectSection};
use proptest::prelude::*;
use ptx::ir::{Extent, Init, Linkage, Module, Type, Variable};
use ptx::prelude::*;
use ptx::{ScalarType, Space, Target};

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Mixed {
    wide: u64,
    float: f32,
    half: f16,
    byte: u8,
    _pad: u8,
}

#[ptx::module(target = sm_80)]
mod constants {
    use super::*;

    #[constant]
    pub static A: u8 = 200;
    #[constant]
    pub static B: i64 = i64::MIN;
    #[constant]
    pub static C: [i16; 5] = [-1, 2, 0, i16::MIN, 0];
    #[constant]
    pub static D: f64 = -0.1;
    #[constant]
    pub static E: [f32; 4] = [f32::NAN, f32::INFINITY, f32::MIN_POSITIVE, -0.0];
    #[constant]
    pub static F: [f16; 3] = [f16::MAX, f16::ZERO, f16::NAN];
    #[constant]
    pub static G: bf16 = bf16::MIN;
    #[constant]
    pub static H: [V4<u8>; 2] = [V4::new([1, 2, 3, 4]), V4::new([5, 6, 7, 255])];
    #[constant]
    pub static I: [B128; 2] = [B128(u128::MAX / 3), B128(1 << 127)];
    #[constant]
    pub static J: [[u32; 3]; 3] = [[1, 0, 0], [0, 0, 0], [0, 0, u32::MAX]];
    #[constant]
    pub static K: Mixed =
        Mixed { wide: u64::MAX - 1, float: 1.5, half: f16::ONE, byte: 9, _pad: 0 };
    #[constant]
    pub static L: V2<i64> = V2::new([-1, 1]);
    #[constant]
    pub static M: [B64; 2] = [B64(0xFEDC_BA98_7654_3210), B64(9)];
}

/// The module's constants as ptxas lays them out: visible ones first, in order of declaration.
fn expected(variables: &[&Variable<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for visible in [true, false] {
        for variable in variables {
            if variable.linkage.is_exported() != visible {
                continue;
            }
            let align = variable.alignment().expect("the type is known");
            bytes.resize(bytes.len().next_multiple_of(align), 0);
            match variable.init {
                Init::Bytes(value) => bytes.extend_from_slice(value),
                _ => bytes.resize(bytes.len() + variable.bytes().expect("known"), 0),
            }
        }
    }
    bytes
}

fn constants_of(cubin: &[u8]) -> Vec<u8> {
    let elf: ElfFile64 = ElfFile64::parse(cubin).expect("ptxas writes ELF");
    let section = elf.section_by_name(".nv.constant3").expect("there are constants");
    section.data().expect("the section has bytes").to_vec()
}

#[test]
fn every_kind_of_value_arrives() {
    for ptxas in xtask::oracles() {
        let assembled = ptxas.assemble(&constants::MODULE).expect("ptxas accepts it");
        let expected = expected(constants::MODULE.variables);
        assert_eq!(constants_of(&assembled.cubin), expected);
        assert_eq!(assembled.report.const_bytes, expected.len());
        assert_eq!(constants::MODULE.const_bytes(), Some(expected.len()));
    }
}

/// A type made from a scalar: the scalar itself, a vector, an array of these, or an array of arrays. Its values are random
/// bytes, as Rust has them; the initial values of ptx-smith are numbers, as PTX has them.
fn types() -> impl Strategy<Value = Type<'static>> {
    let scalars: Vec<ScalarType> = ScalarType::ALL
        .iter()
        .copied()
        .filter(|scalar| !matches!(scalar, ScalarType::Pred | ScalarType::F16x2))
        .collect();
    let leaf = (prop::sample::select(scalars), prop::sample::select(vec![1_u8, 2, 4])).prop_map(
        |(scalar, lanes)| {
            if lanes == 1 || usize::from(lanes) * scalar.bytes() > 16 {
                Type::Scalar(scalar)
            } else {
                Type::Vector(lanes, scalar)
            }
        },
    );
    let array = |ty: Type<'static>, extent: usize| {
        Type::Array(Extent::Known(extent), Box::leak(Box::new(ty)))
    };
    (leaf, prop::collection::vec(1..5_usize, 0..3))
        .prop_map(move |(leaf, extents)| extents.into_iter().fold(leaf, array))
}

/// A variable with arbitrary bytes, often ending in zeros.
fn variables() -> impl Strategy<Value = Variable<'static>> {
    (types(), any::<u64>(), 0..3_usize, any::<bool>(), 0..3_u32).prop_map(
        |(ty, seed, zeros, visible, over)| {
            let size = ty.size().expect("the type is known");
            let mut state = seed | 1;
            let mut bytes: Vec<u8> = (0..size)
                .map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    state.to_le_bytes()[4]
                })
                .collect();
            // Zeros at the end, and in runs before it.
            bytes[(size * zeros / 2).min(size)..].fill(0);
            for stretch in bytes.chunks_mut(8).filter(|stretch| stretch[0] % 2 == 0) {
                stretch.fill(0);
            }
            let align = ty.align().expect("the type is known") << over;
            Variable {
                linkage: if visible { Linkage::Visible } else { Linkage::Internal },
                align: (over > 0).then_some(align),
                init: Init::Bytes(bytes.leak()),
                ..Variable::new(Space::Const, "", Box::leak(Box::new(ty)))
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn any_value_of_any_type_arrives(variables in prop::collection::vec(variables(), 1..24)) {
        let named: Vec<Variable<'_>> = variables
            .iter()
            .enumerate()
            .map(|(i, variable)| Variable { name: format!("v{i}").leak(), ..*variable })
            .collect();
        let variables: Vec<&Variable<'_>> = named.iter().collect();
        let module = Module {
            variables: &variables,
            ..Module::new("m", Target::Sm80)
        };
        prop_assert!(ptx::rules::check_module(&module).is_empty());
        let expected = expected(&variables);
        prop_assert_eq!(module.const_bytes(), Some(expected.len()));
        for ptxas in xtask::oracles() {
            let assembled = ptxas.assemble(&module).map_err(|error| {
                TestCaseError::fail(format!("{error}\n{}", ptx::Module::new(module)))
            })?;
            prop_assert_eq!(constants_of(&assembled.cubin), expected.clone(), "{}", ptx::Module::new(module));
        }
    }
}

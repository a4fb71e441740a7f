//! Every table row, syntax form and example of sections 5.1 to 5.5 of the PTX ISA, and the test that
//! covers it. `docs/coverage.md` is written from here; a row fails if it has no test, or if its test does not
//! exist or does not mention what it covers.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use expect_test::expect_file;
use ptx::float::Format;
use ptx::special::SPECIAL_REGISTERS;
use ptx::{ChannelOrder, ChannelType, Member, ScalarType, Space};
use tests::root;

/// A row: its place in the chapter, a description, the test (`file::function`, or a file of `ui-tests/`), and
/// a text that the test contains if it covers the row.
struct Row {
    place: String,
    what: String,
    test: &'static str,
    evidence: String,
}

fn row(place: &str, what: &str, test: &'static str, evidence: &str) -> Row {
    Row { place: place.to_owned(), what: what.to_owned(), test, evidence: evidence.to_owned() }
}

/// Rows that are written by hand: place, description, test, evidence.
const ROWS: &[(&str, &str, &str, &str)] = &[
    ("Table 7", "`.reg`: not addressable", "ui-tests/body_grammar", "registers have no addresses"),
    ("Table 7", "`.reg`: not initialisable", "ui-tests/d007_initialiser_space", ".reg"),
    ("Table 7", "`.sreg`: predefined", "ui-tests/d017_space_not_here", "predefined"),
    ("Table 7", "`.sreg`: read-only", "ui-tests/a016_special_written", "A016"),
    ("Table 7", "`.const`: read-only", "ui-tests/a017_constant_written", "A017"),
    (
        "Table 7",
        "`.const`: addressable, initialisable, zero by default",
        "bytes::every_kind_of_value_arrives",
        "#[constant]",
    ),
    (
        "Table 7",
        "`.global`: addressable, initialisable, zero by default",
        "golden::scalars_of_every_type",
        "#[global]",
    ),
    (
        "Table 7",
        "`.local`: per thread, not initialisable",
        "ui-tests/d007_initialiser_space",
        ".local",
    ),
    (
        "Table 7",
        "`.param` of a kernel: read-only",
        "ui-tests/a001_input_written",
        "a kernel's parameters are read-only",
    ),
    (
        "Table 7",
        "`.param` of a kernel: the address may be taken",
        "chapter5::examples_of_5_1_6_1",
        "mov.u64 %ptr, len;",
    ),
    (
        "Table 7",
        "`.param` in functions: restricted",
        "ui-tests/a003_address_of_local_param",
        "A003",
    ),
    (
        "Table 7",
        "`.param` in functions: inputs are not written",
        "ui-tests/a001_input_written",
        "the inputs of a function are read-only",
    ),
    ("Table 7", "`.param` in functions: returns are not read", "ui-tests/a002_return_read", "A002"),
    (
        "Table 7",
        "`.shared`: addressable, not initialisable",
        "ui-tests/d007_initialiser_space",
        ".shared",
    ),
    ("Table 7", "`.tex`: deprecated", "ui-tests/addresses", ".global .texref"),
    (
        "5.1.1",
        "registers: scalars of 8 to 128 bits",
        "registers::registers_of_every_type",
        "ScalarType::ALL",
    ),
    ("5.1.1", "registers: vectors of 16 to 128 bits", "registers::registers_of_every_type", ".v4"),
    ("5.1.1", "registers: predicates", "registers::registers_of_every_type", "pred"),
    ("5.1.1", "no `.reg` at module scope", "ui-tests/host_side", "m::COUNTER"),
    (
        "5.1.3",
        "64 KiB of constants, one variable",
        "ui-tests/d009_const_variable_over_limit",
        "D009",
    ),
    (
        "5.1.3",
        "64 KiB of constants in total, with padding",
        "ui-tests/t003_const_over_limit",
        "T003",
    ),
    (
        "5.1.3",
        "pointers to constant buffers as parameters",
        "golden::kernel_parameters_and_directives",
        ".ptr .const",
    ),
    (
        "5.1.3.1",
        "`.const[2]` declared and accessed: the modern form is taught",
        "ui-tests/addresses",
        "no banks",
    ),
    ("5.1.5", "`.local` in functions", "chapter5::examples_of_5_4_3", ".local"),
    (
        "5.1.6",
        "`ld.param::entry`, `ld.param::func`, `st.param::func`",
        "ui-tests/a009_wrong_sub_space",
        ".param::func",
    ),
    ("5.1.6", "the version of `::entry` and `::func`", "ui-tests/a011_sub_space_too_new", "A011"),
    (
        "5.1.6.1",
        "kernel parameters: scalars",
        "golden::kernel_parameters_and_directives",
        ".param .u32",
    ),
    (
        "5.1.6.1",
        "kernel parameters: byte arrays with an alignment",
        "golden::kernel_parameters_and_directives",
        ".align",
    ),
    ("5.1.6.1", "the size of the parameter space", "ui-tests/f001_params_over_limit", "F001"),
    (
        "5.1.6.1",
        "no `cvta.const` beside pointers to constant buffers",
        "ui-tests/a012_constant_pointer_and_cvta",
        "A012",
    ),
    (
        "5.1.6.3",
        "`.ptr .const .align N`",
        "golden::kernel_parameters_and_directives",
        ".ptr .const",
    ),
    (
        "5.1.6.3",
        "`.ptr .global .align N`",
        "golden::kernel_parameters_and_directives",
        ".ptr .global",
    ),
    (
        "5.1.6.3",
        "`.ptr .local .align N`",
        "golden::kernel_parameters_and_directives",
        ".ptr .local",
    ),
    (
        "5.1.6.3",
        "`.ptr .shared .align N`",
        "golden::kernel_parameters_and_directives",
        ".ptr .shared",
    ),
    (
        "5.1.6.3",
        "`.ptr .align N`, generic",
        "golden::kernel_parameters_and_directives",
        ".ptr .align",
    ),
    ("5.1.6.3", "N is a power of two", "ui-tests/d020_pointer_not_power_of_two", "D020"),
    (
        "5.1.6.4",
        "device functions: `.reg` inputs and returns",
        "storage::device_functions_take_structs_and_registers",
        ".reg .u32 a",
    ),
    (
        "5.1.6.4",
        "device functions: `.param` inputs and returns",
        "storage::addresses_stand_after_what_they_name",
        ".param .f32 sum",
    ),
    (
        "5.1.6.4",
        "structs by value as aligned bytes",
        "storage::device_functions_take_structs_and_registers",
        ".param .align 8 .b8 s[16]",
    ),
    (
        "5.1.6.4",
        "several returns in registers",
        "storage::device_functions_take_structs_and_registers",
        "is_exact",
    ),
    (
        "5.1.6.4",
        "locally scoped byte arrays, and calls with them",
        "storage::device_functions_take_structs_and_registers",
        ".param .align 8 .b8 a[16]",
    ),
    ("5.1.6.4", "calls: the number of values", "ui-tests/c002_call_args", "C002"),
    ("5.1.6.4", "calls: what is received", "ui-tests/c003_call_returns", "C003"),
    ("5.1.6.4", "calls: sizes and kinds", "ui-tests/c005_argument_type", "C005"),
    ("5.1.6.4", "calls: alignment", "ui-tests/c006_argument_alignment", "C006"),
    (
        "5.1.6.4",
        "`mov` of a local `.param` is refused",
        "ui-tests/a003_address_of_local_param",
        "A003",
    ),
    (
        "5.1.6.4",
        "`mov` of a return parameter from PTX 6.0",
        "ui-tests/a004_address_of_return_too_new",
        "A004",
    ),
    (
        "5.1.6.4",
        "`.extern .func`",
        "storage::device_functions_take_structs_and_registers",
        "vprintf",
    ),
    ("5.1.7", "static shared memory", "memory_map::ptxas_counts_any_storage_the_same", "Shared"),
    (
        "5.1.7",
        "dynamic shared memory, `.extern .shared`",
        "golden::state_spaces_linkage_and_alignment",
        ".extern .shared",
    ),
    (
        "5.1.7",
        "shared memory of another module, `.extern .shared x[4]`",
        "storage::shared_memory_of_another_module",
        "shared(extern)",
    ),
    ("5.1.7", "two dynamic arrays alias", "ui-tests/f015_dynamic_shared_aliases", "F015"),
    (
        "5.1.7",
        "`.shared::cta`, `.shared::cluster`",
        "ui-tests/a013_sub_space_wrong_target",
        ".shared::cluster",
    ),
    (
        "5.2.2",
        "8-bit types are for `ld`, `st` and `cvt`",
        "rules::no_computing_opcode_takes_types_of_8_bits",
        "takes_bytes",
    ),
    ("5.2.2", "8-bit types elsewhere are refused", "ui-tests/a015_sub_word_type", "A015"),
    ("5.2.3", "no format is a fundamental type", "ui-tests/body_grammar", "5.2.3"),
    (
        "5.2.4.2",
        "`.u16x2` in `.b32`",
        "storage::packed_types_have_the_carriers_of_table_9",
        "u16x2",
    ),
    (
        "5.2.4.2",
        "`.s16x2` in `.b32`",
        "storage::packed_types_have_the_carriers_of_table_9",
        "s16x2",
    ),
    ("5.3", "at module scope in `.global` alone", "ui-tests/o001_opaque_misplaced", "O001"),
    (
        "5.3",
        "as kernel parameters",
        "storage::textures_samplers_and_surfaces",
        ".param .texref tex",
    ),
    ("5.3", "named in texture instructions", "storage::textures_samplers_and_surfaces", "tex.2d"),
    ("5.3", "no `ld` and `st`", "ui-tests/a007_opaque_accessed", "A007"),
    ("5.3", "no arithmetic on the address", "ui-tests/a008_opaque_offset", "A008"),
    ("5.3", "not in initial values", "ui-tests/d036_address_of_opaque", "D036"),
    ("5.3", "indirect textures in unified mode only", "ui-tests/a014_indirect_texture", "A014"),
    (
        "5.3",
        "unified and independent mode",
        "storage::textures_samplers_and_surfaces",
        "texmode_independent",
    ),
    (
        "5.4.1",
        "linkage: `.visible`, `.extern`, `.weak`, `.common`",
        "golden::state_spaces_linkage_and_alignment",
        ".common",
    ),
    ("5.4.1", "predicates in registers only", "ui-tests/d003_predicate_stored", "D003"),
    ("5.4.1", "`#[export_name]`", "storage::attributes_names_and_families", "exported$name"),
    ("5.4.2", "`.v2` and `.v4` of every type", "registers::registers_of_every_type", ".v4"),
    ("5.4.2", "at most 128 bits", "ui-tests/d004_vector_too_wide", "D004"),
    ("5.4.2", "three elements in a `.v4`", "storage::formats_are_declared_as_their_carriers", "V3"),
    ("5.4.3", "arrays of several dimensions", "golden::vectors_arrays_and_their_values", "[3]"),
    (
        "5.4.3",
        "the first extent from the value",
        "golden::vectors_arrays_and_their_values",
        "[u32; _]",
    ),
    ("5.4.3", "extents of zero, and missing ones", "ui-tests/d008_extent_zero", "D008"),
    ("5.4.4", "partial arrays", "bytes::every_kind_of_value_arrives", "0, i16::MIN, 0"),
    ("5.4.4", "nested lists", "bytes::every_kind_of_value_arrives", "[[u32; 3]; 3]"),
    ("5.4.4", "an incomplete inner list", "ui-tests/d024_inner_list_incomplete", "D024"),
    ("5.4.4", "`var`, `var+offset`", "storage::addresses_stand_after_what_they_name", "BAR+8"),
    (
        "5.4.4",
        "`generic(var)`, `generic(var)+offset`",
        "storage::addresses_stand_after_what_they_name",
        "generic(BAR)+4",
    ),
    (
        "5.4.4",
        "`mask(var)`, all eight masks",
        "gpu::addresses_lead_where_they_say",
        "0xFF00_0000_0000_0000",
    ),
    (
        "5.4.4",
        "`mask` of an integer",
        "storage::addresses_stand_after_what_they_name",
        "mask(0xFF, 1000 + 546)",
    ),
    (
        "5.4.4",
        "tables of device functions and kernels",
        "storage::addresses_stand_after_what_they_name",
        "{twice, thrice, launch}",
    ),
    ("5.4.4", "addresses in a struct", "storage::addresses_stand_after_what_they_name", "ENTRIES"),
    (
        "5.4.4",
        "an address before its variable: ordered",
        "storage::addresses_stand_after_what_they_name",
        "LATER",
    ),
    ("5.4.4", "a cycle of addresses", "ui-tests/d052_address_cycle", "D052"),
    ("5.4.4", "an offset outside the variable", "ui-tests/d034_address_outside", "D034"),
    ("5.4.4", "labels are refused", "ui-tests/d053_address_of_local", "label"),
    ("5.4.4", "`.global` and `.const` variables only", "ui-tests/d042_address_space", "D042"),
    ("5.4.4", "addresses in `.u8`, `.u32` and `.u64` only", "ui-tests/d039_address_type", "D039"),
    (
        "5.4.4",
        "an address in `.u32` overwrites its neighbour",
        "ui-tests/d040_address_in_u32",
        "D040",
    ),
    ("5.4.4", "`.u8` with a mask only", "ui-tests/d043_mask_type", "D043"),
    ("5.4.4", "the eight masks", "ui-tests/d041_mask_not_a_byte", "D041"),
    ("5.4.4", "the versions of addresses and masks", "ui-tests/d044_address_too_new", "D044"),
    ("5.4.4", "no initial value of `.extern`", "ui-tests/d013_initialiser_of_extern", "D013"),
    (
        "5.4.4",
        "no initial value of `.f16`, `.f16x2`: bits carry it",
        "storage::formats_are_declared_as_their_carriers",
        "F16X2",
    ),
    ("5.4.5", "`.align`, a power of two", "ui-tests/d005_align_not_power_of_two", "D005"),
    ("5.4.5", "the default alignments", "golden::state_spaces_linkage_and_alignment", ".align"),
    ("5.4.5", "below the natural one", "ui-tests/d006_align_below_natural", "D006"),
    ("5.4.6", "`%r<100>` in any space", "storage::attributes_names_and_families", "TILE<10>"),
    ("5.4.6", "no arrays", "ui-tests/d046_family_of_arrays", "D046"),
    ("5.4.6", "no initial values", "ui-tests/d045_family_initialised", "D045"),
    (
        "5.4.7",
        "several attributes of one variable",
        "storage::attributes_names_and_families",
        "managed, unified(1, 2)",
    ),
    (
        "5.4.7",
        "attributes of variables",
        "storage::attributes_names_and_families",
        ".attribute(.managed)",
    ),
    ("5.4.8", "`.managed`", "ui-tests/d026_managed_outside_global", "D026"),
    ("5.4.8", "`.managed` from PTX 4.0", "ui-tests/d028_managed_too_new", "D028"),
    (
        "5.4.8",
        "`.unified` of variables",
        "storage::attributes_names_and_families",
        "unified(19, 0xAB)",
    ),
    (
        "5.4.8",
        "`.unified` of functions",
        "storage::attributes_names_and_families",
        "unified(0xAB, 0xCD)",
    ),
    ("5.4.8", "`.unified` is loaded with `.unified`", "ui-tests/a005_unified_missing", "A005"),
    ("5.4.8", "`.unified` is read-only", "ui-tests/a006_unified_written", "A006"),
    ("5.4.8", "`.unified` from PTX 8.0", "ui-tests/d049_unified_too_new", "D049"),
    ("5.4.8", "`.unified` from sm_90", "ui-tests/d050_unified_wrong_target", "D050"),
    (
        "5.4.8",
        "`.unified` of functions: version and target",
        "ui-tests/f014_unified_function_wrong_target",
        "F014",
    ),
    ("5.5.1", "1 to 5 dimensions", "ui-tests/tensor_map_rules", "M001"),
    ("5.5.1", "`.b32`, `.b64`", "ui-tests/tensor_map_words", "`b32`, `b64`"),
    (
        "5.5.1",
        "integers and floats",
        "ptx-types/tensor_model::elements_lie_where_the_map_places_them",
        "ElementType::ALL",
    ),
    (
        "5.5.1.1",
        "`.b4x16`, `.b4x16_p64`, `.b6x16_p32`, `.b6p2x16`",
        "tensor_maps::modes_of_newer_targets_assemble",
        "element = b6p2x16",
    ),
    (
        "5.5.1.1",
        "what is padded stays uninitialised",
        "ptx-types/tensor_model::padding_stays_as_it_was",
        "B4x16P64",
    ),
    ("5.5.1.1", "directions", "ui-tests/tensor_map_rules", "M034"),
    ("5.5.3.1", "boxes of 16 bytes", "ui-tests/tensor_map_rules", "M015"),
    ("5.5.3.2", "traversal strides", "ui-tests/tensor_map_rules", "M013"),
    ("5.5.3.3", "zeros and NaN outside", "ui-tests/tensor_map_rules", "M032"),
    (
        "5.5.3.4",
        "`.tile::gather4`, `.tile::scatter4`",
        "ptx-types/tensor_model::gather_takes_four_rows",
        "Gather4",
    ),
    ("5.5.4.1", "example 1", "ptx-types/tensor_model::im2col_example_1", "fn im2col_example_1"),
    ("5.5.4.1", "example 2", "ptx-types/tensor_model::im2col_example_2", "fn im2col_example_2"),
    ("5.5.4.1", "limits of corners", "ui-tests/tensor_map_rules", "M023"),
    ("5.5.4.2", "example", "ptx-types/tensor_model::im2col_example_3", "fn im2col_example_3"),
    (
        "5.5.5.3",
        "example of `.im2col::w`",
        "ptx-types/tensor_model::im2col_w_example",
        "fn im2col_w_example",
    ),
    (
        "5.5.5.3",
        "example of `.im2col::w::128`",
        "ptx-types/tensor_model::im2col_w_128_example",
        "fn im2col_w_128_example",
    ),
    (
        "5.5.5.4",
        "example 1",
        "ptx-types/tensor_model::im2col_w_offset_example_1",
        "fn im2col_w_offset_example_1",
    ),
    (
        "5.5.5.4",
        "example 2",
        "ptx-types/tensor_model::im2col_w_offset_example_2",
        "fn im2col_w_offset_example_2",
    ),
    (
        "5.5.6",
        "interleaved layouts",
        "ptx-types/tensor_model::interleaved_boxes_take_one_slice",
        "Interleave",
    ),
    ("5.5.7", "no swizzle", "ptx-isa/tensor_swizzle::none", "Swizzle::None"),
    ("5.5.7", "32 and 96 bytes", "ptx-isa/tensor_swizzle::b32_and_b96", "Swizzle::B96"),
    ("5.5.7", "64 bytes", "ptx-isa/tensor_swizzle::b64", "Swizzle::B64"),
    ("5.5.7", "128 bytes", "ptx-isa/tensor_swizzle::b128", "Swizzle::B128"),
    (
        "5.5.7",
        "atoms of 32 bytes, flipped too",
        "ptx-isa/tensor_swizzle::b128_with_atoms_of_32_bytes",
        "Flip8",
    ),
    ("5.5.7", "atoms of 64 bytes", "ptx-isa/tensor_swizzle::b128_with_atoms_of_64_bytes", "Atom64"),
    (
        "5.5.7",
        "boundaries and base offsets",
        "ptx-isa/tensor_swizzle::the_tables_of_boundaries_and_base_offsets",
        "base_offset",
    ),
    (
        "5.5.8",
        "as a parameter, in `.const` and in `.global`",
        "tensor_maps::everything_is_in_the_text",
        "CONSTANT_MAP",
    ),
];

/// The number of examples in each section.
const EXAMPLES: &[(&str, usize, &str)] = &[
    ("5.1.3.1", 2, "chapter5::examples_of_5_1_3_1"),
    ("5.1.6.1", 2, "chapter5::examples_of_5_1_6_1"),
    ("5.1.6.3", 1, "chapter5::examples_of_5_1_6_3"),
    ("5.1.6.4", 2, "chapter5::examples_of_5_1_6_4"),
    ("5.1.8", 3, "chapter5::examples_of_5_1_8"),
    ("5.3", 2, "chapter5::examples_of_5_3"),
    ("5.4.1", 1, "chapter5::examples_of_5_4_1"),
    ("5.4.2", 1, "chapter5::examples_of_5_4_2"),
    ("5.4.3", 2, "chapter5::examples_of_5_4_3"),
    ("5.4.4", 4, "chapter5::examples_of_5_4_4"),
    ("5.4.5", 1, "chapter5::examples_of_5_4_5"),
    ("5.4.6", 1, "chapter5::examples_of_5_4_6"),
    ("5.4.8", 1, "chapter5::examples_of_5_4_8"),
];

/// The formats that are not fundamental types (5.2.3): the type with which a variable of each is declared, or
/// that of a pair where only packed variables exist.
fn formats() -> impl Iterator<Item = Row> {
    fn carrier(format: &Format) -> Option<ScalarType> {
        ScalarType::from_rust_name(format.rust_name)
    }
    let formats = Format::ALL
        .iter()
        .filter(|format| carrier(format).is_none_or(|scalar| !scalar.is_fundamental()));
    formats.map(|format| {
        let pair = || ScalarType::from_name(&format!("{}x2", format.name)).expect("a packed type");
        let (how, scalar) = carrier(format).map_or_else(|| (" packed", pair()), |one| ("", one));
        let rust = scalar.rust_name().expect("a Rust type");
        row(
            "5.2.3",
            &format!("`{}`{how} in `{}`", format.name, scalar.declared()),
            "storage::formats_are_declared_as_their_carriers",
            &format!("{rust}::"),
        )
    })
}

/// Every row; those of the tables come from the enums that represent them.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(spaces());
    rows.extend(special_registers());
    rows.extend(ScalarType::ALL.iter().flat_map(scalar));
    rows.extend(members("Table 10", 12));
    rows.extend(members("Table 11", 13));
    rows.extend(channels());
    for (n, (place, what, test, evidence)) in ROWS.iter().enumerate() {
        if *place == "5.2.3" && ROWS[n - 1].0 != *place {
            rows.extend(formats());
        }
        rows.push(row(place, what, test, evidence));
    }
    for (place, count, test) in EXAMPLES {
        for n in 1..=*count {
            rows.push(row(place, &format!("example {n}"), test, &format!("{place}, example {n}")));
        }
    }
    rows
}

fn spaces() -> impl Iterator<Item = Row> {
    Space::ALL.iter().map(|space| {
        let (test, evidence) = match space {
            Space::Reg => ("registers::registers_of_every_type", ".reg"),
            Space::Sreg => {
                ("rules::special_registers_need_what_their_rows_say", "SPECIAL_REGISTERS")
            }
            Space::Const => ("golden::scalars_of_every_type", "scalars"),
            Space::Global => ("golden::scalars_of_every_type", "#[global]"),
            Space::Local => ("chapter5::examples_of_5_4_3", ".local"),
            Space::Param => ("golden::kernel_parameters_and_directives", ".param"),
            Space::Shared => ("golden::state_spaces_linkage_and_alignment", ".shared"),
            Space::Tex => ("ui-tests/addresses", ".texref"),
        };
        row("Table 6", &format!("`{}`", space.directive()), test, evidence)
    })
}

fn special_registers() -> impl Iterator<Item = Row> {
    SPECIAL_REGISTERS.iter().map(|register| {
        let name = match register.family {
            Some((first, last, suffix)) => format!("{}{{{first}..{last}}}{suffix}", register.name),
            None => register.name.to_owned(),
        };
        row(
            "5.1.2",
            &format!("`{name}`: type, version and target"),
            "rules::special_registers_need_what_their_rows_say",
            "SPECIAL_REGISTERS",
        )
    })
}

/// A fundamental type, a packed one, or both; nothing of the formats, which are rows of 5.2.3.
fn scalar(scalar: &ScalarType) -> impl Iterator<Item = Row> {
    let name = scalar.name();
    let fundamental = scalar.is_fundamental().then(|| {
        let test = "registers::registers_of_every_type";
        row("Table 8", &format!("`.{name}`"), test, "ScalarType::ALL")
    });
    let is_half = matches!(scalar, ScalarType::F16x2 | ScalarType::Bf16x2);
    let is_packed = name.contains('x') && !scalar.is_fundamental() && !name.ends_with("16x2");
    let packed = (is_half || is_packed).then(|| {
        row(
            "Table 9",
            &format!("`.{name}` in `{}`", scalar.declared()),
            "storage::packed_types_have_the_carriers_of_table_9",
            &format!("\"{name}\""),
        )
    });
    fundamental.into_iter().chain(packed)
}

/// The members of a table, which has so many rows.
fn members(table: &'static str, count: usize) -> impl Iterator<Item = Row> {
    let all = Member::ALL
        .iter()
        .filter(|member| table == "Table 11" || **member != Member::ForceUnnormalizedCoords);
    // The three address modes are one row.
    let names: Vec<&str> =
        all.map(|member| member.name()).filter(|name| !name.ends_with(['1', '2'])).collect();
    assert_eq!(names.len(), count, "{table}");
    names.into_iter().map(move |name| {
        let what = if name == "addr_mode_0" {
            "`addr_mode_0`, `addr_mode_1`, `addr_mode_2`".to_owned()
        } else {
            format!("`{name}`")
        };
        row(table, &what, "textures::members_are_where_the_tables_have_them", "Member::ALL")
    })
}

fn channels() -> impl Iterator<Item = Row> {
    let types = ChannelType::ALL.iter().map(|ty| ("Table 12", ty.name()));
    let orders = ChannelOrder::ALL.iter().map(|order| ("Table 13", order.name()));
    types.chain(orders).map(|(table, name)| {
        let test = "textures::channel_types_and_orders_have_their_values";
        row(table, &format!("`{name}`"), test, name)
    })
}

/// The text in which a test's evidence is sought: the file, or the module of a ui-test and its
/// errors.
fn source(test: &str, files: &mut HashMap<String, String>) -> Result<String, String> {
    let read = |path: &str| {
        std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
    };
    if let Some(name) = test.strip_prefix("ui-tests/") {
        return Ok(
            read(&format!("ui-tests/{name}.rs"))? + &read(&format!("ui-tests/{name}.stderr"))?
        );
    }
    let (file, function) = test.split_once("::").ok_or("a test is `file::function`")?;
    if !files.contains_key(file) {
        // `ptx-types/tensor_model` is a test of that crate.
        let (home, name) = match file.split_once('/') {
            Some((home, name)) => (format!("{home}/tests"), name),
            None => ("tests".to_owned(), file),
        };
        let folder = root().join(&home).join(name);
        let mut text = String::new();
        if folder.is_dir() {
            for entry in std::fs::read_dir(&folder).map_err(|error| error.to_string())?.flatten() {
                text += &read(&entry.path().to_string_lossy())?;
            }
        }
        // A test may have modules in a folder with the name of its file.
        let alone = format!("{home}/{name}.rs");
        if !folder.join("main.rs").is_file() || root().join(&alone).is_file() {
            text += &read(&alone)?;
        }
        files.insert(file.to_owned(), text);
    }
    evidence_of(&files[file], function)
        .ok_or_else(|| format!("tests/{file}.rs has no test `{function}`"))
}

/// The text of a test, and of the items of its file that it needs: those that it names, and those that they name.
fn evidence_of(text: &str, test: &str) -> Option<String> {
    let items = items(text);
    let is_it = |item: &str| item.contains("#[test]") && item.contains(&format!("fn {test}("));
    let mut needed = vec![items.iter().position(|item| is_it(item))?];
    for next in 0.. {
        let Some(item) = needed.get(next).map(|at| items[*at]) else { break };
        let named: HashSet<&str> = words(item).collect();
        for (at, other) in items.iter().enumerate() {
            if !needed.contains(&at) && declared(other).any(|name| named.contains(name)) {
                needed.push(at);
            }
        }
    }
    Some(needed.into_iter().map(|at| items[at]).collect::<Vec<_>>().join("\n"))
}

/// The items of a file as rustfmt leaves them: what starts in the first column ends on its first line, or with a
/// line that closes it there. PTX in a raw string has lines in the first column, too, which are none of it.
fn items(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut at, mut is_raw) = (Vec::new(), 0, 0, false);
    for line in text.split_inclusive('\n') {
        at += line.len();
        is_raw = match line.split_once("r\"") {
            Some((_, rest)) if !is_raw => !rest.contains('"'),
            _ => is_raw && !line.contains('"'),
        };
        if is_raw {
            continue;
        }
        let closes = ["}", "};", ")", ");", "]", "];"].contains(&line.trim_end());
        let is_short = words(line).next().is_some_and(|word| KEYWORDS.contains(&word))
            && !line.starts_with(' ')
            && line.trim_end().ends_with(';');
        if closes || is_short {
            items.push(&text[start..at]);
            start = at;
        }
    }
    items
}

/// The names that an item declares in the first column.
fn declared(item: &str) -> impl Iterator<Item = &str> {
    let heads = item.lines().filter(|line| !line.starts_with([' ', '#', '/', '}']));
    heads.filter_map(|head| {
        let mut words = words(head).skip_while(|word| !KEYWORDS.contains(word));
        let _ = words.next()?;
        words.next()
    })
}

/// What stands before the name of an item.
const KEYWORDS: [&str; 10] =
    ["fn", "mod", "struct", "enum", "static", "const", "trait", "type", "macro_rules", "use"];

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !is_of_word(c)).filter(|word| !word.is_empty())
}

#[test]
fn every_row_has_a_test() {
    let mut files = HashMap::new();
    let mut missing = Vec::new();
    let mut text = String::from(
        "# Coverage of sections 5.1 to 5.5\n\n\
         Every table row, syntax form and example of sections 5.1 to 5.5 of the PTX ISA, and the test that\n\
         covers it: `file::function` in `tests/`, or a file of `ui-tests/`. `tests/coverage.rs` fails where a\n\
         row has no test; this page is written by `UPDATE_EXPECT=1 cargo test --test coverage`.\n\n\
         | place | what | test |\n| --- | --- | --- |\n",
    );
    for Row { place, what, test, evidence } in rows() {
        match source(test, &mut files) {
            Ok(source) if source.contains(&evidence) => {}
            Ok(_) => missing.push(format!("{place}, {what}: {test} does not mention `{evidence}`")),
            Err(error) => missing.push(format!("{place}, {what}: {error}")),
        }
        let _ = writeln!(text, "| {place} | {what} | `{test}` |");
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    expect_file!["../docs/coverage.md"].assert_eq(&text);
}

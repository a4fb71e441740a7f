//! Mistakes that ptxas accepts silently and that do not compile here: each with the PTX that ptxas accepts
//! and the file in `ui-tests/` that has the error. `docs/mistakes.md` is written from this table and
//! from the table of accesses, which `tests/gpu_mistakes.rs` runs.

#[allow(dead_code)] // some items are only for the tests on the GPU
#[path = "mistakes/access.rs"]
mod access;

#[path = "launch/mistakes.rs"]
mod host;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use access::{Does, Ours, accesses, harmless};

use expect_test::expect_file;
use ptx::Target;
use tests::root;

/// A mistake in a declaration or an initial value.
struct Mistake {
    /// A short description.
    title: &'static str,
    /// The statements of a module that makes it, after the header; a leading `%independent`, `%unified`,
    /// `%accelerated` or `%blackwell` selects the mode, the options or the target (see [`module`]).
    ptx: &'static str,
    /// The consequence.
    wrong: &'static str,
    /// The file in `ui-tests/`, or the path of a file elsewhere, without its extension.
    ui: &'static str,
    /// Part of the error there.
    excerpt: &'static str,
}

const KERNEL: &str = ".visible .entry k() { ret; }";

const MISTAKES: &[Mistake] = &[
    Mistake {
        title: "An alignment below the type's natural alignment",
        ptx: ".global .align 1 .u32 x;",
        wrong: "An access to `x` faults with a misaligned address whenever the linker happens to place it at an odd address.",
        ui: "d006_align_below_natural",
        excerpt: "[D006",
    },
    Mistake {
        title: "Dynamic shared memory declared with less alignment than its elements need",
        ptx: ".extern .shared .align 4 .b8 s[];",
        wrong: "`ld.shared.v4.f32 [s]` faults as soon as the static shared memory before it ends at 4 mod 16.",
        ui: "dynamic_shared",
        excerpt: "[D006",
    },
    Mistake {
        title: "Two dynamic shared arrays in one kernel",
        ptx: ".extern .shared .align 4 .b8 a[];\n.extern .shared .align 8 .b8 b[];\n.visible .entry k2() { .reg .b32 %r<2>; mov.u32 %r0, a; mov.u32 %r1, b; st.shared.u32 [%r0], 1; st.shared.u32 [%r1], 2; ld.shared.u32 %r1, [%r0]; ret; }",
        wrong: "They start at the same address, so each overwrites the other.",
        ui: "f015_dynamic_shared_aliases",
        excerpt: "[F015",
    },
    Mistake {
        title: "A misaligned pointer in an initial value",
        ptx: ".global .f32 floats[16];\n.global .u64 pointer = floats+6;",
        wrong: "To ptxas the address is only a number; a load through it faults with a misaligned address.",
        ui: "d070_pointer_misaligned",
        excerpt: "[D070",
    },
    Mistake {
        title: "Dynamic shared memory that does not fit beside the static",
        ptx: ".shared .align 4 .b8 tile[40000];\n// extern __shared__ float stages[58000];\n.extern .shared .align 4 .b8 stages[];\n.visible .entry k2() { .reg .b32 %r<2>; mov.u32 %r0, tile; mov.u32 %r1, stages; st.shared.u32 [%r0], 1; st.shared.u32 [%r1], 2; ret; }",
        wrong: "The length does not appear in the PTX, so nothing adds it up: each launch fails with `CUDA_ERROR_INVALID_VALUE`.",
        ui: "f019_shared_over_opt_in",
        excerpt: "[F019",
    },
    Mistake {
        title: "An unsigned value out of range",
        ptx: ".global .u8 x = 256;",
        wrong: "`x` is 0.",
        ui: "d014_integer_out_of_range",
        excerpt: "[D014",
    },
    Mistake {
        title: "A negative value in an unsigned type, or one too large in a signed type",
        ptx: ".global .u8 x = -1;\n.global .s8 y = 200;",
        wrong: "`x` is 255 and `y` is -56.",
        ui: "d014_integer_out_of_range",
        excerpt: "-128 to 127",
    },
    Mistake {
        title: "A floating-point value beyond the type's range",
        ptx: ".global .f32 x = 1e50;",
        wrong: "`x` is infinity, and everything computed from it is infinity or NaN.",
        ui: "d029_float_becomes_infinite",
        excerpt: "[D029",
    },
    Mistake {
        title: "A number declared as exact that the type cannot represent exactly",
        ptx: ".const .f32 x = 16777217.0;",
        wrong: "`x` is 16777216: an index or a scale that has to be exact is off by one.",
        ui: "d059_not_exact",
        excerpt: "[D059",
    },
    Mistake {
        title: "A floating-point literal for untyped bits",
        ptx: ".global .b16 half = 1.5;",
        wrong: "ptxas stores the low bytes of the `.f32`: `half` is 0.",
        ui: "d032_bits_or_number",
        excerpt: "[D032",
    },
    Mistake {
        title: "An incomplete inner list of an array",
        ptx: ".global .u32 x[3][3] = {{1}, {2}, {0, 0, 7}};",
        wrong: "ptxas moves the elements that follow into the gap (1 2 0 0 7 ..), contrary to 5.4.4.",
        ui: "d024_inner_list_incomplete",
        excerpt: "[D024",
    },
    Mistake {
        title: "A pointer parameter that promises less alignment than its pointee needs",
        ptx: ".visible .entry k2(.param .u64 .ptr .global .align 4 p) { .reg .b64 %d; .reg .f32 %f<4>; ld.param.u64 %d, [p]; ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d]; ret; }",
        wrong: "The host passes a 4-byte aligned buffer, as the parameter allows, and the vector load faults.",
        ui: "d021_pointer_below_natural",
        excerpt: "[D021",
    },
    Mistake {
        title: "An over-aligned element type, which breaks the stride of an array",
        ptx: ".shared .align 16 .b8 stages[40];",
        wrong: "Rust puts the second element of `[Aligned<[f32; 5], U16>; 2]` at offset 32, PTX at offset 20: host and kernel disagree about every element but the first, and vector accesses fault.",
        ui: "d016_aligned_pads",
        excerpt: "[D016",
    },
    Mistake {
        title: "Padding in a struct that is passed or stored as bytes",
        ptx: ".global .align 8 .b8 config[16];",
        wrong: "The kernel reads the fields at offsets other than those that the host writes, or compares bytes that were never written.",
        ui: "d023_struct_pads",
        excerpt: "[D023",
    },
    Mistake {
        title: "A struct whose layout Rust chooses",
        ptx: ".visible .entry k2(.param .align 4 .b8 config[8]) { .reg .b32 %r; ld.param.u32 %r, [config + 4]; ret; }",
        wrong: "The compiler reorders the fields, and the kernel reads the wrong ones.",
        ui: "derive",
        excerpt: "#[repr(C)]",
    },
    Mistake {
        title: "A packed struct",
        ptx: ".visible .entry k2(.param .align 1 .b8 config[5]) { .reg .b32 %r; ld.param.u32 %r, [config + 1]; ret; }",
        wrong: "The field is misaligned: the load faults or reads other bytes.",
        ui: "derive",
        excerpt: "a packed struct misaligns",
    },
    Mistake {
        title: "A 64-bit address stored in 32 bits",
        ptx: ".global .u32 x;\n.global .u32 pointers[2] = {x, 7};",
        wrong: "The loader writes eight bytes at `pointers`: on an H200 the 7 becomes 0x7ff2, the upper half of the address (`tests/gpu.rs`); after a scalar, it overwrites whatever variable follows.",
        ui: "d040_address_in_u32",
        excerpt: "[D040",
    },
    Mistake {
        title: "An address outside the variable",
        ptx: ".global .u32 bar[3] = {2, 3, 5};\n.global .u64 p = bar + 12;",
        wrong: "A load through `p` reads whatever follows `bar` in memory.",
        ui: "d034_address_outside",
        excerpt: "[D034",
    },
    Mistake {
        title: "An address before the variable",
        ptx: ".global .u32 bar[3] = {2, 3, 5};\n.global .u64 p = bar + -4;",
        wrong: "A store through `p` overwrites whatever precedes `bar` in memory.",
        ui: "d034_address_outside",
        excerpt: "-4",
    },
    Mistake {
        title: "One byte of an address in a wider element",
        ptx: ".global .u32 x;\n.global .u32 bytes[2] = {0xff(x), 0xff00(x)};",
        wrong: "Only the lowest byte of each element is written, so the address comes out with gaps.",
        ui: "d043_mask_type",
        excerpt: "[D043",
    },
    Mistake {
        title: "The address of a texture in an initial value",
        ptx: ".global .texref tex;\n.global .u64 p = tex;",
        wrong: "5.3 forbids it: the value of `p` is not a handle that `tex` accepts.",
        ui: "d036_address_of_opaque",
        excerpt: "[D036",
    },
    Mistake {
        title: "An address in a state space other than its pointer's",
        ptx: ".global .u32 x;\n.global .u64 p = x;\n.visible .entry k2() { .reg .b64 %d; .reg .b32 %r; ld.global.u64 %d, [p]; ld.const.u32 %r, [%d]; ret; }",
        wrong: "The load reads constant memory at an address of global memory: zero, other data or a fault.",
        ui: "d039_address_type",
        excerpt: "does not hold the address of something in",
    },
    Mistake {
        title: "A family whose name ends in a digit",
        ptx: ".shared .f32 tile2<10>;",
        wrong: "`tile20` is never found, or is taken for a member of another family `tile<..>`.",
        ui: "d047_family_name",
        excerpt: "[D047",
    },
    Mistake {
        title: "A kernel launched with parameters other than those it declares",
        ptx: ".visible .entry scale(.param .u64 .ptr .global .align 4 data, .param .u32 n) { ret; }",
        wrong: "The driver copies as many bytes as the kernel declares from wherever the host's pointers lead: the kernel computes with garbage.",
        ui: "tests/launch/ui/arguments",
        excerpt: "a parameter of type `f32` does not take `f64`",
    },
    Mistake {
        title: "A host pointer passed to a kernel",
        ptx: ".visible .entry k2(.param .u64 data) { .reg .b64 %d; .reg .f32 %f; ld.param.u64 %d, [data]; ld.global.f32 %f, [%d]; ret; }",
        wrong: "The load faults with an illegal address, and the context is lost.",
        ui: "host_side",
        excerpt: "a Rust reference or pointer",
    },
    Mistake {
        title: "A texture member with an invalid value",
        ptx: ".global .texref tex = { normalized_coords = 2 };",
        wrong: "ptxas accepts any constant for any member, even `filter_mode = wrap`; the intended setting is lost.",
        ui: "texture_values",
        excerpt: "mismatched types",
    },
    Mistake {
        title: "A sampler member on a texture in independent mode",
        ptx: "%independent.global .texref tex = { filter_mode = linear };",
        wrong: "It is ignored: the texture is filtered as the sampler specifies, or not at all.",
        ui: "o006_member_ignored",
        excerpt: "[O006",
    },
    Mistake {
        title: "A texture member assigned twice",
        ptx: ".global .texref tex = { width = 64, width = 32 };",
        wrong: "One of the values wins, and nothing reports which.",
        ui: "o007_member_twice",
        excerpt: "[O007",
    },
    Mistake {
        title: "An array of textures",
        ptx: ".global .texref textures[4];",
        wrong: "No instruction accepts an element of it.",
        ui: "o004_opaque_composed",
        excerpt: "[O004",
    },
    Mistake {
        title: "Arithmetic on the address of a texture",
        ptx: ".global .texref tex;\n.visible .entry k2() { .reg .b64 %d; mov.u64 %d, tex + 8; ret; }",
        wrong: "The result is not a handle: undefined (5.3).",
        ui: "a008_opaque_offset",
        excerpt: "[A008",
    },
    Mistake {
        title: "A texture through a register in independent mode",
        ptx: "%independent.visible .entry k2() { .reg .b64 %d<2>; .reg .f32 %f<4>; .reg .s32 %i<2>; tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d0, %d1, {%i0, %i1}]; ret; }",
        wrong: "Only unified texture mode has indirect textures (5.3).",
        ui: "a014_indirect_texture",
        excerpt: "[A014",
    },
    Mistake {
        title: "A function with a parameter of 8 or 16 bits",
        ptx: ".func f(.param .u8 x) { ret; }",
        wrong: "The declaration is accepted, and the first call is refused without a line number.",
        ui: "f009_narrow_parameter",
        excerpt: "[F009",
    },
    Mistake {
        title: "A unified variable loaded without `.unified`",
        ptx: "%unified.global .attribute(.unified(19, 95)) .f32 f;\n.visible .entry k2() { .reg .f32 %f; ld.global.f32 %f, [f]; ret; }",
        wrong: "Undefined (5.4.8).",
        ui: "a005_unified_missing",
        excerpt: "[A005",
    },
    Mistake {
        title: "A store to a unified variable",
        ptx: "%unified.global .attribute(.unified(19, 95)) .f32 f;\n.visible .entry k2() { st.global.f32 [f], 0f00000000; ret; }",
        wrong: "It is read-only (5.4.8).",
        ui: "a006_unified_written",
        excerpt: "[A006",
    },
    Mistake {
        title: "A parameter read through the wrong window",
        ptx: ".visible .entry k2(.param .u32 n) { .reg .b32 %r; ld.param::func.u32 %r, [n]; ret; }",
        wrong: "`.param::func` is the window of function parameters; ptxas 13.5 and later refuse it here, and older releases accept it.",
        ui: "a009_wrong_sub_space",
        excerpt: "[A009",
    },
    Mistake {
        title: "A block larger than the hardware allows",
        ptx: ".visible .entry k2() .reqntid 1025 { ret; }",
        wrong: "No launch with a block of this size succeeds.",
        ui: "f006_directive_out_of_range",
        excerpt: "[F006",
    },
    Mistake {
        title: "A surface coordinate that counts elements",
        ptx: ".visible .entry k2(.param .u64 image) { .reg .b64 %d; .reg .b32 %r<4>; ld.param.u64 %d, [image]; suld.b.2d.v4.b32.trap {%r0, %r1, %r2, %r3}, [%d, {8, %r0}]; st.global.v4.u32 [%d], {%r0, %r1, %r2, %r3}; ret; }",
        wrong: "The first coordinate counts bytes: the load faults with a misaligned address, with `.trap`, `.clamp` and `.zero` alike (measured on an H100).",
        ui: "a075_surface_misaligned",
        excerpt: "[A075",
    },
    Mistake {
        title: "A barrier that waits for more threads than the block has",
        ptx: ".visible .entry k2() .reqntid 64 { bar.sync 1, 96; ret; }",
        wrong: "All threads wait forever.",
        ui: "a076_count_not_reached",
        excerpt: "never arrive: at most 64 arrive",
    },
    Mistake {
        title: "A barrier for two warps that only one warp reaches",
        ptx: ".visible .entry k2() .reqntid 128 { .reg .b32 %r; .reg .pred %p; mov.u32 %r, %tid.x; shr.u32 %r, %r, 5; setp.ne.u32 %p, %r, 0; @%p bra DONE; bar.sync 1, 64; DONE: ret; }",
        wrong: "The warp waits forever; warps that have exited do not count.",
        ui: "a076_count_not_reached",
        excerpt: "barrier 1 waits for 64 threads, but 32 arrive",
    },
    Mistake {
        title: "A barrier that waits for part of a warp",
        ptx: ".visible .entry k2() .reqntid 64 { .reg .b32 %r; mov.u32 %r, 40; bar.sync 1, %r; ret; }",
        wrong: "ptxas refuses this count as an immediate, but accepts it in a register: the instruction faults as illegal.",
        ui: "a076_count_not_reached",
        excerpt: "whole warps of 32",
    },
    Mistake {
        title: "Columns of tensor memory that are never freed",
        ptx: "%blackwell.shared .align 4 .b32 at;\n.visible .entry k2() .reqntid 32 { tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32; ret; }",
        wrong: "Undefined (9.7.16.7): all columns that a kernel allocates have to be freed before it exits. Not run: no GPU with tensor memory was at hand.",
        ui: "a127_columns_not_freed",
        excerpt: "[A127",
    },
    Mistake {
        title: "More columns of tensor memory than there are",
        ptx: "%blackwell.shared .align 4 .b32 at;\n.shared .align 4 .b32 other;\n.visible .entry k2() .reqntid 32 { .reg .b32 %r<2>; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 512; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [other], 32; bar.warp.sync -1; ld.shared.b32 %r0, [at]; ld.shared.b32 %r1, [other]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r0, 512; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32; ret; }",
        wrong: "The second allocation waits until columns are free (9.7.16.7), which the same warp would free later: forever. Not run: no GPU with tensor memory was at hand.",
        ui: "a128_no_columns",
        excerpt: "[A128",
    },
    Mistake {
        title: "A register that is read before `tcgen05.wait::ld`",
        ptx: "%blackwell.shared .align 4 .b32 at;\n.visible .entry k2() .reqntid 32 { .reg .b32 %r<2>; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32; bar.warp.sync -1; ld.shared.b32 %r0, [at]; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r0]; st.shared.b32 [at], %r1; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r0, 32; ret; }",
        wrong: "`tcgen05.ld` is asynchronous (9.7.16.8): the register may have its old value. Not run: no GPU with tensor memory was at hand.",
        ui: "a129_still_loading",
        excerpt: "[A129",
    },
    Mistake {
        title: "A number of columns of tensor memory that is not a power of two",
        ptx: "%blackwell.shared .align 4 .b32 at;\n.visible .entry k2() .reqntid 32 { .reg .b32 %r<2>; mov.u32 %r1, 48; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], %r1; bar.warp.sync -1; ld.shared.b32 %r0, [at]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r0, %r1; ret; }",
        wrong: "Undefined (9.7.16.7): the number is a power of two from 32 to 512. Not run: no GPU with tensor memory was at hand.",
        ui: "a132_odd_columns",
        excerpt: "[A132",
    },
    Mistake {
        title: "An accumulator of `wgmma` that is read while the multiplication is in flight",
        ptx: "%accelerated.visible .entry k2(.param .u64 p) { .reg .b64 %d; .reg .f32 %f<4>; ld.param.u64 %d, [p]; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d, %d, 0, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; st.global.f32 [%d], %f0; ret; }",
        wrong: "Undefined (9.7.15.7): the read may return the old value. Where ptxas notices, it inserts a wait (C7517), or makes each multiplication of the kernel wait for the previous one (C7514).",
        ui: "a077_touched_before_wait",
        excerpt: "[A077",
    },
    Mistake {
        title: "A `wgmma` multiplication without a `wgmma.fence` before it",
        ptx: "%accelerated.visible .entry k2(.param .u64 p) { .reg .b64 %d; .reg .f32 %f<4>; ld.param.u64 %d, [p]; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d, %d, 0, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; st.global.f32 [%d], %f0; ret; }",
        wrong: "Undefined (9.7.15.7.1): the multiplication may use older values of its registers. Where ptxas notices, it inserts a fence (C7519).",
        ui: "a078_multiplied_without_fence",
        excerpt: "[A078",
    },
    Mistake {
        title: "A wait for multiplications that were never committed to a group",
        ptx: "%accelerated.visible .entry k2(.param .u64 p) { .reg .b64 %d; .reg .f32 %f<4>; ld.param.u64 %d, [p]; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d, %d, 0, 1, 1, 0, 0; wgmma.wait_group.sync.aligned 0; st.global.f32 [%d], %f0; ret; }",
        wrong: "There is no group to wait for, so what is read after the wait is undefined (9.7.15.7.3).",
        ui: "a079_waits_for_no_group",
        excerpt: "[A079",
    },
];

/// The whole text for ptxas, the target, and the options that it needs.
fn module(mistake: &Mistake) -> (String, Target, &'static [&'static str]) {
    let (mode, rest) = match mistake.ptx.strip_prefix("%independent") {
        Some(rest) => (", texmode_independent", rest),
        None => ("", mistake.ptx),
    };
    let (options, rest): (&[&str], &str) = match rest.strip_prefix("%unified") {
        Some(rest) => (&["--compile-only"], rest),
        None => (&[], rest),
    };
    let (version, target, rest) =
        match (rest.strip_prefix("%accelerated"), rest.strip_prefix("%blackwell")) {
            (Some(rest), _) => ("8.3", Target::Sm90a, rest),
            (_, Some(rest)) => ("8.6", Target::Sm100a, rest),
            (None, None) => ("8.3", Target::Sm90, rest),
        };
    let header = format!(".version {version}\n.target {target}{mode}\n.address_size 64\n");
    (format!("{header}{rest}\n{KERNEL}\n"), target, options)
}

#[test]
fn ptxas_accepts_every_mistake() {
    for ptxas in xtask::oracles() {
        for mistake in MISTAKES {
            let (text, target, options) = module(mistake);
            if let Err(refused) = ptxas.assemble_text_with(&text, target, options) {
                panic!("{}: {refused}\n{text}", mistake.title);
            }
        }
        for access in accesses().chain(harmless()) {
            for text in [access.text(), access.right_text()] {
                if let Err(refused) = ptxas.assemble_text_with(&text, Target::Sm90a, &[]) {
                    panic!("{}: {refused}\n{text}", access.title);
                }
            }
        }
    }
}

/// The path of a file with errors, without its extension: in `ui-tests/`, unless `ui` names a folder.
fn path_of(ui: &str) -> String {
    if ui.contains('/') { ui.to_owned() } else { format!("ui-tests/{ui}") }
}

/// The error in a file of `ui-tests/` that contains `excerpt`.
fn error(Ours { ui, excerpt }: Ours) -> String {
    let path = format!("{}.stderr", path_of(ui));
    let text = std::fs::read_to_string(root().join(&path))
        .unwrap_or_else(|error| panic!("{path}: {error}"));
    let found = text.split("\n\n").find(|block| block.contains(excerpt));
    let block = found.unwrap_or_else(|| panic!("{path} does not contain `{excerpt}`"));
    let lines: Vec<&str> = block.lines().collect();
    // The message, the position, and the line with its carets.
    let end = lines.iter().position(|line| line.contains('^')).map_or(lines.len(), |at| at + 1);
    lines[..end].join("\n").trim_start_matches('\n').to_owned()
}

#[test]
fn every_access_has_an_error_here() {
    let without: Vec<&str> =
        accesses().filter(|access| access.ours.is_none()).map(|access| access.title).collect();
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
fn the_documentation_shows_every_mistake() {
    let mut text = String::from(
        "# Mistakes that ptxas accepts\n\n\
         Each of these modules assembles without an error (`cargo test --test mistakes` verifies this with every\n\
         release of ptxas that the tests know), goes wrong later, and does not compile when it is declared here:\n\
         each error is from a file in `ui-tests/`. Written by `UPDATE_EXPECT=1 cargo test --test mistakes`.\n\n\
         The accesses were run with and without the mistake on an NVIDIA H200, driver 580.159.04, 2026-11-21,\n\
         and on an H100, 2026-11-22; those of threads, iterations and registers ran only on the H100.\n\
         `tests/gpu_mistakes.rs` compares what they do with the results given here. The listings omit the\n\
         registers and the end of the kernels, which are in `tests/mistakes/access.rs`. A comment stands for a\n\
         loop: a wait gives up after 20 ms, and a pause lasts as long.\n",
    );
    let mut pages = String::new();
    let mut number = 0;
    let mut entry = |title: &str, ptx: &str, wrong: &str, seen: &str, ours: Ours| {
        number += 1;
        let (error, ui) = (error(ours), path_of(ours.ui));
        push_page(&mut pages, code_of(&error), title);
        let _ = write!(
            text,
            "\n## {number}. {title}\n\n```ptx\n{ptx}\n```\n\n{wrong}{seen}\n\n```text\n{error}\n```\n\n(`{ui}.rs`)\n",
        );
    };
    for mistake in MISTAKES {
        let ptx = mistake
            .ptx
            .trim_start_matches("%independent")
            .trim_start_matches("%unified")
            .trim_start_matches("%accelerated")
            .trim_start_matches("%blackwell");
        let ours = Ours { ui: mistake.ui, excerpt: mistake.excerpt };
        entry(mistake.title, ptx, mistake.wrong, "", ours);
    }
    for access in accesses() {
        let seen = access.does.sentence(access.shows, access.right_shows);
        let seen = format!("\n\nOn a GPU, {seen} {}", sanitizer_sentence(access.title));
        if let Some(ours) = access.ours {
            entry(access.title, access.ptx, access.wrong, &seen, ours);
        }
    }
    assert!(number >= 55);
    text += "\n## Apparent mistakes\n\nptxas accepts these too, and on the same GPU they behave as they do without the apparent mistake:\n\n";
    for access in harmless() {
        let _ = writeln!(text, "- {}. {}", access.title, access.wrong);
    }
    write_host(&mut text);
    for mistake in host::MISTAKES {
        push_page(&mut pages, None, mistake.title);
    }
    expect_file!["../docs/mistakes.md"].assert_eq(&text);
    // The pages of the site, which `ptx explain` names.
    let files: Vec<&str> = pages.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    let different: BTreeSet<&str> = files.iter().copied().collect();
    assert_eq!(files.len(), different.len(), "two mistakes have one page");
    expect_file!["../ptx-cli/rules/mistakes.txt"].assert_eq(&pages);
}

/// The rule of an error, by its code.
fn code_of(error: &str) -> Option<&str> {
    error.split_once(", PTX ISA").and_then(|(text, _)| text.rsplit('[').next())
}

/// Adds a line for the page of a mistake: the rule that finds it, the name of the page, and the title.
fn push_page(pages: &mut String, code: Option<&str>, title: &str) {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let page = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    let _ = writeln!(pages, "{} {page} {title}", code.unwrap_or("-"));
}

/// What compute-sanitizer reports of each program: the title, and the tools.
const SANITIZER: &str = include_str!("mistakes/sanitizer.txt");

/// The tools of compute-sanitizer that report a program.
fn reporting(title: &str) -> Vec<&'static str> {
    let line = SANITIZER.lines().find_map(|line| {
        let (found, tools) = line.rsplit_once(": ")?;
        (found == title).then_some(tools)
    });
    let tools = line.unwrap_or_else(|| panic!("`{title}` is not in tests/mistakes/sanitizer.txt"));
    tools.split(' ').filter(|tool| *tool != "-").collect()
}

fn sanitizer_sentence(title: &str) -> String {
    match reporting(title).as_slice() {
        [] => "`compute-sanitizer` reports nothing.".to_owned(),
        tools => format!("`compute-sanitizer` reports it (`{}`).", tools.join("`, `")),
    }
}

/// The guide's table of what compute-sanitizer and `ptx` report of the programs that were run.
#[test]
fn the_guide_compares_with_compute_sanitizer() {
    let mut rows = String::new();
    let (mut all, mut seen, mut faults) = (0, 0, 0);
    for access in accesses() {
        let Some(ours) = access.ours else { continue };
        let error = error(ours);
        let code = code_of(&error);
        let tools = reporting(access.title);
        all += 1;
        seen += usize::from(!tools.is_empty());
        faults += usize::from(tools == ["memcheck"] && matches!(access.does, Does::Fault(_)));
        let tools: Vec<String> = tools.iter().map(|tool| format!("`{tool}`")).collect();
        let tools = if tools.is_empty() { "nothing".to_owned() } else { tools.join(", ") };
        let _ = writeln!(rows, "| {} | {tools} | {} |", access.title, code.unwrap_or("-"));
    }
    let lines = SANITIZER.lines();
    let programs = accesses().chain(harmless()).count();
    assert_eq!(lines.filter(|line| !line.starts_with('#')).count(), programs);
    let table = format!(
        "`compute-sanitizer` reports {seen} of the {all}, {faults} of these are faults that the GPU itself reports:\n\n\
         | mistake | `compute-sanitizer` | `ptx` |\n| --- | --- | --- |\n{rows}"
    );
    let path = root().join("docs/guide/src/sanitizer.md");
    let page = std::fs::read_to_string(&path).expect("the page exists");
    let at = page.find("`compute-sanitizer` reports ").expect("it has the table");
    expect_file![path].assert_eq(&format!("{}{table}", &page[..at]));
}

/// Writes the mistakes of the host: each with its consequence without `ptx::cuda`, and the error with it.
fn write_host(text: &mut String) {
    text.push_str(
        "\n# Mistakes on the host\n\n\
         With `ptx::cuda`, each of these does not compile or is an `Err` before anything runs. The consequences\n\
         marked as measured were seen with cudarc by hand on an NVIDIA H200 or an H100, driver 580.159.04, 2026-11;\n\
         the rest are deduced from what the calls do. `cargo test --features cuda --test launch` compares the\n\
         driver's answers and the errors at run time on a GPU. The compiler's errors are those of the files in\n\
         `tests/launch/ui/`, and need no GPU.\n",
    );
    for (n, mistake) in host::MISTAKES.iter().enumerate() {
        let (title, number) = (mistake.title, n + 1);
        let otherwise = match mistake.otherwise {
            host::Otherwise::Is(sentence) => format!("Without `ptx::cuda` (measured): {sentence}"),
            host::Otherwise::Follows(sentence) => format!("Without `ptx::cuda`: {sentence}"),
            host::Otherwise::Answers => {
                let answer = host::answer(title);
                format!(
                    "Without `ptx::cuda` (measured): The driver returns `{answer}`, without a reason."
                )
            }
        };
        let (error, from) = match mistake.ours {
            host::Ours::Refused(file, line) => {
                let path = format!("tests/launch/ui/{file}");
                (refused(&path, line), format!("(`{path}.rs`)"))
            }
            host::Ours::Error => (host::error(title).to_owned(), "(at run time)".to_owned()),
        };
        let _ = write!(
            text,
            "\n## H{number}. {title}\n\n{otherwise}\n\n```text\n{error}\n```\n\n{from}\n"
        );
    }
}

/// The error whose caret is on this line of the file.
fn refused(path: &str, line: &str) -> String {
    let source =
        std::fs::read_to_string(root().join(format!("{path}.rs"))).expect("the file exists");
    let at = source.lines().position(|text| format!("{text}\n").contains(line));
    let at = at.unwrap_or_else(|| panic!("{path}.rs does not contain `{line}`")) + 1;
    let text = std::fs::read_to_string(root().join(format!("{path}.stderr")))
        .unwrap_or_else(|error| panic!("{path}.stderr: {error}"));
    let place = format!("{path}.rs:{at}:");
    let found = text.split("\n\n").find(|block| {
        let mut lines = block.lines().skip_while(|line| !line.starts_with("error"));
        lines.next();
        lines.next().is_some_and(|line| line.contains(&place))
    });
    let block = found.unwrap_or_else(|| panic!("no error at {place}"));
    let lines: Vec<&str> = block.lines().skip_while(|line| !line.starts_with("error")).collect();
    // Up to the last caret of the first position.
    let end = lines.iter().position(|line| line.contains('^')).map_or(lines.len(), |at| at + 1);
    lines[..end].join("\n")
}

/// Every error at run time is in the table, which has at least forty mistakes.
#[test]
fn every_error_of_the_host_is_a_mistake() {
    let known = |title: &&str| host::MISTAKES.iter().any(|mistake| mistake.title == *title);
    let missing: Vec<&str> = host::errors().filter(|title| !known(title)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(host::MISTAKES.len() >= 40);
}

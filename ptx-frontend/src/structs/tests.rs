//! Layouts of structs.

use super::*;

const FILE: &str = "
    use ptx::{V4, Ptr};
    const ROWS: usize = 4;
    const COUNT: usize = 2 * ROWS;
    pub type Row = [f32; 3];
    #[repr(C)] pub struct Point { x: f32, y: f32, tag: u8 }
    mod inner {
        #[derive(PtxType)] #[repr(C, align(32))]
        pub struct Ring { rows: [Row; ROWS], points: [Point; COUNT], full: [Mbarrier; 2], at: Ptr<Global, Ring> }
    }
    #[repr(C)] struct Tuple(u16, V4<f32>);
    #[tensor_map(element = bf16, box = [64, 8], swizzle = B128)] struct A;
    #[repr(C)] struct Stages { count: u32, a: [Tile<A>; 2] }
    struct Plain { a: u8 }
    #[repr(C, packed)] struct Packed { a: u8 }
    #[repr(C)] struct Own { a: Own2 }
    #[repr(C)] struct Own2 { a: Own }
    #[repr(C)] struct Foreign { a: other::Thing }
    #[repr(C)] struct Generic<T> { a: T }
    #[repr(C)] struct Length { a: [u8; size()] }
    #[repr(C)] struct Twice { a: u8 }
    #[repr(C)] struct Twice { a: u16 }
    #[repr(C)] struct Some { #[cfg(unix)] a: u8 }
    #[repr(C)] struct Huge { a: [u64; 0xFFFF_FFFF_FFFF_FFFF], b: u64 }
    enum Choice { A }
";

/// The size and the alignment of a type, and the names and offsets of its fields.
type Layout = (usize, usize, Vec<(String, usize)>);

fn of(ty: &str) -> Result<Layout, String> {
    let mut structs = Structs::default();
    structs.add(FILE).expect("it is Rust");
    let arena = Bump::new();
    let ty = structs.layout(&syn::parse_str(ty).expect("a type"), &arena)?;
    let fields = match ty {
        Type::Struct(layout) => layout.fields,
        _ => &[],
    };
    let fields = fields.iter().map(|field| (field.name.to_owned(), field.offset)).collect();
    Ok((ty.size().unwrap_or_default(), ty.align().unwrap_or_default(), fields))
}

/// The offsets and sizes are those that rustc computes for the same structs.
#[test]
fn structs_are_laid_out_as_in_c() {
    let fields = |all: &[(&str, usize)]| -> Vec<(String, usize)> {
        all.iter().map(|(name, offset)| ((*name).to_owned(), *offset)).collect()
    };
    for (ty, size, align, all) in [
        ("Point", 12, 4, fields(&[("x", 0), ("y", 4), ("tag", 8)])),
        ("Ring", 192, 32, fields(&[("rows", 0), ("points", 48), ("full", 144), ("at", 160)])),
        ("Tuple", 32, 16, fields(&[("0", 0), ("1", 16)])),
        ("Stages", 3072, 1024, fields(&[("count", 0), ("a", 1024)])),
        ("crate::types::Point", 12, 4, fields(&[("x", 0), ("y", 4), ("tag", 8)])),
        ("[Row; 2]", 24, 4, Vec::new()),
        ("f16", 2, 2, Vec::new()),
        ("Aligned<Point, U16>", 12, 16, Vec::new()),
    ] {
        assert_eq!(of(ty), Ok((size, align, all)), "{ty}");
    }
}

#[test]
fn unknown_layouts_have_a_reason() {
    for (ty, why) in [
        ("Plain", "Rust may lay `Plain` out in any order; write `#[repr(C)]` above it"),
        ("Packed", "`#[repr(..)]` of `Packed` cannot be used: PTX has no such layout"),
        ("Own", "`Own` contains itself (the field `a` of `Own2`) (the field `a` of `Own`)"),
        ("Foreign", "only rustc knows the layout of `other::Thing` (the field `a` of `Foreign`)"),
        ("Generic<f32>", "`Generic` is generic, and only rustc knows its layout"),
        ("Length", "the length `size ()` is not known from literals (the field `a` of `Length`)"),
        ("Twice", "`Twice` is declared more than once"),
        ("Some", "`cfg` decides what `Some` is"),
        ("Choice", "only rustc knows the layout of `Choice`, which is not a struct"),
        ("Missing", "only rustc knows the layout of `Missing`"),
        ("Huge", "`Huge` is too large"),
    ] {
        assert_eq!(of(ty), Err(why.to_owned()), "{ty}");
    }
}

//! Pointers in structs that kernels take by value: they are followed like pointer parameters where the struct
//! is known, which is in `Module::check` but not in the macro.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
use ptx::prelude::*;
use ptx::typenum::{U1, U16};

/// An image of rows.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Image {
    data: Ptr<Global, f32>,
    width: u32,
    height: u32,
    aligned: Ptr<Global, f32, U16>,
}

/// Pointers of every kind.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Mixed {
    count: u64,
    table: Ptr<Const, f64>,
    image: Image,
    far: Ptr<Generic, u32>,
    rows: [Ptr<Global, f32>; 2],
    bytes: Ptr<Global, u8, U1>,
    near: Ptr<Shared, f32>,
}

/// A pointer and its length.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Slice<T> {
    len: u64,
    items: Ptr<Global, T>,
}

/// A list.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Node {
    value: f64,
    next: Ptr<Global, Node>,
}

#[ptx::module(target = sm_90)]
mod wrong {
    use super::*;

    #[kernel]
    fn below(image: Image) {
        ptx! {
            .reg .b64 %p;
            .reg .f32 %a, %b, %c, %d;
            ld.param.u64      %p, [image+0];
            cvta.to.global.u64 %p, %p;
            ld.global.v4.f32  {%a, %b, %c, %d}, [%p];
            ret;
        }
    }

    #[kernel]
    fn between(image: Image) {
        ptx! {
            .reg .b64 %p;
            .reg .f32 %a;
            ld.param.u64      %p, [image.data];
            ld.global.f32     %a, [%p+2];
            ret;
        }
    }

    #[kernel]
    fn off(image: Image) {
        ptx! {
            .reg .b64 %p;
            .reg .f32 %a, %b, %c, %d;
            ld.param.u64      %p, [image.aligned];
            add.u64           %p, %p, 8;
            ld.global.v4.f32  {%a, %b, %c, %d}, [%p];
            ret;
        }
    }

    #[kernel]
    fn other_type(mixed: Mixed) {
        ptx! {
            .reg .b64 %p;
            .reg .b32 %a;
            ld.param.u64      %p, [mixed+16];
            cvt.rn.f16x2.f32  %a, 0f3F800000, 0f3F800000;
            st.global.b32     [%p], %a;
            ret;
        }
    }

    #[kernel]
    fn other_space(mixed: Mixed) {
        ptx! {
            .reg .b64 %p;
            .reg .f32 %a;
            ld.param.u64      %p, [mixed.image.data];
            ld.shared.f32     %a, [%p];
            ret;
        }
    }

    #[kernel]
    fn constant_written(mixed: Mixed) {
        ptx! {
            .reg .b64 %p;
            ld.param.b64      %p, [mixed.table];
            cvta.const.u64    %p, %p;
            st.f64            [%p], 0d0000000000000000;
            ret;
        }
    }

    #[device]
    fn loaded(at: Reg<u64>) {
        ptx! {
            .reg .f32 %a, %b;
            ld.global.v2.f32  {%a, %b}, [at];
            ret;
        }
    }

    #[kernel]
    fn passed(image: Image) {
        ptx! {
            .reg .b64 %p;
            ld.param.u64      %p, [image.data];
            add.u64           %p, %p, 4;
            call              loaded, (%p);
            ret;
        }
    }

    #[device]
    fn by_value(image: Image) {
        ptx! {
            .reg .b64 %p;
            .reg .b32 %a;
            ld.param.u64      %p, [image.aligned];
            cvt.rn.f16x2.f32  %a, 0f3F800000, 0f3F800000;
            st.global.b32     [%p+4], %a;
            ret;
        }
    }

    #[kernel]
    fn halved(image: Image) {
        ptx! {
            .reg .b64 %p;
            .reg .b32 %l, %a;
            ld.param.u64      %p, [image.data];
            cvt.u32.u64       %l, %p;
            cvt.u64.u32       %p, %l;
            ld.global.b32     %a, [%p];
            ret;
        }
    }

    #[device]
    fn takes(near: Ptr<Shared, f32>) {
        ptx! { ret; }
    }

    #[kernel]
    fn passed_elsewhere(image: Image) {
        ptx! {
            .reg .b64 %p;
            .param .b64 near;
            ld.param.u64      %p, [image.data];
            st.param.b64      [near], %p;
            call              takes, (near);
            ret;
        }
    }

    #[kernel]
    fn generic(slice: Slice<V2<f32>>) {
        ptx! {
            .reg .b64 %p;
            .reg .f32 %a, %b;
            ld.param.u64      %p, [slice.items];
            ld.global.v2.f32  {%a, %b}, [%p+4];
            ret;
        }
    }

    #[kernel]
    fn listed(head: Node) {
        ptx! {
            .reg .b64 %p;
            .reg .b32 %a;
            ld.param.u64      %p, [head.next];
            ld.global.b32     %a, [%p+2];
            ret;
        }
    }
}

#[ptx::module(target = sm_90)]
mod right {
    use super::*;

    #[kernel]
    fn read(image: Image) {
        ptx! {
            .reg .b64 %p, %i;
            .reg .b32 %t;
            .reg .f32 %a, %b, %c, %d;
            ld.param.u64       %p, [image.aligned];
            cvta.to.global.u64 %p, %p;
            mov.u32            %t, %tid.x;
            mul.wide.u32       %i, %t, 16;
            add.u64            %p, %p, %i;
            ld.global.v4.f32   {%a, %b, %c, %d}, [%p];
            ld.param.u64       %p, [image+0];
            ld.global.f32      %a, [%p+4];
            ret;
        }
    }

    /// Accesses of four elements where that is aligned.
    #[kernel]
    fn tested(image: Image) {
        ptx! {
            .reg .pred %q;
            .reg .b64 %p, %l;
            .reg .f32 %a, %b, %c, %d;
            ld.param.u64       %p, [image.data];
            and.b64            %l, %p, 15;
            setp.ne.u64        %q, %l, 0;
            @%q bra            ONE;
            ld.global.v4.f32   {%a, %b, %c, %d}, [%p];
            ret;
        ONE:
            ld.global.f32      %a, [%p];
            ret;
        }
    }

    #[device]
    fn is_aligned(at: Reg<u64>) -> Reg<u32> {
        ptx! {
            .reg .pred %q;
            .reg .b64 %l;
            and.b64            %l, at, 15;
            setp.eq.u64        %q, %l, 0;
            selp.u32           returned, 1, 0, %q;
            ret;
        }
    }

    #[kernel]
    fn asked(image: Image) {
        ptx! {
            .reg .pred %q;
            .reg .b64 %p;
            .reg .b32 %r;
            .reg .f32 %a, %b, %c, %d;
            ld.param.u64       %p, [image.data];
            call               (%r), is_aligned, (%p);
            setp.eq.u32        %q, %r, 0;
            @%q bra            END;
            ld.global.v4.f32   {%a, %b, %c, %d}, [%p];
        END:
            ret;
        }
    }

    #[kernel]
    fn every_kind(mixed: Mixed) {
        ptx! {
            .reg .pred %q;
            .reg .b64 %p, %n;
            .reg .b32 %u;
            .reg .f32 %a, %b;
            .reg .f64 %x;
            ld.param.u64       %p, [mixed.table];
            ld.const.f64       %x, [%p+8];
            ld.param.u64       %p, [mixed.image.data];
            ld.global.f32      %a, [%p-4];
            ld.param.u64       %p, [mixed.far];
            ld.u32             %u, [%p];
            ld.param.u64       %p, [mixed.rows[1]];
            ld.global.v2.f32   {%a, %b}, [%p];
            ld.param.u64       %p, [mixed.bytes];
            ld.global.v2.f32   {%a, %b}, [%p];
            ld.param.u64       %p, [mixed.near];
            ld.shared.f32      %a, [%p];
            // Half of a pointer.
            ld.param.b32       %u, [mixed.image];
            cvt.u64.u32        %p, %u;
            ld.shared.f32      %a, [%p];
            // A pointer, or a number.
            ld.param.u64       %p, [mixed.image.data];
            ld.param.u64       %n, [mixed.count];
            setp.eq.u64        %q, %p, 0;
            selp.b64           %p, %n, %p, %q;
            ld.shared.f32      %a, [%p];
            ret;
        }
    }

    #[kernel]
    fn followed(head: Node) {
        ptx! {
            .reg .pred %q;
            .reg .b64 %p;
            .reg .f64 %x;
            ld.param.u64       %p, [head.next];
        NEXT:
            setp.eq.u64        %q, %p, 0;
            @%q bra            END;
            ld.global.f64      %x, [%p];
            ld.global.u64      %p, [%p+8];
            bra                NEXT;
        END:
            ret;
        }
    }
}

#[test]
fn mistakes_are_found() {
    let found: Vec<String> = wrong::MODULE.check().iter().map(ptx::Finding::message).collect();
    let expected = [
        ("A021", "offset 2 into `*image.data` is not a multiple of 4"),
        ("A021", "offset 8 into `*image.aligned` is not a multiple of 16"),
        ("A034", "`*mixed.image.data` holds `.f32` there, but this uses it as `.f16`"),
        ("A031", "`%p` holds an address of `*mixed.image.data` in `.global`"),
        ("A035", "this stores through `%p`, an address of `*mixed.table`"),
        ("A021", "offset 4 into `*image.data` is not a multiple of 8"),
        ("A034", "`*image.aligned` holds `.f32` there"),
        ("A058", "`%p` holds the lowest 32 bits of an address of `image.data`"),
        ("C007", "`near` points into `.shared`, but is given an address of `image.data`"),
        ("A021", "offset 4 into `*slice.items` is not a multiple of 8"),
        ("A021", "offset 2 into `*head.next` is not a multiple of 4"),
        ("A036", "`image.data` promises an alignment of 4 bytes, but the access on line"),
    ];
    assert_eq!(found.len(), expected.len(), "{}", found.join("\n"));
    for (found, (code, start)) in found.iter().zip(expected) {
        let is_it = found.starts_with(start) && found.contains(&format!("[{code}, "));
        assert!(is_it, "{found}\nis not {code}: {start}");
    }
}

#[test]
fn correct_accesses_are_not_reported() {
    assert!(right::MODULE.check().is_empty(), "{:?}", right::MODULE.check());
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(&right::MODULE) {
            panic!("{refused}\n{}", right::MODULE);
        }
    }
}

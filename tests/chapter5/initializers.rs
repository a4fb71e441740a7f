//! 5.4.4, initial values.
//!
//! Module variables in `.global` and `.const` are in the cubin whether or not a kernel uses them, so the
//! header and the variables that they name are enough to complete them.

use ptx::prelude::*;

use crate::{Example, check};

#[ptx::module(target = sm_80)]
mod vals {
    #[constant]
    static vals: [f32; 8] = [0.33, 0.25, 0.125, 0.0, 0.0, 0.0, 0.0, 0.0];
}

#[ptx::module(target = sm_80)]
mod x {
    #[global]
    static x: [[i32; 2]; 3] = [[1, 2], [3, 0], [0, 0]];
}

#[test]
fn examples_of_5_4_4() {
    incomplete_lists();
    addresses();
    values();
}

fn incomplete_lists() {
    check(&[
        Example {
            place: "5.4.4, example 1: vals",
            original: ".const  .f32 vals[8] = { 0.33, 0.25, 0.125 };",
            ours: &vals::MODULE,
            declares: &[".const .f32 vals[8] = {0f3EA8F5C3, 0f3E800000, 0f3E000000};"],
            sections: &[".nv.constant3"],
        },
        Example {
            place: "5.4.4, example 1: x",
            original: ".global .s32 x[3][2] = { {1,2}, {3} };",
            ours: &x::MODULE,
            declares: &[".global .s32 x[3][2] = {{1, 2}, {3}};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 2: vals",
            original: ".const  .f32 vals[8] = { 0.33, 0.25, 0.125, 0.0, 0.0, 0.0, 0.0, 0.0 };",
            ours: &vals::MODULE,
            declares: &[],
            sections: &[".nv.constant3"],
        },
        Example {
            place: "5.4.4, example 2: x",
            original: ".global .s32 x[3][2] = { {1,2}, {3,0}, {0,0} };",
            ours: &x::MODULE,
            declares: &[],
            sections: &[".nv.global.init"],
        },
    ]);
}

#[ptx::module(target = sm_80)]
mod foo {
    #[constant]
    static foo: u32 = 42;
}

#[ptx::module(target = sm_80)]
mod bar {
    #[global]
    static bar: [u32; _] = [2, 3, 5];
}

// As the chapter has it. An offset in `.const` is a number that ptxas knows; other addresses in a
// `.u32` are eight bytes that the driver writes into the four.
#[ptx::module(target = sm_80)]
mod p1_of_32_bits {
    #[constant]
    static foo: u32 = 42;
    #[global(allow(D040))]
    static p1: u32 = addr(foo);
}

#[ptx::module(target = sm_80)]
mod p1 {
    use super::*;

    #[constant]
    static foo: u32 = 42;
    #[global]
    static p1: Ptr<Const, u32> = addr(foo);
}

#[ptx::module(target = sm_80)]
mod p2 {
    use super::*;

    #[constant]
    static foo: u32 = 42;
    #[global]
    static p2: Ptr<Generic, u32> = generic(foo);
}

#[ptx::module(target = sm_80)]
mod parr {
    use super::*;

    #[global]
    static bar: [u32; _] = [2, 3, 5];
    #[global]
    static parr: [Ptr<Generic, u32>; _] = [generic(bar), generic(bar) + 4, generic(bar) + 8];
}

#[ptx::module(target = sm_80)]
mod addr1 {
    #[constant]
    static foo: u32 = 42;
    #[global]
    static addr: [u8; _] = [
        mask(0xff, addr(foo)),
        mask(0xff00, addr(foo)),
        mask(0xff_0000, addr(foo)),
        mask(0xff00_0000, addr(foo)),
        mask(0xff_0000_0000, addr(foo)),
        mask(0xff00_0000_0000, addr(foo)),
        mask(0xff_0000_0000_0000, addr(foo)),
        mask(0xff00_0000_0000_0000, addr(foo)),
    ];
}

#[ptx::module(target = sm_80)]
mod addr2 {
    #[constant]
    static foo: u32 = 42;
    // The chapter's foo has 4 bytes, so foo+4 is past its end.
    #[global(allow(D034))]
    static addr2: [u8; _] =
        [mask(0xff, addr(foo) + 4), mask(0xff00, addr(foo) + 4), mask(0xff_0000, addr(foo) + 4)];
}

#[ptx::module(target = sm_80)]
mod addr3 {
    #[constant]
    static foo: u32 = 42;
    #[global]
    static addr3: [u8; _] = [mask(0xff, generic(foo)), mask(0xff00, generic(foo))];
}

#[ptx::module(target = sm_80)]
mod addr4 {
    #[constant]
    static foo: u32 = 42;
    // The chapter's foo has 4 bytes, so foo+4 is past its end.
    #[global(allow(D034))]
    static addr4: [u8; _] = [mask(0xff, generic(foo) + 4), mask(0xff00, generic(foo) + 4)];
}

// Ours are numbers when they reach ptxas; the chapter's need PTX 7.2.
#[ptx::module(target = sm_80, version = 7.2)]
mod addr5 {
    #[global]
    static addr5: [u8; _] = [mask(0xFF, 1000 + 546), mask(0xFF00, 131187)];
}

// At offset 0, all bytes of the address are zero; here it is 0x1234.
#[ptx::module(target = sm_80)]
mod addr_behind {
    #[constant]
    pub static before: [u32; 0x1234 / 4];
    #[constant]
    static foo: u32 = 42;
    #[global(allow(D034))]
    static addr: [u8; _] = [
        mask(0xff, addr(foo)),
        mask(0xff00, addr(foo)),
        mask(0xff_0000, addr(foo)),
        mask(0xff, addr(foo) + 4),
        mask(0xff00, addr(foo) + 4),
    ];
}

// The same with a variable whose addresses are only known when the program is loaded.
#[ptx::module(target = sm_80)]
mod addr_of_global {
    #[global]
    static foo: u32 = 42;
    #[global(allow(D034))]
    static addr: [u8; _] = [
        mask(0xff, addr(foo)),
        mask(0xff00, addr(foo) + 4),
        mask(0xff_0000, generic(foo)),
        mask(0xff00_0000, generic(foo) + 4),
        mask(0xff_0000_0000, addr(foo)),
        mask(0xff00_0000_0000, addr(foo)),
        mask(0xff_0000_0000_0000, addr(foo)),
        mask(0xff00_0000_0000_0000, addr(foo)),
    ];
}

fn addresses() {
    check(&[
        Example {
            place: "5.4.4, example 3: foo",
            original: ".const  .u32 foo = 42;",
            ours: &foo::MODULE,
            declares: &[".const .u32 foo = 42;"],
            sections: &[".nv.constant3"],
        },
        Example {
            place: "5.4.4, example 3: bar",
            original: ".global .u32 bar[] = { 2, 3, 5 };",
            ours: &bar::MODULE,
            declares: &[".global .u32 bar[3] = {2, 3, 5};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: p1 as it stands",
            original: r"
.const  .u32 foo = 42;
.global .u32 p1 = foo;          // offset of foo in .const space
",
            ours: &p1_of_32_bits::MODULE,
            declares: &[".global .u32 p1 = foo;"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: p1",
            original: r"
.const  .u32 foo = 42;
.global .u64 p1 = foo;          // was: .global .u32 p1 = foo;          // offset of foo in .const space
",
            ours: &p1::MODULE,
            declares: &[".global .u64 p1 = foo;"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: p2",
            original: r"
.const  .u32 foo = 42;
.global .u64 p2 = generic(foo); // was: .global .u32 p2 = generic(foo); // generic address of foo
",
            ours: &p2::MODULE,
            declares: &[".global .u64 p2 = generic(foo);"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: parr",
            original: r"
.global .u32 bar[] = { 2, 3, 5 };
// array of generic-address pointers to elements of bar
.global .u64 parr[] = { generic(bar), generic(bar)+4, // was: .global .u32 parr[] = { generic(bar), generic(bar)+4,
generic(bar)+8 };
",
            ours: &parr::MODULE,
            declares: &[".global .u64 parr[3] = {generic(bar), generic(bar)+4, generic(bar)+8};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: addr",
            original: r"
.const  .u32 foo = 42;
// examples using mask() operator are pruned for brevity
.global .u8 addr[] = {0xff(foo), 0xff00(foo), 0xff0000(foo), // was: .global .u8 addr[] = {0xff(foo), 0xff00(foo), 0xff0000(foo), ...};
    0xff000000(foo), 0xff00000000(foo), 0xff0000000000(foo), //+
    0xff000000000000(foo), 0xff00000000000000(foo)};         //+
",
            ours: &addr1::MODULE,
            declares: &[
                ".global .u8 addr[8] = {0xFF(foo), 0xFF00(foo), 0xFF0000(foo), 0xFF000000(foo), 0xFF00000000(foo),",
            ],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: addr2",
            original: r"
.const  .u32 foo = 42;
.global .u8 addr2[] = {0xff(foo+4), 0xff00(foo+4), 0xff0000(foo+4)}; // was: .global .u8 addr2[] = {0xff(foo+4), 0xff00(foo+4), 0xff0000(foo+4),...}
",
            ours: &addr2::MODULE,
            declares: &[".global .u8 addr2[3] = {0xFF(foo+4), 0xFF00(foo+4), 0xFF0000(foo+4)};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: addr3",
            original: r"
.const  .u32 foo = 42;
.global .u8 addr3[] = {0xff(generic(foo)), 0xff00(generic(foo))}; // was: .global .u8 addr3[] = {0xff(generic(foo)), 0xff00(generic(foo)),...}
",
            ours: &addr3::MODULE,
            declares: &[".global .u8 addr3[2] = {0xFF(generic(foo)), 0xFF00(generic(foo))};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: addr4",
            original: r"
.const  .u32 foo = 42;
.global .u8 addr4[] = {0xff(generic(foo)+4), 0xff00(generic(foo)+4)}; // was: .global .u8 addr4[] = {0xff(generic(foo)+4), 0xff00(generic(foo)+4),...}
",
            ours: &addr4::MODULE,
            declares: &[".global .u8 addr4[2] = {0xFF(generic(foo)+4), 0xFF00(generic(foo)+4)};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: addr5",
            original: r"
// mask() operator with integer const expression
.global .u8 addr5[] = { 0xFF(1000 + 546), 0xFF00(131187)}; // was: .global .u8 addr5[] = { 0xFF(1000 + 546), 0xFF00(131187), ...};
",
            ours: &addr5::MODULE,
            declares: &[".global .u8 addr5[2] = {10};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: addr and addr2, with a foo at another offset",
            original: r"
.visible .const .u32 before[1165];                                       //+
.const  .u32 foo = 42;
.global .u8 addr[] = {0xff(foo), 0xff00(foo), 0xff0000(foo), // was: .global .u8 addr[] = {0xff(foo), 0xff00(foo), 0xff0000(foo), ...};
    0xff(foo+4), 0xff00(foo+4)}; // was: .global .u8 addr2[] = {0xff(foo+4), 0xff00(foo+4), 0xff0000(foo+4),...}
",
            ours: &addr_behind::MODULE,
            declares: &[],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 3: addr to addr4, with a `.global` foo",
            original: r"
.global .u32 foo = 42; // was: .const  .u32 foo = 42;
.global .u8 addr[] = {0xff(foo), 0xff00(foo+4), 0xff0000(generic(foo)),      //+
    0xff000000(generic(foo)+4), 0xff00000000(foo), 0xff0000000000(foo),      //+
    0xff000000000000(foo), 0xff00000000000000(foo)};                         //+
",
            ours: &addr_of_global::MODULE,
            declares: &[],
            sections: &[".nv.global.init"],
        },
    ]);
}

#[ptx::module(target = sm_80)]
mod n {
    #[global]
    static n: i32 = 10;
}

#[ptx::module(target = sm_80)]
mod blur_kernel {
    #[global]
    static blur_kernel: [[f32; 3]; _] = [[0.05, 0.1, 0.05], [0.1, 0.4, 0.1], [0.05, 0.1, 0.05]];
}

#[ptx::module(target = sm_80)]
mod primes {
    #[global]
    static foo: [u32; _] = [2, 3, 5, 7, 9, 11];
}

#[ptx::module(target = sm_80)]
mod first_prime {
    use super::*;

    #[global]
    static foo: [u32; _] = [2, 3, 5, 7, 9, 11];
    #[global]
    static ptr: Ptr<Generic, u32> = generic(foo);
}

#[ptx::module(target = sm_80)]
mod third_prime {
    use super::*;

    #[global]
    static foo: [u32; _] = [2, 3, 5, 7, 9, 11];
    #[global]
    static ptr: Ptr<Generic, u32> = generic(foo) + 8;
}

fn values() {
    check(&[
        Example {
            place: "5.4.4, example 4: n",
            original: ".global .s32 n = 10;",
            ours: &n::MODULE,
            declares: &[".global .s32 n = 10;"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 4: blur_kernel",
            original: r"
.global .f32 blur_kernel[][3]
               = {{.05,.1,.05},{.1,.4,.1},{.05,.1,.05}};
",
            ours: &blur_kernel::MODULE,
            declares: &[
                ".global .f32 blur_kernel[3][3] = {",
                "{0f3D4CCCCD, 0f3DCCCCCD, 0f3D4CCCCD},",
                "{0f3DCCCCCD, 0f3ECCCCCD, 0f3DCCCCCD},",
            ],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 4: foo",
            original: ".global .u32 foo[] = { 2, 3, 5, 7, 9, 11 };",
            ours: &primes::MODULE,
            declares: &[".global .u32 foo[6] = {2, 3, 5, 7, 9, 11};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 4: the first ptr",
            original: r"
.global .u32 foo[] = { 2, 3, 5, 7, 9, 11 };
.global .u64 ptr = generic(foo);   // generic address of foo[0]
",
            ours: &first_prime::MODULE,
            declares: &[".global .u64 ptr = generic(foo);"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.4, example 4: the second ptr",
            original: r"
.global .u32 foo[] = { 2, 3, 5, 7, 9, 11 };
.global .u64 ptr = generic(foo)+8; // generic address of foo[2]
",
            ours: &third_prime::MODULE,
            declares: &[".global .u64 ptr = generic(foo)+8;"],
            sections: &[".nv.global.init"],
        },
    ]);
}

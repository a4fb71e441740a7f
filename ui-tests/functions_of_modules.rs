//! Calls of device functions that other modules declare.

#[ptx::module(target = sm_80)]
pub mod lib {
    #[constant]
    pub static TABLE: [f32; 4] = [1.0, 2.0, 3.0, 4.0];
    pub const COUNT: u32 = 4;

    #[device]
    fn first(x: Reg<f32>) -> Reg<f32> {
        ptx! {
            .reg .f32 %t;
            ld.const.f32 %t, [TABLE];
            add.f32 returned, x, %t;
            ret;
        }
    }

    #[device]
    pub fn twice(x: Reg<f32>) -> Reg<f32> {
        ptx! {
            .reg .f32 %t;
            call (%t), first, (x);
            add.f32 returned, %t, %t;
            ret;
        }
    }

    #[device(for(T in [f32, f64]))]
    pub fn square<T>(x: Reg<T>) -> Reg<T> {
        ptx! { mul.T returned, x, x; ret; }
    }
}

/// What is passed has to fit, as for a function of the module.
#[ptx::module(target = sm_90a)]
mod arguments {
    use super::lib::twice;

    #[kernel]
    pub fn f() {
        ptx! {
            .reg .f32 %y;
            .reg .f64 %d;
            call (%y), twice, (1.0, 2.0);
            call (%d), twice, (%d);
            twice %y, %y;
            call (%y), super::lib::square::<u32>, (%y);
            call (%y), super::lib::square, (%y);
            call (%y), twice::<f32>, (%y);
            ret;
        }
    }
}

/// PTX has one scope for all names.
#[ptx::module(target = sm_90a)]
mod own_name {
    #[device]
    fn twice(x: Reg<f32>) -> Reg<f32> {
        ptx! { add.f32 returned, x, x; ret; }
    }

    #[kernel]
    pub fn f() {
        ptx! {
            .reg .f32 %y;
            call (%y), super::lib::twice, (1.0);
            call (%y), twice, (%y);
            ret;
        }
    }
}

/// What the function needs has names, too.
#[ptx::module(target = sm_90a)]
mod name_of_a_table {
    use super::lib::twice;

    #[constant]
    static TABLE: [f32; 2] = [1.0, 2.0];

    #[kernel]
    pub fn f() {
        ptx! {
            .reg .f32 %y;
            call (%y), twice, (1.0);
            ld.const.f32 %y, [TABLE];
            ret;
        }
    }
}

/// With another name for one of the two, both can be called.
#[ptx::module(target = sm_90a)]
mod other_name {
    #[device]
    #[unsafe(export_name = "own_twice")]
    fn twice(x: Reg<f32>) -> Reg<f32> {
        ptx! { add.f32 returned, x, x; ret; }
    }

    #[kernel]
    pub fn f() {
        ptx! {
            .reg .f32 %y;
            call (%y), super::lib::twice, (1.0);
            call (%y), twice, (%y);
            ret;
        }
    }
}

macro_rules! module_of {
    ($name:ident, $by:literal) => {
        #[ptx::module(target = sm_80)]
        pub mod $name {
            #[device]
            pub fn scaled(x: Reg<f32>) -> Reg<f32> {
                ptx! { mul.f32 returned, x, $by; ret; }
            }
        }
    };
}

module_of!(by_two, 2.0);
module_of!(by_three, 3.0);

/// Two functions of one name are two, although one macro writes them.
#[ptx::module(target = sm_80)]
mod both {
    #[kernel]
    pub fn f() {
        ptx! {
            .reg .f32 %y;
            call (%y), super::by_two::scaled, (1.0);
            call (%y), super::by_three::scaled, (%y);
            ret;
        }
    }
}

/// A glob brings no functions.
#[ptx::module(target = sm_80)]
mod by_glob {
    use super::lib::*;

    #[kernel]
    pub fn f() {
        ptx! {
            .reg .f32 %y;
            call.uni (%y), twice, (1.0);
            ret;
        }
    }
}

/// Storage is not reached from another module.
#[ptx::module(target = sm_90a)]
mod storage {
    use super::lib::{COUNT, TABLE};

    #[kernel]
    pub fn f() {
        ptx! {
            .reg .f32 %y;
            .reg .b32 %n;
            ld.const.f32 %y, [TABLE];
            ld.const.f32 %y, [super::lib::TABLE + 4];
            mov.u32 %n, COUNT;
            ret;
        }
    }
}

fn main() {}

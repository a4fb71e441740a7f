#![allow(unused)]
#[ptx::module(target = sm_90a)]
mod m {
    #[global(weak, common)]
    static BOTH: u32;
    #[global(dynamic)]
    static DYNAMIC: u32;
    #[global(wake)]
    static TYPO: u32;
    #[global(extern)]
    static VALUE: u32 = 1;
}

fn main() {}

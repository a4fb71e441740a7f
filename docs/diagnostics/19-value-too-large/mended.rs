#[ptx::module(target = sm_90a)]
pub mod m {
    #[global]
    static BYTE: u16 = 300;
}

fn main() {}

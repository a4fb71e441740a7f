#[ptx::module(target = sm_90a)]
pub mod m {
    #[kernel(reqntid = 2048)]
    fn k() {
        ptx! { ret; }
    }
}

fn main() {}

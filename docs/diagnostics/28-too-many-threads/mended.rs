#[ptx::module(target = sm_90a)]
pub mod m {
    #[kernel(reqntid = 1024)]
    fn k() {
        ptx! { ret; }
    }
}

fn main() {}

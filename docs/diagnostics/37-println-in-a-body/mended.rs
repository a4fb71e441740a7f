#[ptx::module(target = sm_90a)]
pub mod m {
    #[kernel]
    fn k() {
        ptx! {
            ret;
        }
    }
}

fn main() {}

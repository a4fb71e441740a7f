//! Arguments that `assembles!` does not accept.

#[ptx::module(target = sm_80)]
mod saxpy {
    #[kernel]
    pub fn saxpy() {
        ptx! { ret; }
    }
}

ptx::assembles!();
ptx::assembles!("saxpy");
ptx::assembles!(saxpy saxpy);
ptx::assembles!(saxpy => [sm_90b]);
ptx::assembles!(saxpy where register <= 40, occupancy > 1);
ptx::assembles!(saxpy where registers);
ptx::assembles!(saxpy where spills = 0 => [sm_90]);
ptx::assembles!(saxpy => sm_90);
ptx::assembles!(saxpy => [sm_90] registers <= 40);

fn main() {}

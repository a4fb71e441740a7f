//! A114: barriers of the cluster at which not every thread arrives.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    /// One thread of each block arrives, and all wait.
    #[kernel(reqntid = 64, reqnctapercluster = 2)]
    fn one_thread() {
        ptx! {
            .reg .pred %first;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// All arrive.
    #[kernel(reqntid = 64, reqnctapercluster = 2)]
    fn all_threads() {
        ptx! {
            .reg .pred %first;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// Nothing waits for threads that have ended.
    #[kernel(reqntid = 64, reqnctapercluster = 2)]
    fn one_block() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %rank;
            mov.u32 %rank, %cluster_ctarank;
            setp.ne.u32 %p, %rank, 0;
            @%p bra DONE;
            barrier.cluster.arrive;
            barrier.cluster.wait;
        DONE:
            ret;
        }
    }

    /// Threads arrive again before they wait.
    #[kernel(reqntid = 64, reqnctapercluster = 2)]
    fn arrive_twice() {
        ptx! {
            barrier.cluster.arrive;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// Threads wait in between.
    #[kernel(reqntid = 64, reqnctapercluster = 2)]
    fn wait_twice() {
        ptx! {
            barrier.cluster.arrive;
            barrier.cluster.wait;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }
}

fn main() {}

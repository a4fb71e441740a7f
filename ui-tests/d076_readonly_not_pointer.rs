#![allow(unused)]
use ptx::prelude::*;

type Count = u32;
type Row = Ptr<Global, f32>;

#[derive(PtxType)]
#[repr(C)]
struct Rows {
    first: Row,
}

#[tensor_map(element = f32, box = [4, 4])]
struct Map;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn early(#[readonly] n: u32, #[readonly] block: [f32; 4], #[readonly] bits: u64) {
        ptx! { ret; }
    }

    #[kernel]
    fn late(
        #[readonly] n: Count,
        #[readonly] rows: Rows,
        #[readonly] map: TensorMap<Map>,
        #[readonly] maps: [TensorMap<Map>; 2],
        #[readonly] row: Row,
    ) {
        ptx! { ret; }
    }

    #[kernel(extern)]
    fn elsewhere(#[readonly] n: u32, #[readonly] row: Ptr<Global, f32>);
}

fn main() {}

//! The driver's answers to the same launches without `ptx::cuda`: `tests/launch/unchecked.txt`.

use std::error::Error;
use std::ffi::c_void;
use std::fmt::Write as _;

use cudarc::driver::{CudaStream, sys};
use ptx::cuda::{LoadedKernel, load};

use crate::errors::kernels;

/// A launch by hand.
#[derive(Clone, Copy)]
struct Raw {
    grid: [u32; 3],
    block: [u32; 3],
    cluster: Option<[u32; 3]>,
    dynamic: u32,
    cooperative: bool,
}

const RAW: Raw =
    Raw { grid: [1; 3], block: [64, 1, 1], cluster: None, dynamic: 0, cooperative: false };

impl Raw {
    /// The result of `cuLaunchKernelEx`.
    fn launch<K, S>(self, kernel: &LoadedKernel<K, S>, stream: &CudaStream) -> String {
        let mut attributes = Vec::new();
        // SAFETY: zeros are a valid value of a union of plain numbers.
        let mut attribute: sys::CUlaunchAttribute = unsafe { std::mem::zeroed() };
        if let Some([x, y, z]) = self.cluster {
            attribute.id = sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
            attribute.value.clusterDim =
                sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z };
            attributes.push(attribute);
        }
        if self.cooperative {
            attribute.id = sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
            attribute.value.cooperative = 1;
            attributes.push(attribute);
        }
        let config = sys::CUlaunchConfig {
            gridDimX: self.grid[0],
            gridDimY: self.grid[1],
            gridDimZ: self.grid[2],
            blockDimX: self.block[0],
            blockDimY: self.block[1],
            blockDimZ: self.block[2],
            sharedMemBytes: self.dynamic,
            hStream: stream.cu_stream(),
            attrs: attributes.as_mut_ptr(),
            numAttrs: u32::try_from(attributes.len()).expect("two at most"),
        };
        let mut nothing = [0_u64; 4];
        let mut params = nothing.each_mut().map(|value| std::ptr::from_mut(value).cast::<c_void>());
        // SAFETY: the kernels here read none of their parameters.
        let answer = unsafe {
            sys::cuLaunchKernelEx(
                &raw const config,
                kernel.cu_function(),
                params.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        match answer {
            sys::CUresult::CUDA_SUCCESS => match stream.synchronize() {
                Ok(()) => "runs".to_owned(),
                Err(error) => format!("fails later: {:?}", error.0),
            },
            refused => format!("{refused:?}"),
        }
    }
}

#[test]
fn the_driver_reports_little() -> Result<(), Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let kernels = load::<kernels::Loaded>(&context)?;
    let mut text = String::new();
    let mut say = |title: &str, answer: String| {
        let _ = writeln!(text, "{title}: {answer}");
    };
    let exact = kernels.exact().kernel();
    say("A grid of zero", Raw { grid: [0, 1, 1], ..RAW }.launch(&exact, &stream));
    say(
        "A grid taller than the device allows",
        Raw { grid: [1, 70_000, 1], ..RAW }.launch(&exact, &stream),
    );
    say(
        "A block that differs from `reqntid`",
        Raw { block: [128, 1, 1], ..RAW }.launch(&exact, &stream),
    );
    let most = kernels.most().kernel();
    say("A block over `maxntid`", Raw { block: [64, 4, 1], ..RAW }.launch(&most, &stream));
    let free = kernels.free().kernel();
    say("A block of zero", Raw { block: [32, 0, 1], ..RAW }.launch(&free, &stream));
    say(
        "A block larger than the device allows",
        Raw { block: [2048, 1, 1], ..RAW }.launch(&free, &stream),
    );
    say(
        "A block deeper than the device allows",
        Raw { block: [1, 1, 128], ..RAW }.launch(&free, &stream),
    );
    let clusters = kernels.clusters().kernel();
    say(
        "A grid that is not made of whole clusters",
        Raw { grid: [4, 3, 1], ..RAW }.launch(&clusters, &stream),
    );
    let four = Raw { grid: [4, 4, 1], cluster: Some([4, 1, 1]), ..RAW };
    say("A cluster that differs from `reqnctapercluster`", four.launch(&clusters, &stream));
    let explicit = kernels.explicit().kernel();
    say(
        "A launch without a cluster size",
        Raw { grid: [4, 1, 1], ..RAW }.launch(&explicit, &stream),
    );
    let ranked = kernels.ranked().kernel();
    let eight = Raw { grid: [8, 1, 1], cluster: Some([8, 1, 1]), ..RAW };
    say("A cluster over `maxclusterrank`", eight.launch(&ranked, &stream));
    let none = Raw { grid: [8, 1, 1], cluster: Some([0, 1, 1]), ..RAW };
    say("A cluster of zero", none.launch(&explicit, &stream));
    let large = Raw { grid: [64, 1, 1], block: [1; 3], cluster: Some([64, 1, 1]), ..RAW };
    say("A cluster larger than the device holds", large.launch(&free, &stream));
    let slice = kernels.slice().kernel();
    let slice_of = |dynamic| Raw { block: [1024, 1, 1], dynamic, ..RAW };
    say(
        "More dynamic shared memory than a block can have",
        slice_of(200_000).launch(&slice, &stream),
    );
    let cooperative = Raw { grid: [1000, 1, 1], cooperative: true, ..slice_of(160_000) };
    say("A cooperative grid that does not fit", cooperative.launch(&slice, &stream));
    expect_test::expect_file!["unchecked.txt"].assert_eq(&text);
    Ok(())
}

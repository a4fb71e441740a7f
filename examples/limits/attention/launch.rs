//! How attention is launched.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]
#![allow(clippy::cast_precision_loss, reason = "the dimension is small")]

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::CudaStream;
use ptx::prelude::*;

use crate::attention::{Q, causal_of_64, causal_of_128, of_64, of_128};
use crate::plan::{Attention, Plan, Tensors};

macro_rules! kernels {
    ($($name:ident)*) => {$(
        impl Attention for $name::Loaded {
            const DIM: usize = $name::DIM;
            const TILE: [usize; 2] = [$name::ROWS, $name::KEYS];
            const IS_CAUSAL: bool = $name::IS_CAUSAL;

            fn attend(
                &self,
                stream: &Arc<CudaStream>,
                plan: &Plan<Self>,
                tensors: &mut Tensors<'_>,
            ) -> Result<(), Box<dyn Error>> {
                let [of_q, of_k] = plan
                    .heads
                    .map(|heads| [$name::DIM as u64, u64::from(heads), u64::from(plan.tokens)]);
                let q = Q::over(tensors.q, stream).dims(of_q).encode()?;
                let k = $name::K::over(tensors.k, stream).dims(of_k).encode()?;
                let v = $name::K::over(tensors.v, stream).dims(of_k).encode()?;
                if (tensors.o.len() as u64) < of_q.iter().product() {
                    return Err("the result has fewer numbers than the queries".into());
                }
                // Scores become powers of two.
                let scale = core::f32::consts::LOG2_E / ($name::DIM as f32).sqrt();
                let launch = self.attend().grid(plan.blocks).block($name::THREADS);
                let arguments =
                    (&q, &k, &v, &mut *tensors.o, &plan.work, &plan.first, plan.heads[0], scale);
                // SAFETY: the tiles of the plan lie in the sequences, over whose tensors the maps are, and the result has a vector
                // for each of their queries.
                unsafe { launch.launch(stream, arguments)? };
                Ok(())
            }
        }
    )*};
}

kernels!(of_128 causal_of_128 of_64 causal_of_64);

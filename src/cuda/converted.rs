//! Integers that are converted to the type of their parameter.

use core::any::type_name;

use super::argument::{Argument, Bound};
use super::contract::{Count, Integer};
use super::launch_error::{LaunchError, Reason};
use super::prepared::Prepared;

/// An integer as the argument for an integer parameter of another type. A value that does not fit is an `Err` that
/// names the parameter.
///
/// A length is a `usize`, and most kernels take it as a `u32`; `len as u32` would drop its upper bits. A
/// plain argument has exactly the type of its parameter, so that literals have it, too, and that a mistake does not
/// compile.
///
/// ```no_run
/// use ptx::cuda::Checked;
/// use ptx::prelude::*;
///
/// #[ptx::module(target = sm_80)]
/// pub mod zero {
///     use super::*;
///
///     #[kernel(reqntid = 128, requires(data.len() >= n), grid = n.div_ceil(128))]
///     pub fn zero(data: Ptr<Global, f32>, n: u32) {
///         ptx! { ret; }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let context = ptx::cuda::context(0)?;
/// # let stream = context.default_stream();
/// # let zero = ptx::cuda::load::<zero::Loaded>(&context)?;
/// let mut data = stream.alloc_zeros::<f32>(1000)?;
/// let n = Checked(data.len());
/// unsafe { zero.zero().launch(&stream, (&mut data, n))? };
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Checked<N>(pub N);

macro_rules! integers {
    ($($P:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<N: Integer> Argument<$P> for Checked<N> {
            #[inline]
            #[doc(hidden)]
            fn __bind<'s>(
                &'s mut self,
                prepared: &Prepared<'s>,
                index: usize,
            ) -> Result<Bound<'s, $P>, LaunchError> {
                let value = self.0.to_number();
                match value.and_then(|value| <$P>::try_from(value).ok()) {
                    Some(value) => Ok(Bound::stored(value.to_ne_bytes())),
                    None => Err(prepared.error(Reason::Integer {
                        parameter: prepared.param(index).variable.name,
                        value: Count(value),
                        ty: type_name::<$P>(),
                        least: <$P>::MIN.into(),
                        most: <$P>::MAX.into(),
                    })),
                }
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, i8, i16, i32, i64);

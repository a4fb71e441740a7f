//! Cubins that were made when the program was built.

use std::sync::{Arc, Mutex, PoisonError};
use std::vec::Vec;

use cudarc::driver::CudaContext;
use ptx_emit::Fingerprint;
use ptx_types::Target;

use super::compile::Messages;
use super::entered::{Entered, enter};
use super::load::{Load, finish, load_image, load_with};
use super::load_error::{LoadError, LoadOptions, Stale};
use super::module::Origin;
use crate::Module;

/// Machine code for one target, as a build script made it.
#[derive(Clone, Copy, Debug)]
pub struct Cubin {
    target: Target,
    image: &'static [u8],
}

impl Cubin {
    /// The cubin with these bytes, for this target.
    pub const fn new(target: Target, image: &'static [u8]) -> Self {
        Self { target, image }
    }

    /// What it was assembled for.
    pub const fn target(&self) -> Target {
        self.target
    }

    /// Its bytes.
    pub const fn image(&self) -> &'static [u8] {
        self.image
    }
}

/// The cubins of a module: what [`ptx::build::Cubins`](crate::build::Cubins) wrote, and
/// [`ptx::include_cubins!`](crate::include_cubins) embeds. They know the text that they were made from.
#[derive(Clone, Copy, Debug)]
pub struct Cubins {
    fingerprint: Fingerprint,
    cubins: &'static [Cubin],
}

impl Cubins {
    /// These cubins of the text with this fingerprint.
    ///
    /// # Safety
    /// They were made from that text: loading a module with them is safe, and so may be launching its kernels.
    pub const unsafe fn new(fingerprint: Fingerprint, cubins: &'static [Cubin]) -> Self {
        Self { fingerprint, cubins }
    }

    /// The same, for the file that a build script writes.
    #[doc(hidden)]
    pub const fn __built(fingerprint: Fingerprint, cubins: &'static [Cubin]) -> Self {
        Self { fingerprint, cubins }
    }

    /// All of them; none, if no ptxas was found when the program was built.
    pub const fn all(&self) -> &'static [Cubin] {
        self.cubins
    }

    /// Those that a device of this architecture (90 for compute capability 9.0) runs, the best one first: that for the latest
    /// architecture, and of these that with a letter at its end.
    pub fn for_arch(&self, arch: u16) -> Vec<&'static Cubin> {
        let mut fit: Vec<&Cubin> =
            self.cubins.iter().filter(|cubin| cubin.target.cubin_runs_on(arch)).collect();
        fit.sort_by_key(|it| it.target.preference());
        fit
    }

    /// Checks that they were made from the text of this module, for one of its targets. A test does this without a GPU.
    ///
    /// # Errors
    /// They were made from another one.
    pub fn check<L: Load>(&self) -> Result<(), Stale> {
        let module = L::__declaration();
        let mut texts = module.each_target().map(|module| Fingerprint::of(module));
        if texts.any(|text| self.fingerprint == text) {
            return Ok(());
        }
        let text = Fingerprint::of(module);
        Err(Stale { module: module.name, made_from: self.fingerprint, text })
    }
}

/// Where several may be given, as for a module for several targets, one may be, too.
impl AsRef<[Self]> for Cubins {
    fn as_ref(&self) -> &[Self] {
        core::slice::from_ref(self)
    }
}

/// Loads the best of these cubins that the device runs, or compiles the module's text, if none does. Which it was,
/// [`origin`](super::origin) says.
///
/// ```ignore
/// static BLUR: ptx::cuda::Cubins = ptx::include_cubins!("blur");
/// let blur = ptx::cuda::load_cubins::<blur::Loaded>(&context, &BLUR, ptx::cuda::LoadOptions::new())?;
/// ```
///
/// A module for several targets has a text for each, and cubins of each: `[include_cubins!("blur_80"), include_cubins!("blur_90")]`. The
/// text is that for the target which [suits the device best](crate::Module::for_arch), and the cubins are those of this text.
///
/// Since the cubins were made from this text, they are not compared with the declaration, as that of
/// [`load_cubin`](super::load_cubin) is.
///
/// The options are for the compiler: a cubin has those that it was made with.
///
/// # Errors
/// The cubins were made from another text; or as [`load`](super::load).
pub fn load_cubins<L: Load>(
    context: &Arc<CudaContext>,
    cubins: impl AsRef<[Cubins]>,
    options: LoadOptions,
) -> Result<L, LoadError> {
    let loaded = try_load_cubins(context, cubins.as_ref(), options);
    loaded.map_err(|error| error.explained(L::__declaration().name, context))
}

fn try_load_cubins<L: Load>(
    context: &Arc<CudaContext>,
    cubins: &[Cubins],
    options: LoadOptions,
) -> Result<L, LoadError> {
    /// `CUDA_ERROR_NO_BINARY_FOR_GPU`: an integrated device does not run each cubin of its major version.
    const NO_BINARY: u32 = 209;
    let Entered { declaration, limits, .. } = enter(L::__declaration(), &[], context)?;
    let text = fingerprint(declaration);
    let is_of_text = |cubins: &&Cubins| cubins.fingerprint == text;
    cubins.iter().filter(|cubins| !is_of_text(cubins)).try_for_each(Cubins::check::<L>)?;
    let of_text = cubins.iter().filter(is_of_text);
    for cubin in of_text.flat_map(|cubins| cubins.for_arch(limits.arch)) {
        match load_image(declaration, cubin.image) {
            Ok(handle) => {
                let origin = Origin::Cubin(Some(cubin.target));
                let made = (handle, origin, Messages::default());
                return finish(context, std::vec![declaration], limits, made);
            }
            Err(LoadError::Refused { refusal, .. }) if refusal.code == NO_BINARY => {}
            Err(error) => return Err(error),
        }
    }
    load_with(context, options)
}

/// The fingerprint of a module's text, which is computed once in a process.
fn fingerprint(module: &'static Module<'static>) -> Fingerprint {
    static KNOWN: Mutex<Vec<(usize, Fingerprint)>> = Mutex::new(Vec::new());
    let address = core::ptr::from_ref(module).addr();
    let known = |of: &[(usize, Fingerprint)]| {
        of.iter().find(|(known, _)| *known == address).map(|(_, fingerprint)| *fingerprint)
    };
    let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(fingerprint) = known(&lock()) {
        return fingerprint;
    }
    let fingerprint = Fingerprint::of(module);
    lock().push((address, fingerprint));
    fingerprint
}

/// Embeds the cubins that the build script wrote with this name: a [`Cubins`](crate::cuda::Cubins).
///
/// The script is, for a module `blur` of a package `kernels` that is a dependency and a build-dependency:
///
/// ```ignore
/// // build.rs
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     ptx::build::Cubins::of(&kernels::blur::MODULE).target(ptx::Target::Sm90).write("blur")?;
///     Ok(())
/// }
/// ```
#[macro_export]
macro_rules! include_cubins {
    ($name:literal) => {{
        #[allow(unused_imports)]
        use $crate::__cubins::{Cubin, Cubins, Fingerprint, Target};
        ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/", $name, ".cubins.rs"))
    }};
}

#[cfg(test)]
mod tests {
    use std::string::ToString as _;

    use super::*;

    static ALL: [Cubin; 6] = [
        Cubin::new(Target::Sm80, b""),
        Cubin::new(Target::Sm90, b""),
        Cubin::new(Target::Sm100, b""),
        Cubin::new(Target::Sm90a, b""),
        Cubin::new(Target::Sm86, b""),
        Cubin::new(Target::Sm100f, b""),
    ];

    #[test]
    fn the_latest_and_most_specific_one_that_runs_is_first() {
        let cubins = Cubins::__built(Fingerprint::from_bits(0), &ALL);
        let names = |arch| -> Vec<_> {
            cubins.for_arch(arch).iter().map(|cubin| cubin.target.to_string()).collect()
        };
        assert_eq!(names(90), ["sm_90a", "sm_90"]);
        assert_eq!(names(89), ["sm_86", "sm_80"]);
        assert_eq!(names(103), ["sm_100f", "sm_100"]);
        assert!(names(75).is_empty());
        assert!(names(120).is_empty());
    }
}

//! The driver's calls, looked up by name in its library.

use core::ffi::{c_int, c_void};
use core::fmt;
use std::sync::OnceLock;

use libloading::Library;
use ptx_types::tensor::Descriptor;
use ptx_types::{Release, Target};

/// Declares [`Call`]: the name in the library, and the release of CUDA whose drivers first have it.
macro_rules! calls {
    ($($(#[$doc:meta])* $Name:ident $symbol:literal since ($major:literal, $minor:literal);)*) => {
        /// A call of the driver.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Call {
            $($(#[$doc])* $Name,)*
        }

        impl Call {
            /// The driver's name for it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => $symbol,)* }
            }

            /// The release of CUDA whose drivers first have it.
            pub const fn since(self) -> Release {
                match self { $(Self::$Name => Release::new($major, $minor),)* }
            }
        }
    };
}

calls! {
    /// Makes a map of the tiled modes.
    EncodeTiled "cuTensorMapEncodeTiled" since (12, 0);
    /// Makes a map of the mode `im2col`.
    EncodeIm2col "cuTensorMapEncodeIm2col" since (12, 0);
    /// Makes a map of the modes `im2col::w` and `im2col::w::128`.
    EncodeIm2colWide "cuTensorMapEncodeIm2colWide" since (12, 8);
    /// Puts another address into a map.
    ReplaceAddress "cuTensorMapReplaceAddress" since (12, 0);
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A call that cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// There is no driver on this machine.
    #[error("`{call}` cannot be called: there is no CUDA driver on this machine")]
    NoDriver {
        /// The call.
        call: Call,
    },
    /// The driver is too old.
    #[error(
        "the driver has no `{call}`: it is one of CUDA {}, and the call came with {}",
        .driver.map_or_else(|| "an unknown release".into(), |release| std::format!("{release}")),
        .call.since()
    )]
    Absent {
        /// The call.
        call: Call,
        /// The newest release of CUDA that the driver supports, if it says.
        driver: Option<Release>,
    },
}

pub(super) type EncodeTiled = unsafe extern "C" fn(
    map: *mut Descriptor,
    element: u32,
    rank: u32,
    address: *mut c_void,
    dims: *const u64,
    strides: *const u64,
    box_dims: *const u32,
    element_strides: *const u32,
    interleave: u32,
    swizzle: u32,
    l2_promotion: u32,
    oob_fill: u32,
) -> u32;

pub(super) type EncodeIm2col = unsafe extern "C" fn(
    map: *mut Descriptor,
    element: u32,
    rank: u32,
    address: *mut c_void,
    dims: *const u64,
    strides: *const u64,
    lower: *const c_int,
    upper: *const c_int,
    channels_per_pixel: u32,
    pixels_per_column: u32,
    element_strides: *const u32,
    interleave: u32,
    swizzle: u32,
    l2_promotion: u32,
    oob_fill: u32,
) -> u32;

pub(super) type EncodeIm2colWide = unsafe extern "C" fn(
    map: *mut Descriptor,
    element: u32,
    rank: u32,
    address: *mut c_void,
    dims: *const u64,
    strides: *const u64,
    lower: c_int,
    upper: c_int,
    channels_per_pixel: u32,
    pixels_per_column: u32,
    element_strides: *const u32,
    interleave: u32,
    wide_mode: u32,
    swizzle: u32,
    l2_promotion: u32,
    oob_fill: u32,
) -> u32;

pub(super) type ReplaceAddress =
    unsafe extern "C" fn(map: *mut Descriptor, address: *mut c_void) -> u32;

type DriverGetVersion = unsafe extern "C" fn(version: *mut c_int) -> u32;
type CtxGetDevice = unsafe extern "C" fn(device: *mut c_int) -> u32;
type DeviceGetAttribute =
    unsafe extern "C" fn(value: *mut c_int, attribute: u32, device: c_int) -> u32;

/// What the driver's library has of the calls.
struct Driver {
    tiled: Option<EncodeTiled>,
    im2col: Option<EncodeIm2col>,
    wide: Option<EncodeIm2colWide>,
    replace: Option<ReplaceAddress>,
    version: Option<DriverGetVersion>,
    device: Option<CtxGetDevice>,
    attribute: Option<DeviceGetAttribute>,
    /// The functions are in it.
    _library: Library,
}

impl Driver {
    /// The driver's library, which cudarc loads by the same names.
    fn load() -> Option<Self> {
        const NAMES: [&str; 3] = ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];
        let library = NAMES.iter().find_map(|name| {
            // SAFETY: what the driver's library does when it is loaded has no demands.
            unsafe { Library::new(*name) }.ok()
        })?;
        // SAFETY: the types are those that the driver's manual gives for these names.
        unsafe {
            Some(Self {
                tiled: symbol(&library, Call::EncodeTiled.name()),
                im2col: symbol(&library, Call::EncodeIm2col.name()),
                wide: symbol(&library, Call::EncodeIm2colWide.name()),
                replace: symbol(&library, Call::ReplaceAddress.name()),
                version: symbol(&library, "cuDriverGetVersion"),
                device: symbol(&library, "cuCtxGetDevice"),
                attribute: symbol(&library, "cuDeviceGetAttribute"),
                _library: library,
            })
        }
    }

    fn release(&self) -> Option<Release> {
        let mut version = 0;
        // SAFETY: it writes one number.
        let answer = unsafe { self.version?(&raw mut version) };
        let version = u32::try_from(version).ok().filter(|_| answer == 0)?;
        let major = u8::try_from(version / 1000).ok()?;
        Some(Release::new(major, u8::try_from(version % 1000 / 10).ok()?))
    }

    fn target(&self) -> Option<Target> {
        const MAJOR: u32 = 75;
        const MINOR: u32 = 76;
        let mut device = 0;
        // SAFETY: it writes one number.
        if unsafe { self.device?(&raw mut device) } != 0 {
            return None;
        }
        let attribute = |which| {
            let mut value = 0;
            // SAFETY: it writes one number.
            let answer = unsafe { self.attribute?(&raw mut value, which, device) };
            u16::try_from(value).ok().filter(|_| answer == 0)
        };
        let arch = attribute(MAJOR)?.checked_mul(10)?.checked_add(attribute(MINOR)?)?;
        // The last of an architecture has all of its features.
        Target::ALL.iter().rev().copied().find(|target| target.arch() == arch)
    }
}

/// A function of the library, if it has it.
///
/// # Safety
/// `F` must be a pointer to a function of the type that the name has.
unsafe fn symbol<F: Copy>(library: &Library, name: &str) -> Option<F> {
    // SAFETY: the caller's.
    unsafe { library.get::<F>(name.as_bytes()) }.ok().map(|symbol| *symbol)
}

fn driver() -> Option<&'static Driver> {
    static DRIVER: OnceLock<Option<Driver>> = OnceLock::new();
    DRIVER.get_or_init(Driver::load).as_ref()
}

/// One of the library's functions, or why there is none.
fn find<F>(call: Call, of: impl Fn(&Driver) -> Option<F>) -> Result<F, CallError> {
    let driver = driver().ok_or(CallError::NoDriver { call })?;
    of(driver).ok_or_else(|| CallError::Absent { call, driver: driver.release() })
}

pub(super) fn tiled() -> Result<EncodeTiled, CallError> {
    find(Call::EncodeTiled, |driver| driver.tiled)
}

pub(super) fn im2col() -> Result<EncodeIm2col, CallError> {
    find(Call::EncodeIm2col, |driver| driver.im2col)
}

pub(super) fn wide() -> Result<EncodeIm2colWide, CallError> {
    find(Call::EncodeIm2colWide, |driver| driver.wide)
}

pub(super) fn replace() -> Result<ReplaceAddress, CallError> {
    find(Call::ReplaceAddress, |driver| driver.replace)
}

/// The newest release of CUDA that the driver supports; `None` without a driver.
pub fn driver_release() -> Option<Release> {
    driver()?.release()
}

/// The target of the current context's GPU, with all of its features: `sm_90a`. `None` without a
/// current context, and for a GPU that no [`Target`] is of.
pub fn current_target() -> Option<Target> {
    driver()?.target()
}

//! The folder of a cache.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{self, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::vec::Vec;
use std::{format, process};

use thiserror::Error;

use super::entry::{EXTENSION, Key};
use crate::ptxas::Ptxas;

/// A folder with the machine code that modules were compiled to: [`load_cached`](super::load_cached) loads a module from it,
/// [`load_linked_cached`](super::load_linked_cached) one that is linked with others, and [`load_all_cached`](super::load_all_cached) one for each
/// device.
///
/// An entry is found by all that its code depends on: the text of the module, the compute capability of the device, the driver,
/// the compiler and the options. One that is damaged, or is not an entry, is compiled again and replaced. Any number of threads and
/// processes can use a folder, at once and with other versions of this library: an entry is written to a file of its own, which then
/// gets its name. If several of them lack the same entry, each compiles it.
///
/// Entries are code that the device runs: nobody whom you do not trust may write to the folder. One that [`open`](Self::open) makes
/// belongs to its user alone.
///
/// ```no_run
/// # use ptx::prelude::*;
/// # #[ptx::module(target = sm_90a)]
/// # pub mod blur {
/// #     use super::*;
/// #     #[kernel]
/// #     pub fn blur() { ptx! { ret; } }
/// # }
/// use ptx::cuda::{Cache, LoadOptions, load_cached, origin};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let context = ptx::cuda::context(0)?;
/// let cache = Cache::open("/var/cache/blur/kernels")?.limit(64 << 20);
/// let blur = load_cached::<blur::Loaded>(&context, &cache, LoadOptions::new())?;
/// println!("{:?}", origin(&blur)); // Cache(Stored), and from then on Cache(Found)
/// # Ok(())
/// # }
/// ```
///
/// # The compiler
/// A [`ptxas`](Self::ptxas) that is given assembles the text, as the driver's compiler would. No call of the driver returns what that makes of a
/// module: its linker alone returns machine code, which it compiles so that others may call it. It ignores `setmaxnreg` then, makes calls of
/// functions for `shfl.sync`, `vote`, `div`, `barrier` and others, and does not know where shared variables are. Without a ptxas, the linker
/// compiles texts to which none of this applies: those without shared variables and functions, of loads and stores, integer and floating-point arithmetic
/// without division, and `mma`. Any other text is loaded as by [`load`](crate::cuda::load), and nothing is stored.
///
/// The driver has a cache of its own, which it uses for texts (`CUDA_CACHE_PATH`, `CUDA_CACHE_DISABLE`).
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    is_read_only: bool,
    limit: u64,
    ptxas: Option<Ptxas>,
}

/// The folder of a cache cannot be used.
#[derive(Error)]
#[error("the cache `{}` cannot be {operation}: {source}", .folder.display())]
pub struct CacheError {
    /// The folder.
    pub folder: PathBuf,
    /// What cannot be done to it: `found`, `written`, `read`.
    operation: &'static str,
    /// Why.
    pub source: io::Error,
}

ptx_types::__debug_as_message!(CacheError);

/// What the name of a file starts with that is not an entry yet.
const UNFINISHED: &str = ".unfinished-";

/// After this time, an unfinished file belongs to a process that has ended, and the use of an entry is noted again.
const AN_HOUR: Duration = Duration::from_hours(1);

impl Cache {
    /// The limit of a folder's size in bytes, unless [another](Self::limit) is set: 1 GiB.
    pub const DEFAULT_LIMIT: u64 = 1 << 30;

    /// The cache in this folder, which is made if there is none.
    ///
    /// # Errors
    /// The folder can be neither made nor written.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, CacheError> {
        let cache = Self::new(folder.into(), false)?;
        #[cfg_attr(not(unix), expect(unused_mut, reason = "Unix alone has modes"))]
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let made = builder.recursive(true).create(&cache.folder);
        let tried =
            made.and_then(|()| cache.unfinished()).and_then(|(path, _)| fs::remove_file(path));
        tried.map_err(|source| cache.error("written", source))?;
        Ok(cache)
    }

    /// The cache in this folder, which is not written: what it lacks is compiled, and not stored.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn read_only(folder: impl Into<PathBuf>) -> Result<Self, CacheError> {
        let cache = Self::new(folder.into(), true)?;
        fs::read_dir(&cache.folder).map_err(|source| cache.error("read", source))?;
        Ok(cache)
    }

    fn new(folder: PathBuf, is_read_only: bool) -> Result<Self, CacheError> {
        // The program may change its current folder.
        match path::absolute(&folder) {
            Ok(folder) => {
                Ok(Self { folder, is_read_only, limit: Self::DEFAULT_LIMIT, ptxas: None })
            }
            Err(source) => Err(CacheError { folder, operation: "found", source }),
        }
    }

    /// Sets the limit of the folder's size in bytes. When an entry is stored, those whose last use is the longest ago are removed, to within an
    /// hour, until all others take no more. One that takes more by itself is not stored.
    pub const fn limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Assembles texts by this ptxas, not by [the driver](Self#the-compiler). Where it refuses one, or cannot be run, the driver compiles that as by
    /// [`load`](crate::cuda::load).
    pub fn ptxas(mut self, ptxas: Ptxas) -> Self {
        self.ptxas = Some(ptxas);
        self
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The size of all entries in bytes.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn bytes(&self) -> Result<u64, CacheError> {
        let entries = self.entries().map_err(|source| self.error("read", source))?;
        Ok(entries.iter().map(|entry| entry.bytes).sum())
    }

    /// Removes all entries, and no other files.
    ///
    /// # Errors
    /// The folder cannot be read, or an entry cannot be removed; or it was opened to be [read only](Self::read_only).
    pub fn clear(&self) -> Result<(), CacheError> {
        let clear = || {
            if self.is_read_only {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "it is opened to be read only",
                ));
            }
            self.entries()?.iter().try_for_each(|entry| match fs::remove_file(&entry.path) {
                // Another process has removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                removed => removed,
            })
        };
        clear().map_err(|source| self.error("written", source))
    }

    fn error(&self, operation: &'static str, source: io::Error) -> CacheError {
        CacheError { folder: self.folder.clone(), operation, source }
    }

    /// The ptxas that was given.
    pub(super) const fn given_ptxas(&self) -> Option<&Ptxas> {
        self.ptxas.as_ref()
    }

    /// The cubin with this key, if there is one that is whole.
    pub(super) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.folder.join(key.file_name());
        let cubin = key.read(&path).ok().flatten()?;
        if !self.is_read_only {
            note_use(&path);
        }
        Some(cubin)
    }

    /// Stores the cubin with this key. Returns whether it is there.
    pub(super) fn put(&self, key: &Key, cubin: &[u8]) -> bool {
        let entry = key.entry(cubin);
        if self.is_read_only || entry.len() as u64 > self.limit {
            return false;
        }
        let put = || {
            let (unfinished, mut file) = self.unfinished()?;
            let written = file.write_all(&entry);
            drop(file);
            let named =
                written.and_then(|()| fs::rename(&unfinished, self.folder.join(key.file_name())));
            if named.is_err() {
                // There is nothing more to do about it.
                let _ = fs::remove_file(&unfinished);
            }
            named
        };
        let is_stored = put().is_ok();
        // What cannot be removed now is removed with the next entry.
        let _ = self.trim();
        is_stored
    }

    /// A new file that has no other name yet.
    fn unfinished(&self) -> io::Result<(PathBuf, File)> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        // A process of another machine may have the same ID and share the folder.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!("{UNFINISHED}{}-{count}-{now:x}", process::id()));
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        Ok((path, file))
    }

    /// Removes entries until the others are within the limit, and what processes left behind that have ended.
    fn trim(&self) -> io::Result<()> {
        let now = SystemTime::now();
        for file in fs::read_dir(&self.folder)?.flatten() {
            let is_unfinished = file.file_name().to_string_lossy().starts_with(UNFINISHED);
            if is_unfinished && file.metadata().is_ok_and(|it| is_old(it.modified(), now)) {
                let _ = fs::remove_file(file.path());
            }
        }
        let mut entries = self.entries()?;
        entries.sort_by_key(|entry| entry.used);
        let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        for entry in entries {
            if bytes <= self.limit {
                break;
            }
            let _ = fs::remove_file(&entry.path);
            bytes -= entry.bytes;
        }
        Ok(())
    }

    fn entries(&self) -> io::Result<Vec<Stored>> {
        let files = fs::read_dir(&self.folder)?.flatten();
        let entries = files.filter_map(|file| {
            let path = file.path();
            // Another process may have removed it.
            let found = file.metadata().ok()?;
            let is_entry = found.is_file() && path.extension().is_some_and(|it| it == EXTENSION);
            let used = found.modified().unwrap_or(UNIX_EPOCH);
            is_entry.then_some(Stored { path, bytes: found.len(), used })
        });
        Ok(entries.collect())
    }
}

/// The file of an entry.
struct Stored {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

fn is_old(changed: io::Result<SystemTime>, now: SystemTime) -> bool {
    changed.is_ok_and(|changed| now.duration_since(changed).is_ok_and(|age| age > AN_HOUR))
}

/// Notes that an entry is used, so that others are removed before it.
fn note_use(path: &Path) {
    let now = SystemTime::now();
    let is_noted = || {
        let file = OpenOptions::new().append(true).open(path)?;
        if is_old(file.metadata()?.modified(), now) { file.set_modified(now) } else { Ok(()) }
    };
    // An entry of another user cannot be changed, and is removed earlier.
    let _: io::Result<()> = is_noted();
}

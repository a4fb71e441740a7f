//! NVIDIA's programs that the tests run, from wheels: downloaded, checked against a pinned hash, and unpacked,
//! without a shell.

mod download;
mod pinned;
mod unpack;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use download::{Index, agent};
pub use pinned::{NEWEST, NVDISASM, WHEELS};

/// A wheel on a Python package index, of which one program is used.
#[derive(Clone, Copy, Debug)]
pub struct Wheel {
    /// The project's name.
    pub project: &'static str,
    /// The release.
    pub version: &'static str,
    /// The program, without the suffix of executables.
    pub program: &'static str,
    /// The file for each platform.
    pub files: &'static [WheelFile],
}

/// The file of a wheel for one platform.
#[derive(Clone, Copy, Debug)]
pub struct WheelFile {
    /// The operating system, as in [`std::env::consts::OS`].
    pub os: &'static str,
    /// The architecture, as in [`std::env::consts::ARCH`].
    pub arch: &'static str,
    /// The file's name on the index.
    pub name: &'static str,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: &'static str,
}

/// How long a failed download is remembered. Without a network, each of the test binaries would otherwise wait for
/// the same timeouts.
const REMEMBERED: Duration = Duration::from_mins(10);

impl Wheel {
    /// The path of the program below `folder`, where it is downloaded and unpacked if it is missing: from this index,
    /// or else as pip is configured.
    ///
    /// # Errors
    /// Returns one line that describes the failure.
    pub fn fetch(&self, folder: &Path, index: Option<&Index>) -> Result<PathBuf, String> {
        let home = folder.join(format!("{}-{}", self.project, self.version));
        if let Some(path) = self.program_in(&home) {
            return Ok(path);
        }
        // It is unpacked next to its destination and then renamed, so that two processes do not interfere.
        let work = folder.join(format!(".fetch-{}", std::process::id()));
        let fetched = self.fetch_into(&work, index).and_then(|()| {
            match std::fs::rename(work.join("wheel"), &home) {
                Err(error) if self.program_in(&home).is_none() => Err(error.to_string()),
                Ok(()) | Err(_) => Ok(()),
            }
        });
        let _ = std::fs::remove_dir_all(&work);
        fetched?;
        self.program_in(&home).ok_or_else(|| {
            format!("{} {} does not contain {}", self.project, self.version, self.program)
        })
    }

    /// Like [`fetch`](Self::fetch), but does not retry a download that failed within the last ten minutes.
    pub(crate) fn fetch_once(&self, folder: &Path) -> Result<PathBuf, String> {
        let failure = folder.join(format!(".failed-{}-{}", self.project, self.version));
        let age = |file: &Path| {
            SystemTime::now()
                .duration_since(file.metadata()?.modified()?)
                .map_err(std::io::Error::other)
        };
        if age(&failure).is_ok_and(|age| age < REMEMBERED)
            && let Ok(why) = std::fs::read_to_string(&failure)
        {
            // A program that was downloaded since then is used anyway.
            let home = folder.join(format!("{}-{}", self.project, self.version));
            return self.program_in(&home).ok_or(why);
        }
        let fetched = self.fetch(folder, None);
        if let Err(why) = &fetched {
            let _ = std::fs::create_dir_all(folder);
            let _ = std::fs::write(&failure, why);
        }
        fetched
    }

    fn fetch_into(&self, work: &Path, index: Option<&Index>) -> Result<(), String> {
        let file = self.file()?;
        std::fs::create_dir_all(work).map_err(|error| format!("{}: {error}", work.display()))?;
        let archive = work.join(file.name);
        match index {
            Some(index) => index.download(self.project, file.name, &archive)?,
            None => download::as_configured(self.project, self.version, &archive)?,
        }
        unpack::check(&archive, file.sha256)?;
        unpack::unpack(&archive, &executable(self.program), &work.join("wheel"))
    }

    /// The file for this platform.
    fn file(&self) -> Result<&'static WheelFile, String> {
        use std::env::consts::{ARCH, OS};
        let file = self.files.iter().find(|file| file.os == OS && file.arch == ARCH);
        file.ok_or_else(|| format!("NVIDIA publishes no {} for {OS} on {ARCH}", self.program))
    }

    /// The program in an unpacked wheel.
    fn program_in(&self, wheel: &Path) -> Option<PathBuf> {
        let homes = std::fs::read_dir(wheel.join("nvidia")).ok()?.flatten();
        let name = executable(self.program);
        homes.map(|home| home.path().join("bin").join(&name)).find(|path| path.is_file())
    }
}

fn executable(program: &str) -> String {
    format!("{program}{}", std::env::consts::EXE_SUFFIX)
}

use std::fs::DirBuilder;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, io, process};

/// A new temporary folder with access for its owner only; it is removed with its contents.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        #[cfg_attr(not(unix), expect(unused_mut, reason = "Unix alone has modes"))]
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let mut attempts = 0..1000;
        loop {
            // A process in another container may have the same process ID and share `/tmp`.
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("ptxas-{}-{count}-{now:x}", process::id());
            let path = env::temp_dir().join(name);
            match builder.create(&path) {
                Ok(()) => return Ok(Self(path)),
                // It belongs to someone else, who may have put a link there.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if attempts.next().is_none() {
                        return Err(error);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It is temporary, so leftovers do no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

//! The input files.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ptx_text::Parsed;

/// The name of the standard input in the output.
pub(crate) const STDIN: &str = "<stdin>";

/// The first bytes of a container of GPU binaries, which nvcc writes.
const FATBIN: &[u8] = &[0x50, 0xED, 0x55, 0xBA];

/// The first bytes of other formats, their names, and what to do with them.
const OTHERS: &[(&[u8], &str, &str)] = &[
    (&[0x1F, 0x8B], "a gzip archive", "unpack it first"),
    (b"PK\x03\x04", "a zip archive", "unpack it first"),
    (&[0x28, 0xB5, 0x2F, 0xFD], "a zstd archive", "unpack it first"),
    (b"BC\xC0\xDE", "LLVM bitcode", "compile it with `llc -march=nvptx64`"),
];

/// The maximum number of bytes that are read from a device: `/dev/zero` never ends.
const MOST_OF_DEVICE: u64 = 64 << 20;

/// A file, or the standard input.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Its path; `None` for the standard input.
    path: Option<PathBuf>,
    /// Its name in the output.
    pub(crate) name: String,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// It is a folder.
    #[error("`{path}` is a folder; name the files in it, as in `{example}`")]
    Folder { path: String, example: String },
    /// It is a device whose bytes may never end.
    #[error(
        "`{path}` is a device with more than {} MiB; name a file, or pipe the text to `-`",
        MOST_OF_DEVICE >> 20
    )]
    Device { path: String },
    /// A pattern matches no file.
    #[error("no file matches `{pattern}`")]
    NoMatch { pattern: String },
    /// A pattern cannot be read.
    #[error("`{pattern}` is not a pattern of file names: {why}")]
    Pattern { pattern: String, why: &'static str },
    /// The standard input was named twice.
    #[error("the standard input, `-`, can only be read once")]
    StdinTwice,
    /// It is not a text.
    #[error("`{path}` is not UTF-8")]
    NotText { path: String },
    /// It is a GPU binary.
    #[error(
        "`{path}` is a binary ({format}), not PTX text; if it holds PTX, `cuobjdump -ptx {path}` writes it out"
    )]
    Binary { path: String, format: &'static str },
    /// It is compressed, or bitcode.
    #[error("`{path}` is {format}, not PTX text; {advice}")]
    Other { path: String, format: &'static str, advice: &'static str },
    /// The system reports an error.
    #[error("cannot read `{path}`: {source}")]
    Io {
        path: String,
        #[source]
        source: io::Error,
    },
}

impl Input {
    /// The input that a command-line argument names.
    pub(crate) fn of(argument: &Path) -> Self {
        if argument == Path::new("-") {
            return Self { path: None, name: STDIN.to_owned() };
        }
        Self { path: Some(argument.to_owned()), name: argument.display().to_string() }
    }

    /// Its path; `None` for the standard input.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether it is the standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.path.is_none()
    }

    /// Whether a path leads to this file.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        let target = |path: &Path| std::fs::canonicalize(path).ok();
        self.path.as_deref().and_then(target).is_some_and(|it| target(path) == Some(it))
    }

    /// Reads its bytes.
    pub(crate) fn read(&self) -> Result<Vec<u8>, InputError> {
        let mut bytes = Vec::new();
        let read = match &self.path {
            Some(path) if path.is_dir() => return Err(self.folder(path)),
            Some(path) if is_device(path) => File::open(path)
                .and_then(|file| file.take(MOST_OF_DEVICE + 1).read_to_end(&mut bytes))
                .map(|_| ()),
            Some(path) => std::fs::read(path).map(|read| bytes = read),
            None => io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
        };
        read.map_err(|source| InputError::Io { path: self.name.clone(), source })?;
        let path = || self.name.clone();
        if self.path.as_deref().is_some_and(is_device) && bytes.len() as u64 > MOST_OF_DEVICE {
            return Err(InputError::Device { path: path() });
        }
        let is = |start: &[u8]| bytes.starts_with(start);
        if is(b"\x7fELF") || is(FATBIN) {
            let format = if is(FATBIN) { "fatbin" } else { "ELF" };
            return Err(InputError::Binary { path: path(), format });
        }
        let other = OTHERS.iter().find(|(start, ..)| is(start));
        match other {
            Some((_, format, advice)) => Err(InputError::Other { path: path(), format, advice }),
            None => Ok(bytes),
        }
    }

    /// Reads it as PTX.
    pub(crate) fn parse(&self) -> Result<Parsed, InputError> {
        self.read().map(Parsed::from_bytes)
    }

    /// Reads a text that is not PTX.
    pub(crate) fn read_text(&self) -> Result<String, InputError> {
        String::from_utf8(self.read()?).map_err(|_| InputError::NotText { path: self.name.clone() })
    }

    fn folder(&self, path: &Path) -> InputError {
        InputError::Folder {
            path: self.name.clone(),
            example: path.join("*.ptx").display().to_string(),
        }
    }
}

/// Whether this is neither a file, a folder nor a pipe, but a device such as `/dev/zero` or a terminal.
fn is_device(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata(path).is_ok_and(|data| data.file_type().is_char_device())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// The inputs that the command line names, in order; the standard input at most once. A pattern such as `kernels/**/*.ptx`
/// stands for all files that match it, in alphabetical order: not every shell expands it.
pub(crate) fn inputs(arguments: &[PathBuf]) -> Result<Vec<Input>, InputError> {
    let mut inputs = Vec::new();
    for argument in arguments {
        match argument.to_str() {
            Some(text) if text.contains(['*', '?', '[']) && !argument.exists() => {
                inputs.extend(matching(text)?);
            }
            _ => inputs.push(Input::of(argument)),
        }
    }
    if inputs.iter().filter(|input| input.path.is_none()).count() > 1 {
        return Err(InputError::StdinTwice);
    }
    Ok(inputs)
}

/// The files that match a pattern; there is at least one.
fn matching(pattern: &str) -> Result<Vec<Input>, InputError> {
    let failed = |error: glob::PatternError| InputError::Pattern {
        pattern: pattern.to_owned(),
        why: error.msg,
    };
    let mut found = Vec::new();
    for path in glob::glob(pattern).map_err(failed)? {
        let path = path.map_err(|error| InputError::Io {
            path: error.path().display().to_string(),
            source: error.into(),
        })?;
        if !path.is_dir() {
            found.push(Input::of(&path));
        }
    }
    if found.is_empty() {
        return Err(InputError::NoMatch { pattern: pattern.to_owned() });
    }
    Ok(found)
}

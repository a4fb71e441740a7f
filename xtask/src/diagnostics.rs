//! Common mistakes, side by side with the reports of other tools: `docs/diagnostics.md`.
//!
//! Each mistake is a directory of `docs/diagnostics/` with the same mistake written for each tool, and the tool's
//! output for each program. `cargo xtask diagnostics` runs the tools that it finds, records their output, and
//! writes the document.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use ptx_emit::ptxas::Ptxas;

/// A tool, and its program for each mistake.
struct Tool {
    name: &'static str,
    /// The program's file name in the directory of a mistake.
    file: &'static str,
    /// The language of the program, for Markdown.
    language: &'static str,
    /// The heading after the mistake's title in the document.
    run_by: &'static str,
}

const OURS: &str = "ours.rs";
/// The same for mistakes in the host's code, which needs the feature `cuda`: the tests of launches compile it.
const HOST: &str = "host.rs";

const TOOLS: [Tool; 6] = [
    Tool { name: "ptx", file: OURS, language: "rust", run_by: "`cargo check`" },
    Tool {
        name: "rustc",
        file: "rustc.rs",
        language: "rust",
        run_by: "`rustc --edition 2024 --crate-type lib --emit obj`",
    },
    Tool { name: "ptxas", file: "ptxas.ptx", language: "ptx", run_by: "`ptxas -arch sm_90a`" },
    Tool { name: "nvcc", file: "nvcc.cu", language: "cuda", run_by: "`nvcc -arch sm_90a -cubin`" },
    Tool {
        name: "CCCL",
        file: "cccl.cu",
        language: "cuda",
        run_by: "`nvcc -arch sm_90a --std c++17 -cubin`",
    },
    Tool { name: "tilelang", file: "tile.py", language: "python", run_by: "`python3`" },
];

/// A mistake, read from its directory.
struct Mistake {
    /// The directory's name without its number.
    name: String,
    path: PathBuf,
    /// A description of the mistake, in a sentence.
    about: String,
}

impl Mistake {
    fn all(root: &Path) -> Result<Vec<Self>, String> {
        let directory = root.join("docs/diagnostics");
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let mut paths: Vec<PathBuf> = std::fs::read_dir(&directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.is_dir())
            .collect();
        paths.sort();
        let mistake = |path: PathBuf| {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let name = file.split_once('-').map_or(file.as_str(), |(_, name)| name).to_owned();
            let about = read(&path.join("about.md"))?.trim().to_owned();
            Ok(Self { name, path, about })
        };
        paths.into_iter().map(mistake).collect()
    }

    /// The file with the tool's program.
    fn program(&self, tool: &Tool) -> &'static str {
        if tool.file == OURS && self.path.join(HOST).exists() { HOST } else { tool.file }
    }

    /// The file with the tool's output. That of `ptx` itself is written by the ui-tests.
    fn output(&self, tool: &Tool) -> String {
        match self.program(tool) {
            OURS => "ours.stderr".to_owned(),
            HOST => "host.stderr".to_owned(),
            file => format!("{file}.out"),
        }
    }

    /// Our program after the message's advice: what it writes instead of these lines.
    fn mended(&self) -> Result<String, String> {
        let (before, file) = match (self.read(HOST), self.read(OURS)) {
            (Some(host), _) => (host, "host_mended.rs"),
            (None, Some(ours)) => (ours, "mended.rs"),
            (None, None) => return Err(format!("{} has no program", self.path.display())),
        };
        let after = self.read(file);
        let after = after.ok_or_else(|| format!("{}/{file} is missing", self.path.display()))?;
        Ok(difference(&before, &after))
    }

    fn read(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(self.path.join(file)).ok()
    }

    /// The tool's output, if the mistake is written for it.
    fn printed(&self, tool: &Tool) -> Result<Option<String>, String> {
        if self.read(self.program(tool)).is_none() {
            return Ok(None);
        }
        let file = self.path.join(self.output(tool));
        std::fs::read_to_string(&file)
            .map(Some)
            .map_err(|_| format!("{} is missing: run `cargo xtask diagnostics`", file.display()))
    }
}

/// The document, from the programs and their recorded outputs.
///
/// # Errors
/// If a file is missing.
pub fn document(root: &Path) -> Result<String, String> {
    let mistakes = Mistake::all(root)?;
    let mut text = HEAD.to_owned();
    text.push_str("| mistake |");
    for tool in &TOOLS {
        let _ = write!(text, " {} |", tool.name);
    }
    text.push_str("\n| --- |");
    text.push_str(&" --- |".repeat(TOOLS.len()));
    text.push('\n');
    for mistake in &mistakes {
        let _ = write!(text, "| [{}](#{}) |", mistake.name.replace('-', " "), mistake.name);
        for tool in &TOOLS {
            let verdict = mistake.printed(tool)?.map_or("", |printed| verdict(&printed));
            let _ = write!(text, " {verdict} |");
        }
        text.push('\n');
    }
    for mistake in &mistakes {
        let _ = write!(text, "\n## {}\n\n{}\n", mistake.name.replace('-', " "), mistake.about);
        for tool in &TOOLS {
            let (Some(program), Some(printed)) =
                (mistake.read(mistake.program(tool)), mistake.printed(tool)?)
            else {
                continue;
            };
            let _ = write!(
                text,
                "\n**{}**, {}:\n\n```{}\n{}\n```\n",
                tool.name,
                tool.run_by,
                tool.language,
                program.trim_end()
            );
            let printed = printed.trim_end();
            if printed.is_empty() {
                text.push_str("\nIt prints nothing.\n");
            } else {
                let _ = write!(text, "\n```text\n{printed}\n```\n");
            }
            if tool.file == OURS {
                let _ = write!(text, "\nAs it advises:\n\n```diff\n{}```\n", mistake.mended()?);
            }
        }
    }
    Ok(text)
}

const HEAD: &str = "\
# Forty mistakes, and what each tool reports

The same mistake, written for `ptx` and for the tools that a kernel's author may use instead, with the whole output of
each. An empty cell means that the mistake cannot be written there, or that the tool has nothing of the kind. Not every
program is equally likely: where a language has no direct counterpart, the program is the nearest thing that a user
would write. `ptx` is the Rust program with this crate, and `rustc` the same kind of mistake in plain Rust, which
shows what a Rust programmer is used to. The first twenty are common mistakes; those after them, of people who write
their first kernel: who know CUDA C++, or Rust, or neither. After what `ptx` prints is the change that it advises, with
which the tests compile the program.

This file is written by `cargo xtask diagnostics`, which runs the tools that it finds; the programs and what they
printed are in `docs/diagnostics/`. The tests compare `ptx`, `rustc` and `ptxas` with what is recorded. The others were
recorded on 2026-11-23 and, from the twenty-first on, 2026-11-28: nvcc 13.5 (V13.5.37) with CCCL 3.3.5, and tilelang
0.1.15, from their Python wheels. The warning of CCCL is not about the missing initialisation itself, but hints at it.

";

/// The lines that differ between two programs.
fn difference(before: &str, after: &str) -> String {
    let [before, after] = [before, after].map(|text| text.lines().collect::<Vec<_>>());
    // The length of the longest common subsequence of what follows these lines.
    let mut common = vec![vec![0_usize; after.len() + 1]; before.len() + 1];
    for i in (0..before.len()).rev() {
        for j in (0..after.len()).rev() {
            common[i][j] = if before[i] == after[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut text) = (0, 0, String::new());
    while i < before.len() || j < after.len() {
        if i < before.len() && j < after.len() && before[i] == after[j] {
            (i, j) = (i + 1, j + 1);
        } else if i < before.len() && (j == after.len() || common[i + 1][j] >= common[i][j + 1]) {
            let _ = writeln!(text, "-{}", before[i]);
            i += 1;
        } else {
            let _ = writeln!(text, "+{}", after[j]);
            j += 1;
        }
    }
    text
}

/// A summary of a tool's output.
fn verdict(printed: &str) -> &'static str {
    if printed.contains("error") || printed.contains("Error") {
        "error"
    } else if printed.contains("warning") {
        "warning"
    } else {
        "nothing"
    }
}

/// The installed tools, by path.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    /// NVIDIA's assembler.
    pub ptxas: Option<PathBuf>,
    /// NVIDIA's compiler of CUDA C++.
    pub nvcc: Option<PathBuf>,
    /// A Python that has tilelang.
    pub python: Option<PathBuf>,
}

impl Programs {
    /// The pinned ptxas, and those of the other tools that are installed.
    pub fn find(ptxas: Option<&Ptxas>) -> Self {
        let answers = |program: &str, arguments: &[&str]| {
            let answer = Command::new(program).args(arguments).output();
            answer.is_ok_and(|it| it.status.success()).then(|| PathBuf::from(program))
        };
        Self {
            ptxas: ptxas.map(|it| it.path().to_owned()),
            nvcc: answers("nvcc", &["--version"]),
            python: answers("python3", &["-c", "import tilelang"]),
        }
    }

    /// The command that compiles `file`, or `None` if its tool is not installed.
    fn command(&self, file: &str, to: &Path) -> Option<Command> {
        let (program, arguments): (_, &[&str]) = match file {
            "rustc.rs" => {
                (Path::new("rustc"), &["--edition", "2024", "--crate-type", "lib", "--emit", "obj"])
            }
            "ptxas.ptx" => (self.ptxas.as_deref()?, &["-arch", "sm_90a"]),
            "nvcc.cu" => (self.nvcc.as_deref()?, &["-arch", "sm_90a", "-cubin"]),
            "cccl.cu" => (self.nvcc.as_deref()?, &["-arch", "sm_90a", "--std", "c++17", "-cubin"]),
            "tile.py" => (self.python.as_deref()?, &[]),
            _ => return None,
        };
        let mut command = Command::new(program);
        command.args(arguments);
        if file != "tile.py" {
            command.arg("-o").arg(to);
        }
        Some(command)
    }
}

/// The current output of the tools of `programs`, by the file that records it. Tools that are not in `programs` are
/// left out.
///
/// # Errors
/// If a tool cannot be run.
pub fn outputs(root: &Path, programs: &Programs) -> Result<Vec<(PathBuf, String)>, String> {
    let mut found = Vec::new();
    let to = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    for mistake in Mistake::all(root)? {
        for tool in TOOLS.iter().filter(|tool| mistake.read(tool.file).is_some()) {
            let Some(mut command) = programs.command(tool.file, to.path()) else { continue };
            command.arg(tool.file).current_dir(&mistake.path).env("LC_ALL", "C");
            let output =
                command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
            let mut printed = String::from_utf8_lossy(&output.stdout).into_owned();
            printed.push_str(&String::from_utf8_lossy(&output.stderr));
            found.push((mistake.path.join(mistake.output(tool)), tidy(&printed, &mistake.path)));
        }
    }
    Ok(found)
}

/// Runs the tools, records their output, and writes `docs/diagnostics.md`.
///
/// # Errors
/// If a tool cannot be run, a file cannot be written, or the output of a tool that is not installed was never
/// recorded.
pub fn run(root: &Path, programs: &Programs) -> Result<(), String> {
    let missing =
        [("ptxas", &programs.ptxas), ("nvcc", &programs.nvcc), ("tilelang", &programs.python)];
    for (name, _) in missing.iter().filter(|(_, path)| path.is_none()) {
        println!("{name} was not found: what it printed the last time stays");
    }
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    for (path, printed) in outputs(root, programs)? {
        write(&path, &printed)?;
    }
    write(&root.join("docs/diagnostics.md"), &document(root)?)
}

/// A tool's output, without the parts that differ from run to run: directories, names of temporary files, log lines
/// with times. Of a Python exception, the frames of the user's program and the message are kept.
fn tidy(printed: &str, directory: &Path) -> String {
    let printed = printed.replace(&format!("{}/", directory.display()), "");
    let printed = printed.rfind("Traceback (").map_or(printed.as_str(), |start| &printed[start..]);
    let mut is_others = false;
    let mut text = String::new();
    for line in printed.lines().filter(|line| !line.contains("kernel:INFO]")) {
        if line.trim_start().starts_with("File \"") {
            is_others = !line.contains("\"tile.py\"");
        } else if !line.starts_with(' ') {
            is_others = false;
        }
        if !is_others {
            let _ = writeln!(text, "{}", without_temporary(line).trim_end());
        }
    }
    text.trim().to_owned() + if text.trim().is_empty() { "" } else { "\n" }
}

/// A line in which nvcc names the file that it passed to ptxas, with that name replaced by `k.ptx`.
fn without_temporary(line: &str) -> String {
    let Some(at) = line.find("tmpxft") else { return line.to_owned() };
    let start = line[..at].rfind(' ').map_or(0, |n| n + 1);
    let end = line[at..].find(".ptx").map_or(line.len(), |n| at + n);
    format!("{}k{}", &line[..start], &line[end..])
}

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::{Project, root};

/// Programs, each a file: those that compile and run, and those whose errors are in a file with the extension `stderr`
/// next to it. One cargo builds the libraries, and then each program is one rustc.
///
/// `TRYBUILD=overwrite` writes those files, and an argument `trybuild=NAME` of the test selects programs, as with the
/// crate `trybuild`, which runs cargo twice for each program.
#[derive(Debug)]
pub struct Ui {
    programs: Vec<Program>,
}

#[derive(Debug)]
struct Program {
    /// Relative to the workspace.
    path: PathBuf,
    compiles: bool,
}

/// How rustc is called for a program.
struct Rustc {
    /// The package that every program belongs to.
    home: PathBuf,
    arguments: Vec<String>,
}

impl Ui {
    /// No programs.
    #[must_use]
    pub fn new() -> Self {
        Self { programs: Vec::new() }
    }

    /// Adds the files at a path from the root, in which `*` stands for any text of a name: they compile and run.
    #[must_use]
    pub fn pass(self, pattern: &str) -> Self {
        self.add(files(pattern), true)
    }

    /// Adds those that do not compile, likewise.
    #[must_use]
    pub fn fail(self, pattern: &str) -> Self {
        self.add(files(pattern), false)
    }

    fn add(mut self, paths: Vec<PathBuf>, compiles: bool) -> Self {
        assert!(!paths.is_empty(), "there are no programs");
        self.programs.extend(paths.into_iter().map(|path| Program { path, compiles }));
        self
    }

    /// Compiles the programs, in a package with this name and these dependencies.
    ///
    /// # Panics
    /// If a program that should compile does not, or if the errors of another one are not those of its file.
    pub fn run(&self, name: &str, dependencies: &str) {
        let filters: Vec<String> = std::env::args()
            .filter_map(|argument| argument.strip_prefix("trybuild=").map(str::to_owned))
            .collect();
        let is_selected = |program: &&Program| {
            let path = program.path.to_string_lossy();
            filters.is_empty() || filters.iter().any(|filter| path.contains(filter))
        };
        let programs: Vec<&Program> = self.programs.iter().filter(is_selected).collect();
        assert!(!programs.is_empty(), "no program has {filters:?} in its path");
        let rustc = Rustc::build(name, dependencies);
        let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                if let Err(why) = program.check(&rustc) {
                    let failure = format!("{}: {why}", program.path.display());
                    failures.lock().expect("no thread panics").push(failure);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(work);
            }
        });
        let mut failures = failures.into_inner().expect("no thread panics");
        failures.sort();
        let count = (failures.len(), programs.len());
        assert!(
            failures.is_empty(),
            "{}\n\n{} of {} failed",
            failures.join("\n\n"),
            count.0,
            count.1
        );
    }
}

impl Default for Ui {
    fn default() -> Self {
        Self::new()
    }
}

/// The files at a path with `*`, relative to the workspace, by name.
fn files(pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in pattern.split('/') {
        found = match part.split_once('*') {
            None => found.iter().map(|folder| folder.join(part)).collect(),
            Some((start, end)) => {
                let fits = |name: &str| name.starts_with(start) && name.ends_with(end);
                let names = found
                    .iter()
                    .flat_map(|folder| names(folder).into_iter().map(|name| folder.join(name)));
                names
                    .filter(|path| {
                        path.file_name().is_some_and(|name| fits(&name.to_string_lossy()))
                    })
                    .collect()
            }
        };
    }
    found.retain(|path| root().join(path).is_file());
    found
}

/// The names in a folder; of a file, none.
fn names(folder: &Path) -> Vec<std::ffi::OsString> {
    let entries = std::fs::read_dir(root().join(folder)).into_iter().flatten();
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    names
}

impl Rustc {
    /// Builds the dependencies.
    fn build(name: &str, dependencies: &str) -> Self {
        let project = Project::create(name, dependencies).expect("files can be written");
        project.write("src/main.rs", "fn main() {}\n").expect("a file can be written");
        let mut arguments = vec![
            "--edition=2024".to_owned(),
            "--crate-name=program".to_owned(),
            "--error-format=json".to_owned(),
            "--diagnostic-width=140".to_owned(),
            "--verbose".to_owned(),
            "-Adead_code".to_owned(),
            "-Cdebuginfo=0".to_owned(),
        ];
        arguments.extend(project.libraries(dependencies));
        Self { home: project.home().to_owned(), arguments }
    }

    /// Compiles a program; the errors and warnings are in what it returns as the errors.
    fn compile(&self, program: &Path, binary: &Path) -> Output {
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        command.args(&self.arguments).arg("-o").arg(binary).arg(program).current_dir(root());
        // What cargo says of the package.
        command.env("CARGO_MANIFEST_DIR", &self.home);
        command.env("CARGO_MANIFEST_PATH", self.home.join("Cargo.toml"));
        command.env("CARGO_CRATE_NAME", "program");
        command.output().expect("rustc runs")
    }
}

impl Program {
    /// Compiles it, and compares what rustc writes; or why it is wrong.
    fn check(&self, rustc: &Rustc) -> Result<(), String> {
        let name = self.path.with_extension("").to_string_lossy().replace('/', "-");
        let folder = rustc.home.join("programs");
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let binary = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let output = rustc.compile(&self.path, &binary);
        let found = messages(&String::from_utf8_lossy(&output.stderr), &self.path, &rustc.home);
        if self.compiles {
            if !output.status.success() {
                return Err(format!("does not compile:\n{found}"));
            }
            let output = Command::new(&binary).output().map_err(|error| error.to_string())?;
            if output.status.success() {
                return Ok(());
            }
            return Err(format!("fails:\n{}", String::from_utf8_lossy(&output.stderr)));
        }
        if output.status.success() {
            return Err(format!("compiles, and should not:\n{found}"));
        }
        let path = root().join(self.path.with_extension("stderr"));
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if found == expected {
            return Ok(());
        }
        if std::env::var_os("TRYBUILD").is_some_and(|value| value == "overwrite") {
            return std::fs::write(&path, found).map_err(|error| error.to_string());
        }
        Err(format!("expected (`TRYBUILD=overwrite` writes it):\n{expected}\nfound:\n{found}"))
    }
}

/// The messages of rustc, as they are compared: without what differs between machines, and without the numbers of lines
/// of other files than the program.
fn messages(json: &str, program: &Path, home: &Path) -> String {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for line in json.lines().filter(|line| seen.insert(*line)) {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        let Some(text) = message["rendered"].as_str() else { continue };
        let is_summary =
            message["level"] == "failure-note" || text.starts_with("error: aborting due to ");
        if !is_summary {
            all.push(normal(text, program, home));
        }
    }
    all.join("\n")
}

/// One of them.
fn normal(text: &str, program: &Path, home: &Path) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut normal = Vec::new();
    let (mut elsewhere, mut others) = (false, None);
    for (at, line) in lines.iter().enumerate() {
        let start = line.trim_start();
        let indent = indent(line);
        if let Some(place) = ["--> ", "::: "].iter().find_map(|arrow| start.strip_prefix(arrow)) {
            elsewhere = !place.starts_with(&*program.to_string_lossy());
            let place = if elsewhere { library(place) } else { place.to_owned() };
            normal.push(format!("{}{}", &line[..indent + 4], place));
            continue;
        }
        let in_source = start.starts_with(|c: char| c.is_ascii_digit() || "|.".contains(c));
        elsewhere &= in_source;
        if elsewhere {
            // The line's number, too.
            let number = line.len()
                - line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).len();
            normal.push(format!("{:number$}{}", "", &line[number..]).trim_end().to_owned());
            continue;
        }
        // A list of types is cut after the eighth, as rustc does without `--verbose`.
        if start.starts_with("= help: the following") && start.contains("types implement trait ") {
            others = Some(0);
        } else if let Some(count) = &mut others {
            if indent >= 12 {
                *count += 1;
                let is_followed =
                    lines.get(at + 1).is_some_and(|next| self::indent(next) == indent);
                if *count == 9 && is_followed {
                    normal.push(format!("{:1$}and $N others", "", indent - 2));
                    continue;
                }
                if *count > 9 {
                    continue;
                }
            } else {
                others = None;
            }
        }
        let line = line.trim_end().replace(&*home.to_string_lossy(), "$PACKAGE");
        normal.push(line.replace(&*root().to_string_lossy(), "$DIR"));
    }
    narrow(&mut normal);
    let text = normal.join("\n");
    format!("{}\n", text.trim_end())
}

/// Makes the margin as wide as the numbers that are left in it: the others are as long as the libraries' files.
fn narrow(lines: &mut [String]) {
    let is_place = |line: &&String| line.trim_start().starts_with("--> ");
    let Some(width) = lines.iter().find(is_place).map(|line| indent(line)) else { return };
    let digits = lines.iter().map(|line| {
        let number = line.trim_start().split(' ').next().unwrap_or_default();
        if number.bytes().all(|byte| byte.is_ascii_digit()) { number.len() } else { 0 }
    });
    let surplus = width.saturating_sub(digits.max().unwrap_or(0).max(1));
    let mut in_note = false;
    for line in lines.iter_mut().skip(1) {
        in_note = line.starts_with("note:")
            || line.starts_with("help:")
            || line == "..."
            || in_note && line.starts_with("      ");
        let Some(space) = line.find(' ').filter(|_| !in_note) else { continue };
        if line[space..].starts_with(&" ".repeat(surplus)) {
            line.replace_range(space..space + surplus, "");
        }
    }
}

/// The number of spaces at its start.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A place in a library: the file, without the line, and without the folder and the release of a crate from a registry.
fn library(place: &str) -> String {
    let file = place.split(':').next().unwrap_or(place);
    if let Some(inside) = file.strip_prefix(&format!("{}/", root().display())) {
        return inside.to_owned();
    }
    let Some((_, rest)) = file.split_once("/registry/src/") else { return file.to_owned() };
    let rest = rest.split_once('/').map_or(rest, |(_, rest)| rest);
    let (package, file) = rest.split_once('/').unwrap_or((rest, ""));
    let name = package.rsplit_once('-').map_or(package, |(name, _)| name);
    format!("$CARGO/{name}-$VERSION/{file}")
}

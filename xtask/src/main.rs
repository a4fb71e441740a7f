//! Development tasks: see the usage.

#[cfg(unix)]
mod body_cost;
#[cfg(unix)]
mod check_cost;
#[cfg(unix)]
mod first_build;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ptx_emit::ptxas::Ptxas;
use xtask::wheel::{Index, NEWEST, WHEELS};

/// The tasks that measure processes and limit them are those of Unix alone.
const USAGE: &str = "\
usage: cargo xtask TASK
  ptxas [--index URL]  download the pinned releases of ptxas into target/ptxas/: with pip, or from this
                       Python package index without it
  check-cost [COUNT..] [--against COMMIT]
                       time cargo check of a crate with this many declarations, or statements of a
                       body (0, 100 and 1000)
  first-build [CHECKOUT..]
                       time cargo check of a crate with one declaration and of all its dependencies,
                       from scratch, with this library, with it without its default features, and
                       with those of other checkouts in turn
  body-cost [--before COMMIT] [--launched] [COUNT..]
                       CPU time and memory of cargo check for this many statements (10000, 40000
                       and 120000), here and with another commit; of kernels whose threads are
                       followed, with `--launched`; `--print COUNT` writes the source of a body
  import FILE.ptx..    import PTX files in a crate, with their hazards allowed, and compare the
                       modules' text with the files, and the cubins of both
  port FILE.ptx.. [--allow-hazards] [--places] [--library PATH]
                       convert PTX files to Rust modules, as `ptx import` does, check them with the library, or that of
                       another checkout, and compare the cubins of both; without allowances, or
                       also with their hazards allowed; with places for accesses to elements
  read FILE.ptx..      read PTX files, compare the printed text with the files, print the
                       declarations and bodies without the files' layout, and compare the cubins
                       of both
  mutants [PATH..] [--build | --run] [--alive] [--every N] [--package NAME]
                       change single tokens of the rules, the analysis and the code that they use, and
                       check that tests fail: in all files, or those whose names start with PATH; only
                       mutants that survived the last time, or every Nth; only build the tests,
                       or only run them
  diagnostics          run forty mistakes through rustc, ptxas and, if installed, nvcc and
                       tilelang, and write docs/diagnostics.md with their output
  differences [--record] [--ptxas PATH]..
                       run the pinned releases of ptxas and the newest, and these, on the files of
                       docs/differences, and compare with what is recorded, or record it and write
                       docs/differences.md
  differences search [--texts near|changes|modules|mutants|expressions] [--seed N] [--from N]
                     [--count N] [--compile-only] [--ptxas PATH]..
                       generate texts (what ptx-smith makes, first nearly valid modules, or changes of
                       small modules), and print the smallest text of each kind on which those
                       releases, or only these, and the rules disagree, or a release crashes
  differences find [--texts ..] [--seed N] [--count N] [--compile-only]
                       say which files of docs/differences are found in generated texts, and record
                       where
  verdicts FILE.csv[.gz]
                       compare the tensor maps with a driver's verdicts and descriptors";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("ptxas") => ptxas(&arguments.collect::<Vec<_>>()),
        #[cfg(unix)]
        Some("check-cost") => check_cost::run(&arguments.collect::<Vec<_>>()),
        #[cfg(unix)]
        Some("first-build") => first_build::run(&arguments.collect::<Vec<_>>()),
        #[cfg(unix)]
        Some("body-cost") => body_cost::run(arguments),
        Some("port") => port(arguments),
        Some("import") => import(&arguments.collect::<Vec<_>>()),
        Some("read") => read(&arguments.collect::<Vec<_>>()),
        #[cfg(unix)]
        Some("mutants") => xtask::mutants::run(arguments),
        Some("diagnostics") => diagnostics(),
        Some("differences") => differences(arguments),
        Some("verdicts") => verdicts(&arguments.collect::<Vec<_>>()),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn ptxas(arguments: &[String]) -> Result<(), String> {
    let index = match arguments {
        [] => None,
        [option, url] if option == "--index" => Some(Index::new(url, xtask::wheel::agent())?),
        _ => return Err(USAGE.to_owned()),
    };
    for wheel in &WHEELS {
        let found = xtask::fetch(wheel, index.as_ref())?;
        println!("ptxas {}: {}", found.release(), found.path().display());
    }
    Ok(())
}

fn port(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut files, mut library) = (Vec::new(), None);
    let (mut allows_hazards, mut places) = (false, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--allow-hazards" => allows_hazards = true,
            "--places" => places = true,
            "--library" => {
                let path =
                    arguments.next().ok_or("`--library` is followed by the path of a checkout")?;
                library = Some(PathBuf::from(path));
            }
            option if option.starts_with('-') => {
                return Err(format!("unknown option `{option}`\n{USAGE}"));
            }
            file => files.push(PathBuf::from(file)),
        }
    }
    if files.is_empty() {
        return Err(USAGE.to_owned());
    }
    let mut config = xtask::port::check::Config::of_workspace()?;
    config.allows_hazards = allows_hazards;
    config.places = places;
    config.library = library.unwrap_or(config.library);
    print!("{}", xtask::port::check::check(&files, &config)?);
    Ok(())
}

fn import(files: &[String]) -> Result<(), String> {
    if files.is_empty() {
        return Err(USAGE.to_owned());
    }
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let report = xtask::import::compare(&files, &xtask::port::check::Config::of_workspace()?)?;
    print!("{report}");
    if report.is_clean() { Ok(()) } else { Err("not every file is imported unchanged".to_owned()) }
}

fn read(files: &[String]) -> Result<(), String> {
    if files.is_empty() {
        return Err(USAGE.to_owned());
    }
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let ptxas = xtask::fetch(&WHEELS[0], None)?;
    let report = xtask::read::compare(&files, &ptxas)?;
    print!("{report}");
    if report.is_clean() { Ok(()) } else { Err("not every file is read unchanged".to_owned()) }
}

fn diagnostics() -> Result<(), String> {
    let programs = xtask::diagnostics::Programs::find(Some(&xtask::fetch(&WHEELS[0], None)?));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    xtask::diagnostics::run(&root.canonicalize().map_err(|error| error.to_string())?, &programs)
}

fn differences(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut records, mut searches, mut finds) = (false, false, false);
    let (mut named, mut others) = (Vec::new(), Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "search" => searches = true,
            "find" => finds = true,
            "--record" => records = true,
            "--ptxas" => {
                let path = arguments.next().ok_or("`--ptxas` is followed by a path")?;
                named.push(Ptxas::at(path).map_err(|error| error.to_string())?);
            }
            _ => others.push(argument),
        }
    }
    let pinned = || {
        let all = WHEELS.iter().rev().chain([&NEWEST]);
        all.map(|wheel| xtask::fetch(wheel, None)).collect::<Result<Vec<Ptxas>, String>>()
    };
    let usage = |why: String| format!("{why}\n{USAGE}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if searches || finds {
        let config = xtask::differences::search::Config::read(others).map_err(usage)?;
        let ptxas = if named.is_empty() { pinned()? } else { named };
        return if searches {
            xtask::differences::search::run(&config, &ptxas, &mut std::io::stdout())
        } else {
            xtask::differences::find(&root, &ptxas, &config)
        };
    }
    if let Some(unknown) = others.first() {
        return Err(usage(format!("unknown argument `{unknown}`")));
    }
    if records {
        return xtask::differences::record(&root, &pinned()?);
    }
    named.splice(0..0, pinned()?);
    let report = xtask::differences::compare(&root, &named)?;
    println!("{report}");
    if report.is_clean() { Ok(()) } else { Err("not every outcome is as recorded".to_owned()) }
}

fn verdicts(files: &[String]) -> Result<(), String> {
    if files.is_empty() {
        return Err(USAGE.to_owned());
    }
    let mut is_clean = true;
    for file in files {
        let report = xtask::verdicts::compare_file(file.as_ref())?;
        println!("{report}");
        is_clean &= report.is_clean();
    }
    if is_clean { Ok(()) } else { Err("there are disagreements".to_owned()) }
}

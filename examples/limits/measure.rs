//! Times of kernels and of what they are compared with, in turn, in one run.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;

use cudarc::driver::{CudaStream, sys};

/// Starts a kernel, or what it is compared with.
pub(crate) type Run<'r> = Box<dyn FnMut() -> Result<(), Box<dyn Error>> + 'r>;

/// The time of this many runs in a row, in milliseconds for each.
pub(crate) type Timed<'r> = Box<dyn FnMut(usize) -> Result<f32, Box<dyn Error>> + 'r>;

/// The times of a kernel on a stream.
pub(crate) fn on<'r>(stream: &'r Arc<CudaStream>, mut run: Run<'r>) -> Timed<'r> {
    Box::new(move |count| once(stream, count, &mut run))
}

/// A kernel beside its reference.
pub(crate) struct Ratio {
    pub(crate) name: String,
    /// The rate of the kernel and of the reference, with their unit.
    pub(crate) rates: [f64; 2],
    pub(crate) unit: &'static str,
    /// What it is compared with.
    pub(crate) reference: String,
    /// The ratio to reach.
    pub(crate) goal: f64,
}

impl Ratio {
    /// The rate of the kernel divided by that of the reference.
    pub(crate) fn ratio(&self) -> f64 {
        self.rates[0] / self.rates[1]
    }
}

/// How long a sample takes, in milliseconds, and how many of them there are.
const SAMPLE: f32 = 30.0;
const ROUNDS: usize = 15;

/// The time of some runs in a row, in milliseconds for each.
pub(crate) fn once(
    stream: &Arc<CudaStream>,
    count: usize,
    run: &mut dyn FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<f32, Box<dyn Error>> {
    let now = || stream.record_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
    run()?;
    let start = now()?;
    for _ in 0..count {
        run()?;
    }
    #[allow(clippy::cast_precision_loss)] // a count
    Ok(start.elapsed_ms(&now()?)? / count as f32)
}

/// The median times of several runs in milliseconds: samples in turn, each long enough for the clocks to settle.
pub(crate) fn times(name: &str, runs: &mut [Timed<'_>]) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut counts = Vec::new();
    for run in &mut *runs {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
        counts.push((SAMPLE / run(1)?).ceil() as usize);
    }
    let mut all = vec![Vec::new(); runs.len()];
    for round in 0..ROUNDS + 2 {
        progress(name, round, ROUNDS + 2);
        for i in 0..runs.len() {
            let i = if round % 2 == 0 { i } else { runs.len() - 1 - i };
            let time = runs[i](counts[i])?;
            if round >= 2 {
                all[i].push(f64::from(time));
            }
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    Ok(all.into_iter().map(median).collect())
}

/// Draws how much is done.
fn progress(name: &str, done: usize, all: usize) {
    if std::io::stderr().is_terminal() {
        eprint!("\r[{:<20}] {name:<40}", "#".repeat(20 * (done + 1) / all));
        let _ = std::io::stderr().flush();
    }
}

/// Prints the ratios.
pub(crate) fn print(ratios: &[Ratio]) {
    eprintln!();
    println!(
        "| kernel | here | reference | | ratio | goal |\n| --- | ---: | ---: | --- | ---: | ---: |"
    );
    for it in ratios {
        let [own, other] = it.rates;
        println!(
            "| {} | {own:.0} {} | {other:.0} {} | {} | {:.1} % | {:.0} % |",
            it.name,
            it.unit,
            it.unit,
            it.reference,
            100.0 * it.ratio(),
            100.0 * it.goal
        );
    }
}

/// A bar for each ratio, and a line for each goal, as SVG.
pub(crate) fn picture(ratios: &[Ratio]) -> String {
    const LINE: usize = 24;
    const WIDTH: f64 = 400.0;
    let mut bars = String::new();
    for (i, it) in ratios.iter().enumerate() {
        let (y, goal) = (LINE * i + 8, 260.0 + WIDTH * it.goal / 1.2);
        let (length, fill) = (
            WIDTH * it.ratio().min(1.2) / 1.2,
            if it.ratio() >= it.goal { "#4a7" } else { "#c84" },
        );
        let _ = writeln!(
            bars,
            "<text x=\"250\" y=\"{text}\" text-anchor=\"end\">{name}</text>\
             <rect x=\"260\" y=\"{y}\" width=\"{length:.1}\" height=\"16\" fill=\"{fill}\"/>\
             <line x1=\"{goal:.1}\" x2=\"{goal:.1}\" y1=\"{y}\" y2=\"{end}\" stroke=\"black\"/>\
             <text x=\"670\" y=\"{text}\">{ratio:.1} %</text>",
            text = y + 13,
            end = y + 16,
            name = it.name,
            ratio = 100.0 * it.ratio(),
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"740\" height=\"{}\" font-family=\"sans-serif\" font-size=\"13\">\n{bars}</svg>\n",
        LINE * ratios.len() + 16
    )
}

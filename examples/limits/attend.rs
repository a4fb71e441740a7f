//! Attention on a GPU, beside that of `PyTorch`.
#![allow(clippy::cast_precision_loss, reason = "counts of operations as rates")]

use std::cell::RefCell;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream};
use ptx::prelude::*;

use crate::attention;
use crate::exact::Exact;
use crate::measure::{Ratio, Timed, on, times};
use crate::memory::random;
use crate::plan::{Attention, Plan, Tensors};

/// The tokens of each measurement.
const TOKENS: usize = 16384;

/// `PyTorch`, in a process of its own.
struct PyTorch {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Where the tensors are, which is removed in the end.
    directory: PathBuf,
}

impl PyTorch {
    /// Starts it; `None` if it is not installed.
    fn start() -> Result<Option<(Self, String)>, Box<dyn Error>> {
        let script = include_str!("attention.py");
        let mut python = Command::new("python3");
        let directory = std::env::temp_dir().join(format!("ptx-limits-{}", std::process::id()));
        std::fs::create_dir(&directory)?;
        python.args(["-c", script]).current_dir(&directory);
        python.stdin(Stdio::piped()).stdout(Stdio::piped());
        let Ok(mut child) = python.spawn() else {
            std::fs::remove_dir(&directory)?;
            return Ok(None);
        };
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Ok(None);
        };
        let mut it = Self { child, input, output: BufReader::new(output), directory };
        let release = it.answer()?;
        Ok((!release.is_empty()).then_some((it, release)))
    }

    fn ask(&mut self, command: &str) -> Result<String, Box<dyn Error>> {
        writeln!(self.input, "{command}")?;
        self.answer()
    }

    fn answer(&mut self) -> Result<String, Box<dyn Error>> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }
}

impl Drop for PyTorch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// A measurement: the lengths of sequences, the heads of queries and of keys, and the ratio to reach.
struct Shape<'s> {
    lengths: &'s [usize],
    heads: [usize; 2],
    goal: f64,
}

/// Measures all shapes.
pub(crate) fn measure(context: &Arc<CudaContext>) -> Result<Vec<Ratio>, Box<dyn Error>> {
    let Some((pytorch, release)) = PyTorch::start()? else {
        println!("NOT RUN: attention, for there is no PyTorch to compare it with");
        return Ok(Vec::new());
    };
    println!("{release}");
    let pytorch = RefCell::new(pytorch);
    let stream = context.new_stream()?;
    let mut ratios = Vec::new();
    let all = |heads: usize, large: f64| {
        let of = move |length: usize| {
            (vec![length; TOKENS / length], heads, if length < 4096 { 0.9 } else { large })
        };
        [512, 1024, 2048, 4096, 8192, 16384].map(of)
    };
    macro_rules! each {
        ($($module:ident $heads:literal $shared:literal $goal:literal;)*) => {$({
            let module = ptx::cuda::load::<attention::$module::Loaded>(context)?;
            let mut shapes: Vec<_> = all($heads, $goal).into_iter().map(|(lengths, heads, goal)| (lengths, [heads; 2], goal)).collect();
            shapes.push((vec![4096; 4], [$heads, $shared], $goal));
            shapes.push((vec![300, 8192, 1000, 4000, 77, 2815], [$heads; 2], 0.9));
            for (lengths, heads, goal) in &shapes {
                let shape = Shape { lengths, heads: *heads, goal: *goal };
                ratios.push(ratio(&module, &stream, &pytorch, &shape)?);
            }
        })*};
    }
    each!(of_128 16 4 1.0; causal_of_128 16 4 1.0; of_64 32 8 0.9; causal_of_64 32 8 0.9;);
    Ok(ratios)
}

/// Measures one shape, and compares the results.
fn ratio<A: Attention>(
    module: &A,
    stream: &Arc<CudaStream>,
    pytorch: &RefCell<PyTorch>,
    &Shape { lengths, heads, goal }: &Shape<'_>,
) -> Result<Ratio, Box<dyn Error>> {
    let (tokens, [own, shared]) = (lengths.iter().sum::<usize>(), heads);
    let numbers = random(tokens * (own + 2 * shared) * A::DIM);
    // Scores that differ enough for weights to matter.
    let numbers: Vec<bf16> = numbers.iter().map(|x| bf16::from_f32(2.0 * x.to_f32())).collect();
    let (q, rest) = numbers.split_at(tokens * own * A::DIM);
    let (k, v) = rest.split_at(tokens * shared * A::DIM);
    let mut command = format!("tensors {} {own} {shared} {}", A::DIM, u8::from(A::IS_CAUSAL));
    for length in lengths {
        write!(command, " {length}")?;
    }
    for (name, tensor) in [("q", q), ("k", k), ("v", v)] {
        std::fs::write(pytorch.borrow().directory.join(name), bytes(tensor))?;
    }
    let backends = pytorch.borrow_mut().ask(&command)?;
    let backends: Vec<&str> = backends.split_whitespace().collect();

    let blocks = usize::try_from(stream.context().attribute(
        cudarc::driver::sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
    )?)?;
    let plan = Plan::new(stream, lengths, heads, blocks)?;
    let on_gpu = [stream.clone_htod(q)?, stream.clone_htod(k)?, stream.clone_htod(v)?];
    let mut o = stream.clone_htod(&vec![bf16::NAN; tokens * own * A::DIM])?;
    let mut tensors = Tensors { q: &on_gpu[0], k: &on_gpu[1], v: &on_gpu[2], o: &mut o };
    let mut runs: Vec<Timed<'_>> =
        vec![on(stream, Box::new(|| module.attend(stream, &plan, &mut tensors)))];
    for backend in &backends {
        runs.push(Box::new(move |count| {
            Ok(pytorch.borrow_mut().ask(&format!("time {backend} {count}"))?.parse()?)
        }));
    }
    let equal = lengths.iter().all(|length| *length == lengths[0]);
    let sequences =
        if equal { format!("{} x {}", lengths.len(), lengths[0]) } else { format!("{lengths:?}") };
    let causal = if A::IS_CAUSAL { "causal attention" } else { "attention" };
    let sharing =
        if own == shared { String::new() } else { format!(", {own} heads share {shared}") };
    let name = format!("{causal}, dimension {}, {sequences}{sharing}", A::DIM);
    let times = times(&name, &mut runs)?;
    drop(runs);
    let products = |length: &usize| {
        4.0 * (length * length * A::DIM * own) as f64 / if A::IS_CAUSAL { 2.0 } else { 1.0 }
    };
    let operations: f64 = lengths.iter().map(products).sum();
    let rates: Vec<f64> = times.iter().map(|time| operations / time / 1e9).collect();
    let best = (1..rates.len()).max_by(|a, b| rates[*a].total_cmp(&rates[*b]));
    let best = best.ok_or("no backend of PyTorch takes this")?;

    let found = stream.clone_dtoh(&o)?;
    pytorch.borrow_mut().ask(&format!("store {}", backends[best - 1]))?;
    let file = pytorch.borrow().directory.join("o");
    let other = read(&file)?;
    let exact = Exact { heads, dim: A::DIM, is_causal: A::IS_CAUSAL, tensors: [q, k, v] };
    let [error, others] = [&found, &other].map(|found| error(&exact, lengths, found));
    assert!(error <= 1.1 * others, "{name}: the error is {error:e}, PyTorch's {others:e}");
    let rated = |(name, rate): (&&str, &f64)| format!("{name} {rate:.0}");
    let reference: Vec<String> = backends.iter().zip(&rates[1..]).map(rated).collect();
    let reference = reference.join(", ");
    Ok(Ratio { name, rates: [rates[0], rates[best]], unit: "TFLOP/s", reference, goal })
}

/// The root of the mean of squared errors, of some vectors of each sequence.
fn error(exact: &Exact<'_>, lengths: &[usize], found: &[bf16]) -> f64 {
    let (heads, dim) = (exact.heads[0], exact.dim);
    let (mut start, mut sum, mut count) = (0, 0.0, 0_u32);
    for length in lengths {
        for i in 0..24 {
            let (row, head) = ((i * 7_919 + 63) % length, i * 5 % heads);
            let row = if i == 0 { length - 1 } else { row };
            let (expected, _) = exact.vector((start, *length), row, head);
            let found = &found[((start + row) * heads + head) * dim..][..dim];
            for (found, expected) in found.iter().zip(expected) {
                sum += (found.to_f64() - expected).powi(2);
                count += 1;
            }
        }
        start += length;
    }
    (sum / f64::from(count)).sqrt()
}

/// The numbers as they lie in memory.
fn bytes(numbers: &[bf16]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn read(file: &Path) -> Result<Vec<bf16>, Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    Ok(bytes.chunks_exact(2).map(|x| bf16::from_le_bytes([x[0], x[1]])).collect())
}

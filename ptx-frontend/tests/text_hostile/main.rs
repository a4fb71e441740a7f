//! Any bytes are read: in time and memory that grow with them alone, and without a panic.

mod allocator;
mod texts;

use std::time::{Duration, Instant};

use ptx_frontend::text::Parsed;
use texts::{Hostile, TEXTS};

/// How many bytes of memory may be in use for a byte of text, with the text.
const MOST: usize = 60;

/// What reading and judging a text costs.
struct Cost {
    bytes: usize,
    read: Duration,
    memory: usize,
    judged: Option<Duration>,
}

fn cost(text: &Hostile, bytes: usize, is_judged: bool) -> Cost {
    let text = (text.write)(bytes);
    let bytes = text.len();
    let start = Instant::now();
    let (parsed, memory) = allocator::most(|| Parsed::from_bytes(text));
    let read = start.elapsed();
    let start = Instant::now();
    let judged = is_judged.then(|| {
        let _ = parsed.check();
        start.elapsed()
    });
    Cost { bytes, read, memory: memory + bytes, judged }
}

/// `PTX_HOSTILE=100000000 cargo test --release -p ptx-frontend --test text_hostile -- --ignored --nocapture`:
/// the cost of each text of so many bytes, beside that of a tenth.
#[test]
#[ignore = "takes minutes, and is for reading"]
fn costs() {
    let bytes = std::env::var("PTX_HOSTILE").ok().and_then(|bytes| bytes.parse().ok());
    let bytes: usize = bytes.unwrap_or(10_000_000);
    let only = std::env::var("PTX_HOSTILE_TEXT").unwrap_or_default();
    let is_judged = std::env::var_os("PTX_HOSTILE_CHECK").is_some();
    for text in TEXTS.iter().filter(|text| text.name.contains(&only)) {
        let small = cost(text, bytes / 10, is_judged);
        let large = cost(text, bytes, is_judged);
        let rate = |cost: &Cost, time: Duration| cost.bytes as f64 / time.as_secs_f64() / 1e6;
        print!(
            "{:40} {:6.1} {:6.1} MB/s {:5.1} B/B",
            text.name,
            rate(&small, small.read),
            rate(&large, large.read),
            large.memory as f64 / large.bytes as f64,
        );
        if let (Some(few), Some(many)) = (small.judged, large.judged) {
            print!("   judged {:6.1} {:6.1} MB/s", rate(&small, few), rate(&large, many));
        }
        println!();
    }
}

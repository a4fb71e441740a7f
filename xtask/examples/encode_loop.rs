//! `encode_loop tiled|im2col|wide nothing|encode|rules|unchecked ROUNDS [MAPS]`: one way to encode maps, in a loop, for
//! `perf stat`. The difference between two numbers of rounds, divided by the maps and rounds, is the cost of a call.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ptx_smith::maps::legal_of_call;
use ptx_types::Target;
use ptx_types::tensor::{Spec, Tensor, encode, encode_unchecked};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, otherwise| args.get(i).map_or(Some(otherwise), |arg| arg.parse().ok());
    let (Some(call), Some(way), Some(rounds), Some(count)) =
        (args.first(), args.get(1), number(2, 1000), number(3, 1024))
    else {
        eprintln!("encode_loop tiled|im2col|wide nothing|encode|rules|unchecked [ROUNDS [MAPS]]");
        std::process::exit(2);
    };
    let maps = legal_of_call(count, call != "tiled", call == "wide");
    let ask: &dyn Fn(&Spec, &Tensor) -> bool = match way.as_str() {
        "encode" => &|spec, tensor| black_box(encode(spec, tensor, Target::Sm90a)).is_ok(),
        "rules" => &|spec, tensor| {
            spec.check_tensor(tensor, Some(Target::Sm90a)).is_accepted()
                && black_box(encode_unchecked(spec, tensor)).is_some()
        },
        "unchecked" => &|spec, tensor| black_box(encode_unchecked(spec, tensor)).is_some(),
        _ => &|spec, _| spec.rank > 0,
    };
    let mut least = Duration::MAX;
    for _ in 0..rounds {
        let start = Instant::now();
        let encoded = maps.iter().filter(|(spec, tensor)| ask(black_box(spec), tensor)).count();
        least = least.min(start.elapsed());
        assert_eq!(encoded, maps.len(), "they are legal");
    }
    println!(
        "{call}, {way}: {} ns for {count} maps, the least of {rounds} rounds",
        least.as_nanos()
    );
}

//! Compares the GPU's copies with the model's, byte for byte. Needs the feature `cuda` and a driver.
//!
//! `PTX_TENSOR_COPIES=100000` sets the number of copies of each family (default: 10,000), and
//! `PTX_TENSOR_SEED=7` selects different ones.

#![allow(unsafe_code, reason = "the driver is called, and launches are unsafe")]
#![allow(unreachable_pub)] // it is `.visible` in PTX

#[path = "../device/mod.rs"]
mod device;
mod driver;
mod kernels;
mod machine;
mod random;
mod special;

use std::error::Error;

use kernels::{HEADER, Job};
use machine::{Machine, WINDOW, poison, shown};
use ptx_types::Target;
use ptx_types::tensor::model::{self, CopyError, Operands, Reduction};
use ptx_types::tensor::{ElementType, Spec, Tensor, encode};
use random::{Copied, Family, Random, Way};
use special::SPECIAL;

/// Copies that are started before their results are read.
const BATCH: usize = 256;

/// The bytes of a tensor that is loaded from.
const SOURCE: usize = 1 << 20;

/// The bytes around a tensor that is stored to.
const REGION: usize = 16 << 10;

/// The number of copies of each family.
fn copies() -> usize {
    number("PTX_TENSOR_COPIES").map_or(10_000, |copies| usize::try_from(copies).expect("few"))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

const fn family(rank: u32, is_im2col: bool, is_interleaved: bool) -> Family {
    Family { rank, is_im2col, is_interleaved }
}

/// Every family that `sm_90` executes.
const FAMILIES: [Family; 14] = [
    family(1, false, false),
    family(2, false, false),
    family(3, false, false),
    family(4, false, false),
    family(5, false, false),
    family(3, false, true),
    family(4, false, true),
    family(5, false, true),
    family(3, true, false),
    family(4, true, false),
    family(5, true, false),
    family(3, true, true),
    family(4, true, true),
    family(5, true, true),
];

impl Family {
    fn name(self) -> String {
        let mode = if self.is_im2col { "im2col" } else { "tile" };
        format!("{mode} {}d{}", self.rank, if self.is_interleaved { " interleaved" } else { "" })
    }

    fn kernel(self, way: &str) -> String {
        format!("{way}_{}{}d", if self.is_im2col { "im2col_" } else { "" }, self.rank)
    }
}

impl Copied {
    fn operands(&self, way: Way) -> Operands<'_> {
        let rank = self.spec.rank as usize;
        let offsets = match way {
            Way::Load if self.spec.mode.is_im2col() => rank - 2,
            Way::Load | Way::Store | Way::Reduce(_) => 0,
        };
        Operands::with_info(&self.coordinates[..rank], &self.offsets[..offsets])
    }

    /// The descriptor, compared with the driver's.
    fn descriptor(&self, address: u64) -> [u8; 128] {
        let tensor = Tensor { address, ..self.tensor };
        let ours = encode(&self.spec, &tensor, Target::Sm90a)
            .unwrap_or_else(|verdict| panic!("{self:?} is refused: {verdict}"));
        let theirs = driver::encode(&self.spec, &tensor)
            .unwrap_or_else(|result| panic!("the driver refuses {self:?}: {result:?}"));
        assert_eq!(ours, theirs, "{self:?}");
        *ours.as_bytes()
    }

    fn job(&self, way: Way, tile: usize) -> Job {
        let operation = match way {
            Way::Load | Way::Store => 0,
            Way::Reduce(reduction) => {
                1 + Reduction::ALL.iter().position(|known| *known == reduction).expect("known")
            }
        };
        Job {
            coordinates: self.coordinates,
            offsets: self.offsets,
            operation: u16::try_from(operation).expect("few"),
            tile: u32::try_from(tile).expect("small"),
            window: u32::try_from(WINDOW).expect("small"),
            bytes: u32::try_from(self.spec.transaction_bytes()).expect("small"),
        }
    }
}

/// Counts the differences, and prints the first ones.
#[derive(Default)]
struct Differences {
    copies: usize,
    bytes: u64,
    wrong: usize,
}

impl Differences {
    fn compare(&mut self, copied: &Copied, what: &str, found: &[u8], expected: &[u8]) {
        self.copies += 1;
        self.bytes += found.len() as u64;
        if found == expected && what.is_empty() {
            return;
        }
        self.wrong += 1;
        if self.wrong <= 4 {
            let first = found.iter().zip(expected).position(|(one, other)| one != other);
            let around = first.map(|at| at & !15..(at & !15) + 16);
            let hex = |bytes: &[u8]| {
                around.clone().map(|around| {
                    bytes[around].iter().fold(String::new(), |all, byte| format!("{all}{byte:02x}"))
                })
            };
            println!(
                "  {what} {first:?}: {:?} and the model has {:?}: {copied:?}",
                hex(found),
                hex(expected)
            );
        }
    }

    fn finish(self, name: &str) -> usize {
        let Self { copies, bytes, wrong } = self;
        println!("{name}: {copies} copies, {bytes} bytes compared, {wrong} copies differ");
        wrong
    }
}

#[test]
fn loads_match_the_model() -> Result<(), Box<dyn Error>> {
    let Some(machine) = Machine::new() else { return Ok(()) };
    let mut random = Random::new(number("PTX_TENSOR_SEED").unwrap_or(1));
    let source = random.bytes(SOURCE / 4);
    let on_gpu = machine.stream.clone_htod(&source)?;
    let mut results = machine.stream.alloc_zeros::<u8>(BATCH * (HEADER + WINDOW))?;
    let mut host = vec![0; BATCH * (HEADER + WINDOW)];
    let (poison, mut wrong) = (poison(WINDOW), 0);
    for family in FAMILIES {
        let mut differences = Differences::default();
        while differences.copies < copies() {
            let batch: Vec<(Copied, usize, usize)> = (0..BATCH)
                .map(|_| {
                    let copied = family.copy(&mut random, Way::Load, WINDOW - 2048, 256 << 10);
                    let start = random.below((SOURCE - (256 << 10)) / 32) * 32;
                    // Every base offset of every swizzle.
                    let tile = random.below(16) * 128;
                    (copied, start, tile)
                })
                .collect();
            for (i, (copied, start, tile)) in batch.iter().enumerate() {
                let descriptor = copied.descriptor(machine.address(&on_gpu) + *start as u64);
                let mut to = results.slice_mut(i * (HEADER + WINDOW)..(i + 1) * (HEADER + WINDOW));
                let job = copied.job(Way::Load, *tile);
                machine.load(&family.kernel("load"), descriptor, job, &mut to)?;
            }
            machine.stream.memcpy_dtoh(&results, &mut host)?;
            machine.stream.synchronize()?;
            for ((copied, start, tile), bytes) in batch.iter().zip(host.chunks(HEADER + WINDOW)) {
                let shown = shown(bytes, WINDOW);
                let mut expected = poison.clone();
                let address = shown.base as usize + tile;
                let loaded = model::load(
                    &copied.spec,
                    &copied.tensor,
                    &copied.operands(Way::Load),
                    &source[*start..],
                    &mut expected[*tile..],
                    address,
                );
                let what = match (loaded, shown.phases) {
                    (Err(error), _) => format!("the model refuses it: {error}"),
                    (Ok(_), 2) => String::new(),
                    (Ok(_), 1) => "more bytes came than the transaction has".to_owned(),
                    (Ok(_), phases) => format!("not everything came ({phases})"),
                };
                differences.compare(copied, &what, shown.window, &expected);
            }
        }
        wrong += differences.finish(&format!("load {}", family.name()));
    }
    assert_eq!(wrong, 0);
    Ok(())
}

/// Stores or reductions of every family.
fn write(way: &str, ways: impl Fn(&mut Random) -> Way) -> Result<(), Box<dyn Error>> {
    let Some(machine) = Machine::new() else { return Ok(()) };
    let mut random = Random::new(number("PTX_TENSOR_SEED").unwrap_or(1) + 1);
    let before = random.bytes(BATCH * REGION / 4);
    let tiles = random.bytes(SOURCE / 4);
    let before_on_gpu = machine.stream.clone_htod(&before)?;
    let tiles_on_gpu = machine.stream.clone_htod(&tiles)?;
    let mut results = machine.stream.alloc_zeros::<u8>(before.len())?;
    let mut host = vec![0; before.len()];
    let mut wrong = 0;
    for family in FAMILIES {
        let mut differences = Differences::default();
        while differences.copies < copies() {
            machine.stream.memcpy_dtod(&before_on_gpu, &mut results)?;
            let batch: Vec<(Copied, Way, usize, usize)> = (0..BATCH)
                .map(|_| {
                    let way = ways(&mut random);
                    let copied = family.copy(&mut random, way, WINDOW - 2048, REGION as u64 / 2);
                    let start = random.below((SOURCE - WINDOW) / 4) * 4;
                    let tile = random.below(16) * 128;
                    (copied, way, start, tile)
                })
                .collect();
            for (i, (copied, way_of_it, start, tile)) in batch.iter().enumerate() {
                // In the middle, with bytes on both sides.
                let to = machine.address(&results) + (i * REGION + REGION / 4) as u64;
                let descriptor = copied.descriptor(to);
                let job = copied.job(*way_of_it, *tile);
                let from = tiles_on_gpu.slice(*start..*start + WINDOW);
                machine.store(&family.kernel("store"), descriptor, job, &from)?;
            }
            machine.stream.memcpy_dtoh(&results, &mut host)?;
            machine.stream.synchronize()?;
            let regions = before.chunks(REGION).zip(host.chunks(REGION));
            for ((copied, way_of_it, start, tile), (before, found)) in batch.iter().zip(regions) {
                let mut expected = before.to_vec();
                let window = &tiles[*start..*start + WINDOW];
                // The window starts at a multiple of 1024.
                let result = write_in_model(copied, *way_of_it, &mut expected, window, *tile);
                let what = match result {
                    Ok(()) => String::new(),
                    Err(error) => format!("the model refuses it: {error}"),
                };
                differences.compare(copied, &what, found, &expected);
            }
        }
        wrong += differences.finish(&format!("{way} {}", family.name()));
    }
    assert_eq!(wrong, 0);
    Ok(())
}

fn write_in_model(
    copied: &Copied,
    way: Way,
    region: &mut [u8],
    window: &[u8],
    tile: usize,
) -> Result<(), CopyError> {
    let Copied { spec, tensor, .. } = copied;
    let (operands, global, shared) =
        (copied.operands(way), &mut region[REGION / 4..], &window[tile..]);
    match way {
        Way::Load | Way::Store => model::store(spec, tensor, &operands, global, shared, tile),
        Way::Reduce(reduction) => {
            model::reduce(spec, tensor, &operands, reduction, global, shared, tile)
        }
    }
}

#[test]
fn stores_match_the_model() -> Result<(), Box<dyn Error>> {
    write("store", |_| Way::Store)
}

#[test]
fn reductions_match_the_model() -> Result<(), Box<dyn Error>> {
    write("reduce", |random| Way::Reduce(random.pick(Reduction::ALL)))
}

/// Each reduction of each type, for every pair of special numbers.
#[test]
fn reductions_of_special_numbers() -> Result<(), Box<dyn Error>> {
    let Some(machine) = Machine::new() else { return Ok(()) };
    let pieces = SPECIAL.iter().flat_map(|bits| (0..4).map(|half| bits.rotate_left(half * 16)));
    let pieces: Vec<u64> = pieces.collect();
    let mut differences = Differences::default();
    for (reduction, element) in Reduction::ALL
        .iter()
        .flat_map(|reduction| ElementType::ALL.iter().map(|element| (*reduction, *element)))
        .filter(|(reduction, element)| reduction.takes(*element))
    {
        let bytes = element.bits() / 8;
        let row = u64::from(128 / bytes).min(256);
        let spec =
            Spec::tiled_unchecked(element, 2, [u32::try_from(row).expect("small"), 32, 1, 1, 1]);
        let tensor = Tensor::dense(0, element, [row, 32, 1, 1, 1]);
        let copied = Copied { spec, tensor, coordinates: [0; 5], offsets: [0; 3] };
        for shift in 0..pieces.len() {
            // 4 KiB of numbers, and a shifted copy of them.
            let numbers = |shift: usize| {
                let numbers = pieces.iter().cycle().skip(shift).take(512);
                numbers.flat_map(|bits| bits.to_le_bytes()).collect::<Vec<u8>>()
            };
            let mut before = numbers(0);
            before.resize(REGION, 0);
            before.rotate_right(REGION / 4);
            let mut window = numbers(shift);
            window.resize(WINDOW, 0);
            let global = machine.stream.clone_htod(&before)?;
            let shared = machine.stream.clone_htod(&window)?;
            let way = Way::Reduce(reduction);
            let descriptor = copied.descriptor(machine.address(&global) + (REGION / 4) as u64);
            let job = copied.job(way, 0);
            machine.store("store_2d", descriptor, job, &shared.as_view())?;
            let found = machine.stream.clone_dtoh(&global)?;
            let result = write_in_model(&copied, way, &mut before, &window, 0);
            assert_eq!(result, Ok(()));
            differences.compare(&copied, "", &found, &before);
        }
    }
    assert_eq!(differences.finish("reductions of special numbers"), 0);
    Ok(())
}

/// The barrier distinguishes more and fewer bytes than the model's, so the comparison above is meaningful.
#[test]
fn transactions_are_counted() -> Result<(), Box<dyn Error>> {
    let Some(machine) = Machine::new() else { return Ok(()) };
    let source = machine.stream.clone_htod(&vec![7_u8; 4096])?;
    let mut results = machine.stream.alloc_zeros::<u8>(HEADER + WINDOW)?;
    let spec = Spec::tiled_unchecked(ElementType::U32, 2, [16, 8, 1, 1, 1]);
    let tensor = Tensor::dense(0, ElementType::U32, [16, 8, 1, 1, 1]);
    let copied = Copied { spec, tensor, coordinates: [0; 5], offsets: [0; 3] };
    let descriptor = copied.descriptor(machine.address(&source));
    for (bytes, is_right) in [(512, true), (528, false), (496, false)] {
        let job = Job { bytes, ..copied.job(Way::Load, 0) };
        machine.load("load_2d", descriptor, job, &mut results.as_view_mut())?;
        let host = machine.stream.clone_dtoh(&results)?;
        let found = shown(&host, WINDOW).phases;
        println!("{bytes} of 512 bytes expected: {found} phases end");
        assert_eq!(found == 2, is_right);
    }
    Ok(())
}

/// This test needs no GPU.
#[test]
fn the_model_accepts_the_random_copies() {
    let mut random = Random::new(3);
    for family in FAMILIES {
        for way in [Way::Load, Way::Store]
            .into_iter()
            .chain(Reduction::ALL.iter().map(|reduction| Way::Reduce(*reduction)))
        {
            for _ in 0..200 {
                let copied = family.copy(&mut random, way, WINDOW - 2048, REGION as u64 / 2);
                let tensor = Tensor { address: 4096, ..copied.tensor };
                assert!(encode(&copied.spec, &tensor, Target::Sm90a).is_ok(), "{copied:?}");
                let (mut global, mut shared) = (vec![1; REGION], vec![2; WINDOW]);
                match way {
                    Way::Load => {
                        let operands = copied.operands(way);
                        let loaded = model::load(
                            &copied.spec,
                            &tensor,
                            &operands,
                            &global,
                            &mut shared,
                            0x480,
                        );
                        assert!(loaded.is_ok(), "{loaded:?} {copied:?}");
                    }
                    Way::Store | Way::Reduce(_) => {
                        let result = write_in_model(&copied, way, &mut global, &shared, 128);
                        assert_eq!(result, Ok(()), "{copied:?}");
                    }
                }
            }
        }
    }
}

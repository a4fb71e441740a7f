//! Maps and tensors as text: the arguments of a declaration.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::{ElementType, Interleave, L2Promotion, MAX_RANK, Mode, OobFill, Spec, Swizzle, Tensor};
use crate::count::Count;
use crate::name::ParseError;
use crate::near::alternatives;

/// Numbers in brackets.
struct List<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str("]")
    }
}

impl Spec {
    /// The names of the arguments of a declaration.
    #[doc(hidden)]
    pub const ARGUMENTS: [&str; 14] = [
        "element",
        "box",
        "swizzle",
        "interleave",
        "element_strides",
        "l2_promotion",
        "oob",
        "mode",
        "row",
        "lower",
        "upper",
        "channels_per_pixel",
        "pixels_per_column",
        "rank",
    ];

    /// The rank that the arguments of the mode imply: that of its lists, whose length is the number
    /// of dimensions.
    const fn implied_rank(&self) -> Option<usize> {
        match self.mode {
            Mode::Tiled { .. } => Some(self.dimensions()),
            Mode::Im2col { .. } => Some(self.spatial() + 2),
            Mode::Gather4 { .. } | Mode::Scatter4 { .. } => Some(2),
            Mode::Im2colW { .. } | Mode::Im2colW128 { .. } => None,
        }
    }
}

/// The arguments of the declaration, as in
/// `#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]`; defaults, and array entries
/// past the rank, are left out.
///
/// ```
/// use ptx_isa::tensor::Spec;
/// let spec: Spec = "element = bf16, box = [64, 128], swizzle = B128".parse()?;
/// assert_eq!(spec.tile_bytes(), 16384);
/// assert_eq!(spec.to_string(), "element = bf16, box = [64, 128], swizzle = B128");
/// # Ok::<(), ptx_isa::ParseError>(())
/// ```
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "element = {}", self.element)?;
        if !matches!(self.mode, Mode::Tiled { .. }) {
            write!(f, ", mode = {}", self.mode.name())?;
        }
        if self.implied_rank() != Some(self.rank as usize) {
            write!(f, ", rank = {}", self.rank)?;
        }
        let spatial = self.spatial();
        match &self.mode {
            Mode::Tiled { box_dims } => {
                write!(f, ", box = {}", List(&box_dims[..self.dimensions()]))?;
            }
            Mode::Gather4 { row } | Mode::Scatter4 { row } => write!(f, ", row = {row}")?,
            Mode::Im2col { lower, upper, .. } => {
                write!(
                    f,
                    ", lower = {}, upper = {}",
                    List(&lower[..spatial]),
                    List(&upper[..spatial])
                )?;
            }
            Mode::Im2colW { lower, upper, .. } | Mode::Im2colW128 { lower, upper, .. } => {
                write!(f, ", lower = {lower}, upper = {upper}")?;
            }
        }
        if let Some(pixels) = self.mode.pixels_per_column() {
            write!(
                f,
                ", channels_per_pixel = {}, pixels_per_column = {pixels}",
                self.mode.inner()
            )?;
        }
        let strides = &self.element_strides[..self.dimensions()];
        if strides.iter().any(|stride| *stride != 1) {
            write!(f, ", element_strides = {}", List(strides))?;
        }
        if self.interleave != Interleave::None {
            write!(f, ", interleave = {}", self.interleave)?;
        }
        if self.swizzle != Swizzle::None {
            write!(f, ", swizzle = {}", self.swizzle)?;
        }
        if self.l2_promotion != L2Promotion::None {
            write!(f, ", l2_promotion = {}", self.l2_promotion)?;
        }
        if self.oob_fill != OobFill::Zero {
            write!(f, ", oob = {}", self.oob_fill)?;
        }
        Ok(())
    }
}

/// A list of `name = value`, from which arguments are taken one by one.
struct Arguments<'a> {
    written: Vec<(&'a str, &'a str)>,
}

impl<'a> Arguments<'a> {
    fn parse(text: &'a str, known: &[&'static str]) -> Result<Self, ParseError> {
        let mut written: Vec<(&str, &str)> = Vec::new();
        let mut rest = text;
        while !rest.trim().is_empty() {
            let Some((name, after)) = rest.split_once('=') else {
                let rest = rest.trim();
                return Err(ParseError::new(format!(
                    "`{rest}` has no value: write `name = value`"
                )));
            };
            let (name, after) = (name.trim(), after.trim_start());
            if let Some((name, _)) = name.split_once(',') {
                let name = name.trim();
                return Err(ParseError::new(format!(
                    "`{name}` has no value: write `name = value`"
                )));
            }
            let end = match after.strip_prefix('[') {
                Some(list) => match list.find(']') {
                    Some(end) => end + 2,
                    None => {
                        return Err(ParseError::new(format!("the list of `{name}` has no `]`")));
                    }
                },
                None => after.find(',').unwrap_or(after.len()),
            };
            let (value, remaining) = after.split_at(end);
            if let (false, Some((word, rest))) =
                (value.starts_with('['), value.trim().split_once(char::is_whitespace))
            {
                let rest = rest.trim_start();
                return Err(ParseError::new(format!(
                    "a comma is missing between `{word}` and `{rest}`"
                )));
            }
            if !known.contains(&name) {
                let instead = alternatives(name, known.iter().copied());
                return Err(ParseError::new(format!("there is no argument `{name}`: {instead}")));
            }
            if written.iter().any(|(other, _)| *other == name) {
                return Err(ParseError::new(format!("`{name}` is given twice")));
            }
            written.push((name, value.trim()));
            rest = match remaining.trim_start() {
                "" => "",
                remaining => match remaining.strip_prefix(',') {
                    Some(rest) => rest,
                    None => {
                        return Err(ParseError::new(format!(
                            "a comma is missing before `{remaining}`"
                        )));
                    }
                },
            };
        }
        Ok(Self { written })
    }

    /// Removes an argument and returns its value.
    fn take(&mut self, name: &str) -> Option<&'a str> {
        let at = self.written.iter().position(|(other, _)| *other == name)?;
        Some(self.written.remove(at).1)
    }

    fn need(&mut self, name: &str) -> Result<&'a str, ParseError> {
        self.take(name).ok_or_else(|| ParseError::new(format!("`{name} = ..` is missing")))
    }

    /// Takes an argument with a named value, or the default.
    fn word<T: FromStr<Err = ParseError>>(
        &mut self,
        name: &str,
        default: T,
    ) -> Result<T, ParseError> {
        self.take(name).map_or(Ok(default), str::parse)
    }

    fn need_number<T: FromStr>(&mut self, name: &str) -> Result<T, ParseError> {
        number(name, self.need(name)?)
    }

    /// Takes a list of at most as many numbers as `default` has, and returns it with its length.
    fn list<T: FromStr + Copy, const N: usize>(
        &mut self,
        name: &str,
        mut default: [T; N],
    ) -> Result<Option<([T; N], usize)>, ParseError> {
        let Some(text) = self.take(name) else { return Ok(None) };
        let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) else {
            return Err(ParseError::new(format!(
                "`{name}` takes a list: write `{name} = [{text}]`"
            )));
        };
        let mut count = 0;
        for item in inside.split(',').map(str::trim) {
            // A trailing comma is allowed.
            if item.is_empty() && (count > 0 || inside.trim().is_empty()) {
                continue;
            }
            let Some(to) = default.get_mut(count) else {
                return Err(ParseError::new(format!("`{name}` has more than {N} values")));
            };
            *to = number(name, item)?;
            count += 1;
        }
        Ok(Some((default, count)))
    }

    /// Like [`list`](Self::list), for a required list.
    fn need_list<T: FromStr + Copy, const N: usize>(
        &mut self,
        name: &str,
        default: [T; N],
    ) -> Result<([T; N], usize), ParseError> {
        let list = self.list(name, default)?;
        list.ok_or_else(|| ParseError::new(format!("`{name} = [..]` is missing")))
    }

    /// Checks that nothing is left: `what` takes no other arguments.
    fn finish(&self, what: &str) -> Result<(), ParseError> {
        match self.written.first() {
            None => Ok(()),
            Some((name, _)) => {
                Err(ParseError::new(format!("{what} has no `{name}`: leave it out")))
            }
        }
    }
}

/// Parses a decimal number, or one with `0x`; digits may be separated by `_`.
fn number<T: FromStr>(name: &str, text: &str) -> Result<T, ParseError> {
    let digits = text.replace('_', "");
    let decimal = match digits.strip_prefix("0x").map(|hex| u64::from_str_radix(hex, 16)) {
        Some(Ok(number)) => number.to_string(),
        Some(Err(_)) | None => digits,
    };
    decimal.parse().map_err(|_| {
        let is_number = !decimal.is_empty() && decimal.bytes().all(|byte| byte.is_ascii_digit());
        let fault = if is_number { "too large for" } else { "not a number for" };
        ParseError::new(format!("`{text}` is {fault} `{name}`"))
    })
}

const MODES: [&str; 6] =
    ["tile", "tile::gather4", "tile::scatter4", "im2col", "im2col::w", "im2col::w::128"];

impl FromStr for Spec {
    type Err = ParseError;

    /// Reads the arguments of a declaration. Only their syntax is checked: [`check`](Self::check)
    /// applies the rules.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut arguments = Arguments::parse(text, &Self::ARGUMENTS)?;
        let element: ElementType = arguments.need("element")?.parse()?;
        let name = arguments.take("mode").unwrap_or("tile");
        let rank: Option<u32> = match arguments.take("rank") {
            Some(rank) => Some(number("rank", rank)?),
            None => None,
        };
        let (mode, implied) = mode(&mut arguments, name)?;
        let implied_rank = || implied.and_then(|implied| u32::try_from(implied).ok());
        let Some(rank) = rank.or_else(implied_rank) else {
            return Err(ParseError::new(format!(
                "`rank = ..` is missing: `{name}` does not imply it"
            )));
        };
        let element_strides = arguments.list("element_strides", [1; MAX_RANK])?;
        let spec = Self {
            element,
            rank,
            mode,
            element_strides: element_strides.map_or([1; MAX_RANK], |(strides, _)| strides),
            interleave: arguments.word("interleave", Interleave::None)?,
            swizzle: arguments.word("swizzle", Swizzle::None)?,
            l2_promotion: arguments.word("l2_promotion", L2Promotion::None)?,
            oob_fill: arguments.word("oob", OobFill::Zero)?,
        };
        arguments.finish(&format!("the mode `{name}`"))?;
        if let Some((_, count)) = element_strides.filter(|(_, count)| *count != spec.dimensions()) {
            let (count, needed) = (Count(count, "value"), spec.dimensions());
            return Err(ParseError::new(format!(
                "`element_strides` has {count} instead of {needed}"
            )));
        }
        if let Some(implied) = implied.filter(|implied| Some(*implied) != spec.implied_rank()) {
            return Err(ParseError::new(format!(
                "`rank` is {rank}, but the lists are for a map of rank {implied}: leave `rank` out"
            )));
        }
        Ok(spec)
    }
}

/// The mode with this name, and the rank that its arguments imply.
fn mode(arguments: &mut Arguments<'_>, name: &str) -> Result<(Mode, Option<usize>), ParseError> {
    Ok(match name {
        "tile" => {
            let (box_dims, count) = arguments.need_list("box", [1; MAX_RANK])?;
            (Mode::Tiled { box_dims }, Some(count))
        }
        "tile::gather4" => (Mode::Gather4 { row: arguments.need_number("row")? }, Some(2)),
        "tile::scatter4" => (Mode::Scatter4 { row: arguments.need_number("row")? }, Some(2)),
        "im2col" => {
            let (lower, count) = arguments.need_list("lower", [0; 3])?;
            let (upper, count_of_upper) = arguments.need_list("upper", [0; 3])?;
            if count != count_of_upper {
                return Err(ParseError::new(format!(
                    "`lower` has {} and `upper` {count_of_upper}: write as many in both, W first",
                    Count(count, "value")
                )));
            }
            let channels_per_pixel = arguments.need_number("channels_per_pixel")?;
            let pixels_per_column = arguments.need_number("pixels_per_column")?;
            let mode = Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column };
            (mode, Some(count + 2))
        }
        "im2col::w" | "im2col::w::128" => {
            let (lower, upper) = (arguments.need_number("lower")?, arguments.need_number("upper")?);
            let channels_per_pixel = arguments.need_number("channels_per_pixel")?;
            if name == "im2col::w" {
                let pixels_per_column = arguments.need_number("pixels_per_column")?;
                (Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }, None)
            } else {
                let pixels_per_column = match arguments.take("pixels_per_column") {
                    Some(pixels) => number("pixels_per_column", pixels)?,
                    None => Mode::W128_PIXELS,
                };
                (Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column }, None)
            }
        }
        _ => return Err(ParseError::unknown("a mode", name, &MODES, &[])),
    })
}

/// The address, the extents and the strides in bytes: `address = 0x1000, dims = [64, 32], strides = [256]`. Dimensions
/// of one element at the end, without a stride, are left out.
///
/// ```
/// use ptx_isa::tensor::Tensor;
/// let tensor: Tensor = "address = 0x1000, dims = [64, 32], strides = [256]".parse()?;
/// assert_eq!(tensor.dims, [64, 32, 1, 1, 1]);
/// assert_eq!(tensor.to_string(), "address = 0x1000, dims = [64, 32], strides = [256]");
/// # Ok::<(), ptx_isa::ParseError>(())
/// ```
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut count = MAX_RANK;
        while count > 1 && self.dims[count - 1] == 1 && self.strides[count - 2] == 0 {
            count -= 1;
        }
        let (dims, strides) = (&self.dims[..count], &self.strides[..count - 1]);
        write!(
            f,
            "address = {:#x}, dims = {}, strides = {}",
            self.address,
            List(dims),
            List(strides)
        )
    }
}

impl FromStr for Tensor {
    type Err = ParseError;

    /// Reads the address, the extents and the strides. Only their syntax is checked, and that there
    /// is one stride fewer than extents.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut arguments = Arguments::parse(text, &["address", "dims", "strides"])?;
        let address = arguments.need_number("address")?;
        let (dims, count) = arguments.need_list("dims", [1; MAX_RANK])?;
        let (strides, strides_count) = arguments.need_list("strides", [0; MAX_RANK - 1])?;
        if strides_count + 1 != count {
            let (found, needed) = (Count(strides_count, "value"), count.saturating_sub(1));
            return Err(ParseError::new(format!("`strides` has {found} instead of {needed}")));
        }
        Ok(Self { address, dims, strides })
    }
}

//! Decimal numbers around every value of a format and around every midpoint: a midpoint is parsed as the even
//! neighbour, and a number above or below it, by however little, as the nearer one.

use core::fmt::Debug;
use core::str::FromStr;

use ptx_float::SmallFloat;
use ptx_float::{E2M1, E2M3, E3M2, E4M3, E5M2, Tf32, Ue4m3, Ue8m0};

/// A positive decimal number: `digits * 10^exponent`. The first and the last digit are nonzero.
#[derive(Clone)]
struct Decimal {
    digits: String,
    exponent: i32,
}

impl Decimal {
    /// All digits of a number.
    fn of(x: f64) -> Self {
        let text = format!("{x:.1074}");
        let (whole, fraction) = text.split_once('.').expect("there is a point");
        let digits = [whole, fraction].concat();
        let digits = digits.trim_end_matches('0');
        let behind_point = i32::try_from(digits.len()).expect("small") - length(whole);
        Self { digits: digits.trim_start_matches('0').to_owned(), exponent: -behind_point }
    }

    /// The number plus one unit of the digit this many places after its last.
    fn above(&self, places: i32) -> Self {
        let zeros = "0".repeat(usize::try_from(places).expect("above zero") - 1);
        Self { digits: format!("{}{zeros}1", self.digits), exponent: self.exponent - places }
    }

    /// The number minus one unit of the digit this many places after its last.
    fn below(&self, places: i32) -> Self {
        let (first, last) = self.digits.split_at(self.digits.len() - 1);
        let last: u8 = last.parse().expect("a digit");
        let nines = "9".repeat(usize::try_from(places).expect("above zero"));
        let digits = format!("{first}{}{nines}", last - 1);
        Self { digits: digits.trim_start_matches('0').to_owned(), exponent: self.exponent - places }
    }

    /// One of several spellings.
    fn spelled(&self, way: usize) -> String {
        let Self { digits, exponent } = self;
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
        let (first, rest) = digits.split_at(1);
        let before_point = exponent + length(digits);
        match way % 8 {
            0 if *exponent >= 0 => format!("{digits}{}", zeros(*exponent)),
            0 if before_point <= 0 => format!(".{}{digits}", zeros(-before_point)),
            0 => {
                let at = usize::try_from(before_point).expect("above zero");
                format!("{}.{}", &digits[..at], &digits[at..])
            }
            1 => format!("{digits}e{exponent}"),
            2 => format!("0.{digits}E{before_point}"),
            3 => format!("+{first}.{rest}e{:+}", before_point - 1),
            4 => format!("00{first}.{rest}0000e{}", before_point - 1),
            5 => format!("{digits}.E{exponent:05}"),
            6 => format!("{digits}{}.0e{}", zeros(400), exponent - 400),
            _ => format!("0.{}{digits}{}e{}", zeros(400), zeros(7), before_point + 400),
        }
    }
}

fn length(text: &str) -> i32 {
    i32::try_from(text.len()).expect("small")
}

/// The parser under test.
struct Reader<F> {
    asked: usize,
    of: core::marker::PhantomData<F>,
}

impl<F: SmallFloat + FromStr<Err: Debug>> Reader<F> {
    fn storage(text: &str) -> u32 {
        text.parse::<F>().unwrap_or_else(|error| panic!("{text}: {error:?}")).to_storage()
    }

    /// Checks that a number is parsed as this code, and with a sign as the signed code.
    fn check(&mut self, number: &Decimal, code: u32) {
        let format = F::FORMAT;
        let text = number.spelled(self.asked);
        self.asked += 1;
        let expected = code << format.padding;
        assert_eq!(Self::storage(&text), expected, "{} {code:#x}: {text}", format.name);
        if !self.asked.is_multiple_of(3) {
            return;
        }
        let negative = match (format.is_signed, format.has_zero) {
            (true, _) => expected | 1 << (format.bits - 1 + format.padding),
            (false, true) => 0,
            // For a power of two, the magnitude.
            (false, false) => expected,
        };
        let text = format!("-{}", text.trim_start_matches('+'));
        assert_eq!(Self::storage(&text), negative, "{} {code:#x}: {text}", format.name);
    }

    /// Checks this number and numbers barely below and above it against their codes.
    fn check_around(&mut self, x: f64, below: u32, at: u32, above: u32) {
        let number = Decimal::of(x);
        let other = i32::try_from(self.asked % 40).expect("small");
        // The distance of two numbers has fewer than six additional digits.
        for places in [6 + other, [20, 300, 900][self.asked % 3]] {
            self.check(&number.below(places), below);
            self.check(&number, at);
            self.check(&number.above(places), above);
        }
    }
}

/// Checks every code, or, if there are many, those at the ends of some exponents.
fn every_number<F: SmallFloat + FromStr<Err: Debug>>() {
    let format = F::FORMAT;
    let mut reader = Reader::<F> { asked: 0, of: core::marker::PhantomData };
    let value = |code: u32| format.decode_f64(code << format.padding);
    let mantissas = 1_u32 << format.mantissa_bits;
    let is_asked = |code: &u32| {
        let (exponent, mantissa) = (code / mantissas, code % mantissas);
        mantissas < 256
            || [0, mantissas - 1].contains(&mantissa) && ![2, 3, 4].contains(&(exponent % 6))
    };
    for code in (0..format.max()).filter(is_asked) {
        let (x, next) = (value(code), value(code + 1));
        if x > 0.0 {
            reader.check_around(x, code, code, code);
        }
        reader.check_around(f64::midpoint(x, next), code, code + code % 2, code + 1);
    }
    // Numbers far below the least become 0, or the least number in a format without zero. Numbers out of range become
    // the greatest.
    let greatest = format.max();
    reader.check_around(value(greatest), greatest, greatest, greatest);
    reader.check_around(f64::MAX, greatest, greatest, greatest);
    for exponent in [60, 300, 307, 308, 309, 323, 324, 325, 400, 5000, 2_000_000_000] {
        assert_eq!(Reader::<F>::storage(&format!("9.9e-{exponent}")), 0);
        assert_eq!(Reader::<F>::storage(&format!("1.1e{exponent}")), greatest << format.padding);
    }
}

#[test]
fn numbers_near_a_midpoint_round_to_the_nearer_one() {
    every_number::<E2M1>();
    every_number::<E2M3>();
    every_number::<E3M2>();
    every_number::<E4M3>();
    every_number::<E5M2>();
    every_number::<Ue4m3>();
    every_number::<Ue8m0>();
    every_number::<Tf32>();
}

#[test]
fn zeros_are_zero_whatever_their_exponent() {
    for zero in [
        "0",
        "0.0",
        ".0",
        "0.",
        "000e5",
        "0e-7",
        "0.00E+99999999999999999999",
        "0e-200",
        "0e-99999999999999999999",
    ] {
        assert_eq!(zero.parse(), Ok(E4M3::ZERO), "{zero}");
        assert_eq!(format!("+{zero}").parse(), Ok(E4M3::ZERO), "{zero}");
        assert_eq!(format!("-{zero}").parse(), Ok(-E4M3::ZERO), "{zero}");
        assert_eq!(format!("-{zero}").parse(), Ok(Ue4m3::ZERO), "{zero}");
        assert_eq!(zero.parse(), Ok(Tf32::ZERO), "{zero}");
        assert_eq!(zero.parse(), Ok(Ue8m0::from_bits(0)), "{zero}");
    }
    for tiny in ["1e-99999999999999999999", "-1e-9223372036854775808", "0.1e-9223372036854775809"] {
        assert_eq!(tiny.parse().map(E5M2::abs), Ok(E5M2::ZERO), "{tiny}");
    }
    for huge in ["1e99999999999999999999", "0.01e9223372036854775807", "9e9223372036854775808"] {
        assert_eq!(huge.parse(), Ok(E5M2::MAX), "{huge}");
        assert_eq!(format!("-{huge}").parse(), Ok(E5M2::MIN), "{huge}");
    }
}

/// An infinity is the greatest number in a format without infinities, and a NaN is an error in a format without NaN.
#[test]
fn special_values_are_parsed_if_the_format_has_them() {
    for infinity in ["inf", "INF", "infinity", "Infinity", "+iNf"] {
        assert_eq!(infinity.parse(), Ok(E5M2::INFINITY));
        assert_eq!(infinity.parse(), Ok(Tf32::INFINITY));
        assert_eq!(infinity.parse(), Ok(E4M3::MAX));
        assert_eq!(infinity.parse(), Ok(E2M1::MAX));
        assert_eq!(infinity.parse(), Ok(Ue8m0::MAX));
        let negative = format!("-{}", infinity.trim_start_matches('+'));
        assert_eq!(negative.parse(), Ok(-E5M2::INFINITY));
        assert_eq!(negative.parse(), Ok(E3M2::MIN));
        assert_eq!(negative.parse(), Ok(Ue4m3::ZERO));
    }
    for nan in ["nan", "NaN", "-nan", "+NAN"] {
        assert_eq!(nan.parse(), Ok(E4M3::NAN));
        assert_eq!(nan.parse(), Ok(E5M2::NAN));
        assert_eq!(nan.parse(), Ok(Tf32::NAN));
        assert_eq!(nan.parse(), Ok(Ue8m0::NAN));
        let error = nan.parse::<E2M1>().expect_err("there is none");
        assert_eq!(error, "none".parse::<f64>().expect_err("it is not a number"));
        assert!(nan.parse::<E2M3>().is_err() && nan.parse::<E3M2>().is_err());
    }
    for text in
        ["", "-", ".", "e5", "1e", "1e+", "1.5x", " 1", "1_0", "0x10", "--1", "1.2.3", "infinit"]
    {
        assert!(text.parse::<E4M3>().is_err() && text.parse::<E2M1>().is_err(), "{text}");
    }
}

//! Launches: what the host decides, as far as that is given.

/// An example of a launch of a kernel, in which its threads are followed where its directives leave it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExampleLaunch<'a> {
    /// The number of threads of a block along each dimension; `None` if `.reqntid` declares it.
    pub block: Option<[u32; 3]>,
    /// The number of blocks of the grid along each dimension, if it is given.
    pub grid: Option<[u32; 3]>,
    /// The number of blocks of a cluster along each dimension, if it is given.
    pub cluster: Option<[u32; 3]>,
    /// The number of bytes of dynamic shared memory, if it is given.
    pub dynamic: Option<u32>,
    /// What is passed in parameters: the name of each, and what is passed.
    pub params: &'a [(&'a str, Passed)],
    /// The contents of buffers that the kernel only reads: the parameter that points to each, and its words of 32 bits.
    pub contents: &'a [(&'a str, &'a [u32])],
}

/// What is passed in a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// A number.
    Number(u64),
    /// The address of a buffer of this many bytes.
    Buffer(u64),
    /// The address of a buffer of this many elements of what the pointer points to.
    Elements(u64),
}

impl core::str::FromStr for Passed {
    type Err = core::num::ParseIntError;

    /// Reads a number, `64` or `0x40`, or `@` and the bytes of a buffer.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (digits, is_buffer) = match text.strip_prefix('@') {
            Some(digits) => (digits.trim_start(), true),
            None => (text, false),
        };
        let number = match digits.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16)?,
            None => digits.parse()?,
        };
        Ok(if is_buffer { Self::Buffer(number) } else { Self::Number(number) })
    }
}

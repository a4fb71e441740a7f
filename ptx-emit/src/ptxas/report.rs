use elf::endian::LittleEndian;
use elf::{ElfBytes, ParseError};

/// The resources that an assembled module uses, as ptxas reports them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Bytes of the module's variables in constant memory, from the cubin (newer releases of ptxas do not
    /// print them).
    pub const_bytes: usize,
    /// Bytes of the module's variables in global memory.
    pub global_bytes: usize,
    /// The resources of each kernel, in the order of the text.
    pub kernels: Vec<Resources>,
}

/// The resources of one kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resources {
    /// The kernel's name.
    pub name: String,
    /// Registers of a thread.
    pub registers: usize,
    /// Bytes of static shared memory, as ptxas counts them: if the kernel has dynamic shared memory too,
    /// rounded up to where that starts.
    pub shared_bytes: usize,
    /// Bytes of the stack of a thread.
    pub stack_bytes: usize,
    /// Bytes stored and loaded to spill registers.
    pub spill_bytes: (usize, usize),
}

impl Report {
    /// Reads the output of `ptxas -v`, and the sizes of the cubin's sections.
    pub(super) fn read(output: &str, cubin: &[u8]) -> Result<Self, ParseError> {
        let mut report = Self::from_log(output);
        let elf = ElfBytes::<LittleEndian>::minimal_parse(cubin)?;
        if let Some(section) = elf.section_header_by_name(".nv.constant3")? {
            report.const_bytes = usize::try_from(section.sh_size).unwrap_or(usize::MAX);
        }
        Ok(report)
    }

    /// Reads only the output of `ptxas -v`, or the information log of the driver: without the bytes
    /// of constant memory, which are in the cubin.
    pub fn from_log(output: &str) -> Self {
        let mut report = Self::default();
        for line in output.lines() {
            let Some((_, info)) = line.split_once("ptxas info") else {
                if let Some(kernel) = report.kernels.last_mut()
                    && line.contains("bytes stack frame")
                {
                    kernel.stack_bytes = before(line, " bytes stack frame");
                    kernel.spill_bytes =
                        (before(line, " bytes spill stores"), before(line, " bytes spill loads"));
                }
                continue;
            };
            if let Some((_, rest)) = info.split_once("Compiling entry function '") {
                let name = rest.split('\'').next().unwrap_or_default().to_owned();
                report.kernels.push(Resources { name, ..Resources::default() });
            } else if info.contains(" registers") {
                if let Some(kernel) = report.kernels.last_mut() {
                    kernel.registers = before(info, " registers");
                    kernel.shared_bytes = before(info, " bytes smem");
                }
            } else if info.contains(" bytes gmem") {
                report.global_bytes = before(info, " bytes gmem");
            }
        }
        // ptxas reports the last entry first.
        report.kernels.reverse();
        report
    }

    /// The resources of the kernel with this name.
    pub fn kernel(&self, name: &str) -> Option<&Resources> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }
}

/// The number before `unit`; 0 if there is none.
fn before(text: &str, unit: &str) -> usize {
    text.split_once(unit)
        .and_then(|(head, _)| head.rsplit([' ', ',']).next())
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

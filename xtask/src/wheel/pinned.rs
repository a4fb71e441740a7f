//! The pinned wheels, with the hash of each file.

use super::{Wheel, WheelFile};

/// The releases of ptxas that the tests use. The first is the one that the advice of
/// [`FindError`](ptx_emit::ptxas::FindError) names.
pub const WHEELS: [Wheel; 2] = [
    Wheel {
        project: ptx_emit::ptxas::WHEEL.0,
        version: ptx_emit::ptxas::WHEEL.1,
        program: "ptxas",
        files: &[
            WheelFile {
                os: "linux",
                arch: "x86_64",
                name: "nvidia_cuda_nvcc-13.0.88-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
                sha256: "56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03",
            },
            WheelFile {
                os: "linux",
                arch: "aarch64",
                name: "nvidia_cuda_nvcc-13.0.88-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl",
                sha256: "c7ff28f86a24effdc6c034fa15230c549a273e4771b10a7fec14996f8cf3307f",
            },
            WheelFile {
                os: "windows",
                arch: "x86_64",
                name: "nvidia_cuda_nvcc-13.0.88-py3-none-win_amd64.whl",
                sha256: "7c3a32c8ca9866addfd784da363ddee2f6874d560027a296f583e86a61f2d543",
            },
        ],
    },
    Wheel {
        project: "nvidia-cuda-nvcc-cu12",
        version: "12.9.86",
        program: "ptxas",
        files: &[
            WheelFile {
                os: "linux",
                arch: "x86_64",
                name: "nvidia_cuda_nvcc_cu12-12.9.86-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
                sha256: "5d6a0d32fdc7ea39917c20065614ae93add6f577d840233237ff08e9a38f58f0",
            },
            WheelFile {
                os: "linux",
                arch: "aarch64",
                name: "nvidia_cuda_nvcc_cu12-12.9.86-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl",
                sha256: "44e1eca4d08926193a558d2434b1bf83d57b4d5743e0c431c0c83d51da1df62b",
            },
            WheelFile {
                os: "windows",
                arch: "x86_64",
                name: "nvidia_cuda_nvcc_cu12-12.9.86-py3-none-win_amd64.whl",
                sha256: "8ed7f0b17dea662755395be029376db3b94fed5cbb17c2d35cc866c5b1b84099",
            },
        ],
    },
];

/// The newest release of ptxas, which only `cargo xtask differences` uses.
pub const NEWEST: Wheel = Wheel {
    project: "nvidia-cuda-nvcc",
    version: "13.5.37",
    program: "ptxas",
    files: &[
        WheelFile {
            os: "linux",
            arch: "x86_64",
            name: "nvidia_cuda_nvcc-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
            sha256: "f5c4f7ead5d964fb4af42bbf1e6d3ec3c1e6e9d83b53749f691d387e7fcaa3a7",
        },
        WheelFile {
            os: "linux",
            arch: "aarch64",
            name: "nvidia_cuda_nvcc-13.5.37-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl",
            sha256: "588eda18eb5076ae859fe272844b526459228af22df0b117f54eec3aa82bc9c8",
        },
        WheelFile {
            os: "windows",
            arch: "x86_64",
            name: "nvidia_cuda_nvcc-13.5.37-py3-none-win_amd64.whl",
            sha256: "2e33114ed3109eabfaa820cf8ddd534d0b98c47065f8390a56e6eaae04dcca31",
        },
    ],
};

/// The disassembler that the tests use.
pub const NVDISASM: Wheel = Wheel {
    project: "nvidia-cuda-nvdisasm",
    version: "13.5.37",
    program: "nvdisasm",
    files: &[
        WheelFile {
            os: "linux",
            arch: "x86_64",
            name: "nvidia_cuda_nvdisasm-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
            sha256: "d3fdbdd49fa53e2e4aacd3db8259d052bd2b049ececdcb69e92e083c6728e7ca",
        },
        WheelFile {
            os: "linux",
            arch: "aarch64",
            name: "nvidia_cuda_nvdisasm-13.5.37-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl",
            sha256: "a3a8248074edb9fba63b74c38a5416b712a91ab09e70b8ab37186c3d293fc605",
        },
        WheelFile {
            os: "windows",
            arch: "x86_64",
            name: "nvidia_cuda_nvdisasm-13.5.37-py3-none-win_amd64.whl",
            sha256: "aa42a3ecda8c58ff6ff2f9cbe1fc905d7f797a1ca4071941349fda114bf2a628",
        },
    ],
};

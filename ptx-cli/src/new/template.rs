//! The files of a project.

use ptx_emit::ptxas::FindError;

use crate::arguments::Template;

/// What the templates have in common: the path in a project, and the text.
const COMMON: &[(&str, &str)] = &[
    (".github/workflows/ci.yml", include_str!("../../templates/common/ci.yml")),
    (".gitignore", include_str!("../../templates/common/gitignore")),
    (".vscode/extensions.json", include_str!("../../templates/common/extensions.json")),
    (".vscode/settings.json", include_str!("../../templates/common/settings.json")),
    ("Cargo.toml", include_str!("../../templates/common/manifest.toml")),
    ("README.md", include_str!("../../templates/common/README.md")),
    ("src/main.rs", include_str!("../../templates/common/main.rs")),
];

/// What a template consists of.
struct Parts {
    /// A sentence about the project.
    about: &'static str,
    /// What a launch needs.
    needs: &'static str,
    /// Files beside those that all have.
    files: &'static [(&'static str, &'static str)],
}

impl Template {
    const fn parts(self) -> Parts {
        match self {
            Self::Kernel => Parts {
                about: "Multiplies numbers on a GPU, by a kernel in PTX.",
                needs: "a GPU of compute capability 8.0 or newer",
                files: &[
                    ("src/kernels.rs", include_str!("../../templates/kernel/kernels.rs")),
                    ("src/run.rs", include_str!("../../templates/kernel/run.rs")),
                ],
            },
            Self::TensorMap => Parts {
                about: "Negates a matrix on a GPU, tile by tile, through tensor maps.",
                needs: "a GPU of compute capability 9.0 or newer",
                files: &[
                    ("src/kernels.rs", include_str!("../../templates/tensor-map/kernels.rs")),
                    ("src/run.rs", include_str!("../../templates/tensor-map/run.rs")),
                ],
            },
            Self::Imported => Parts {
                about: "Launches a kernel that nvcc compiled to PTX.",
                needs: "a GPU of compute capability 8.0 or newer",
                files: &[
                    ("kernels/saxpy.ptx", include_str!("../../templates/imported/saxpy.ptx")),
                    ("src/kernels.rs", include_str!("../../templates/imported/kernels.rs")),
                    ("src/run.rs", include_str!("../../templates/imported/run.rs")),
                ],
            },
            Self::Floats => Parts {
                about: "Quantises numbers to 8-bit floats on a GPU, and on the CPU with the same types.",
                needs: "a GPU of compute capability 8.9 or newer",
                files: &[
                    ("src/kernels.rs", include_str!("../../templates/floats/kernels.rs")),
                    ("src/run.rs", include_str!("../../templates/floats/run.rs")),
                ],
            },
        }
    }

    /// A sentence about the project.
    pub(super) const fn about(self) -> &'static str {
        self.parts().about
    }

    /// The files of a project with this name, which takes `ptx` from this source, as a part of an inline table in TOML: the
    /// path and the text of each, in the order of the paths.
    pub(super) fn files(self, name: &str, source: &str) -> Vec<(&'static str, String)> {
        let Parts { about, needs, files } = self.parts();
        let get_ptxas = FindError::how_to_get_it();
        let get_ptxas = get_ptxas.lines().skip(1).map(str::trim).collect::<Vec<_>>();
        let values = [
            ("{{name}}", name),
            ("{{source}}", source),
            ("{{rust}}", env!("CARGO_PKG_RUST_VERSION")),
            ("{{about}}", about),
            ("{{needs}}", needs),
            ("{{get-ptxas}}", &get_ptxas.join("\n          ")),
        ];
        let filled = |text: &str| {
            values.iter().fold(text.to_owned(), |text, (key, value)| text.replace(key, value))
        };
        let files = COMMON.iter().chain(files);
        let mut files: Vec<_> = files.map(|(path, text)| (*path, filled(text))).collect();
        files.sort_by_key(|(path, _)| *path);
        files
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_placeholder_is_filled() {
        for template in Template::value_variants() {
            for (path, text) in template.files("blur", "version = \"0.1\"") {
                assert!(!text.contains("{{"), "{path}: {text}");
            }
        }
    }

    #[test]
    fn the_workflow_gets_ptxas_as_the_library_says() {
        let files = Template::Kernel.files("blur", "");
        let (_, text) = files.iter().find(|(path, _)| path.ends_with("ci.yml")).expect("it");
        assert!(text.contains("          python3 -m pip download "), "{text}");
        assert!(text.contains("chmod +x target/ptxas/"), "{text}");
    }
}

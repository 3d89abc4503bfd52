//! What is in a linked program: its symbols and its instructions, as binutils tell them.

use anyhow::{Context as _, Result, bail, ensure};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Functions of libm that compiler-builtins brings along under their C names.
const LIBM: &[&str] = &[
    "sqrt",
    "sqrtf",
    "fma",
    "fmaf",
    "fmin",
    "fminf",
    "fmax",
    "fmaxf",
    "fmod",
    "fmodf",
    "floor",
    "floorf",
    "ceil",
    "ceilf",
    "trunc",
    "truncf",
    "round",
    "roundf",
    "rint",
    "rintf",
    "roundeven",
    "roundevenf",
    "fabs",
    "fabsf",
    "copysign",
    "copysignf",
    "pow",
    "powf",
    "exp",
    "expf",
    "exp2",
    "exp2f",
    "log",
    "logf",
    "log2",
    "log2f",
    "log10",
    "log10f",
    "sin",
    "sinf",
    "cos",
    "cosf",
    "tan",
    "tanf",
    "atan2",
    "atan2f",
    "hypot",
    "hypotf",
    "cbrt",
    "cbrtf",
];

/// A symbol of a program.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name, without a version.
    pub name: String,
    /// Whether the program has it itself.
    pub defined: bool,
    /// Whether it is a function.
    pub function: bool,
}

impl Symbol {
    /// Whether it is a function of libm, by its own name or by that of a crate that has one.
    pub fn is_libm(&self) -> bool {
        let function = self.function || !self.defined;
        function
            && (LIBM.contains(&self.name.as_str())
                || ["libm", "micromath"].iter().any(|part| self.name.contains(part)))
    }
}

/// All named symbols of a program of any machine, by readelf.
///
/// # Errors
/// No readelf, or a file that is no program.
pub fn symbols(program: &Path) -> Result<Vec<Symbol>> {
    let text = output(Command::new("readelf").arg("-sW").arg(program))?;
    let mut symbols = Vec::new();
    for line in text.lines() {
        // Num: Value Size Type Bind Vis Ndx Name[@version] [(n)]
        let columns: Vec<&str> = line.split_whitespace().collect();
        if let [number, _, _, kind, _, _, section, name, ..] = columns[..]
            && number.ends_with(':')
            && number != "Num:"
        {
            let name = name.split('@').next().unwrap_or(name).to_owned();
            symbols.push(Symbol { name, defined: section != "UND", function: kind == "FUNC" });
        }
    }
    ensure!(!symbols.is_empty(), "readelf shows no symbols in {}", program.display());
    Ok(symbols)
}

/// The instructions of a program, by an objdump of its machine.
///
/// # Errors
/// No such objdump, or a file that is no program of its machine.
pub fn disassembly(objdump: &str, program: &Path) -> Result<String> {
    output(Command::new(objdump).args(["-d", "--no-show-raw-insn"]).arg(program))
}

/// The functions of a disassembly that multiply and add with one rounding.
pub fn fused(text: &str) -> BTreeSet<String> {
    // x86: vfmadd, vfmsub, vfnmadd, vfnmsub; Arm: fmadd, fmla, fmls, vfma …; RISC-V: fmadd.s …; s390x: maebr, msebr.
    const PARTS: &[&str] =
        &["fmadd", "fmsub", "fnmadd", "fnmsub", "fmla", "fmls", "vfma", "vfms", "maebr", "msebr"];
    let mut current = "";
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            current = name.1;
        } else if let Some(instruction) =
            line.split_once(":\t").and_then(|(_, rest)| rest.split_whitespace().next())
            && PARTS.iter().any(|part| instruction.contains(part))
        {
            found.insert(demangled(current));
        }
    }
    found
}

/// A symbol as a person writes it.
pub fn demangled(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

/// What a command prints.
///
/// # Errors
/// A command that cannot be run, fails, or prints something else than text.
pub fn output(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_owned();
    let output = command.output().with_context(|| format!("running {}", program.display()))?;
    if !output.status.success() {
        bail!("{} failed:\n{}", program.display(), String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).context("its output is not text")
}

/// Cargo's target directory, from the running test or measurement in it.
///
/// # Errors
/// A program that runs elsewhere.
pub fn target_directory() -> Result<PathBuf> {
    let program = std::env::current_exe().context("finding the running program")?;
    let mut above = program.ancestors();
    let found =
        above.find(|path| path.join("CACHEDIR.TAG").exists() || path.join(".rustc_info.json").exists());
    found.map(Path::to_path_buf).with_context(|| format!("{} is in no target directory", program.display()))
}

#[cfg(test)]
mod tests {
    use super::fused;

    #[test]
    fn fused_instructions_are_seen() {
        let text = "0000000000001180 <plain>:\n    1180:\tvmulss %xmm1,%xmm0,%xmm0\n    1184:\tcall   1200 <fmadd>\n\n\
                    0000000000001200 <fused>:\n    1200:\tvfmadd213ss %xmm2,%xmm1,%xmm0\n    1205:\tret\n";
        assert_eq!(fused(text).into_iter().collect::<Vec<_>>(), ["fused"]);
    }
}

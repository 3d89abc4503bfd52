//! `no-panic`: links everything core does at run time with a C program, and reads what is in it.
//!
//! The fixture `tests/no_panic` has a panic handler that calls a function which exists nowhere, so a program links
//! only if no panic is reachable. The linked program is then searched for symbols of libm, of an allocator and
//! of anything else it should not need, and for fused multiply-adds, and run: its last fingerprint is compared with that of the same job
//! in this process.

use crate::narrow::to_u32;
use crate::object::{Symbol, demangled, disassembly, fused, output, symbols, target_directory};
use crate::workload::Workload;
use crate::workload::scenes::workspace;
use anyhow::{Context as _, Result, ensure};
use cloth_no_panic::{Job, cloth_everything};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// What the C program is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Core as it is.
    Core,
    /// Core for processors with fused multiply-add, where nothing may be fused all the same (x86-64-v3; on other
    /// machines the same as `Core`).
    WithFma,
    /// Core, and a panic put in on purpose: the search has to find it.
    PlantedPanic,
}

/// What was found in the program.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Functions of ours out of which a panic can be reached; none if the program links.
    pub panicking: BTreeSet<String>,
    /// Symbols the program should not need: of libm, of an allocator, of anything but C's memory functions.
    pub foreign: BTreeSet<String>,
    /// Functions with a fused multiply-add in them.
    pub fused: BTreeSet<String>,
    /// How many functions the program is made of.
    pub functions: usize,
    /// The program, if it links.
    pub program: Option<PathBuf>,
}

/// The undefined function the fixture's panic handler calls.
pub(crate) const HOOK: &str = "cloth_panic_is_reachable";

/// What a program may take from C: what compiled Rust needs, what `main.c` calls, what every program starts with.
const ALLOWED: &[&str] = &[
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "bcmp", //
    "fopen",
    "fread",
    "fclose",
    "printf",
    "fprintf",
    "perror",
    "strtoul",
    "stderr", //
    "__libc_start_main",
    "__gmon_start__",
    "__cxa_finalize",
    "_ITM_deregisterTMCloneTable",
    "_ITM_registerTMCloneTable",
];

/// Parts of names of what must not be in the program itself.
const BANNED_PARTS: &[&str] =
    &["9panicking", "libm", "micromath", "__rust_alloc", "__rust_realloc", "__rdl_", "5alloc"];

/// Builds, links and searches the program.
///
/// # Errors
/// A compiler, linker or binutils that is missing or fails for another reason than a reachable panic.
pub fn search(source: Source) -> Result<Found> {
    let archive = build(source)?;
    let program = archive.with_file_name("no_panic");
    let linked = link(&archive, &program, &[])?;
    if !linked.status.success() {
        let message = String::from_utf8_lossy(&linked.stderr).into_owned();
        ensure!(message.contains(HOOK), "linking failed for another reason:\n{message}");
        // Once more with the missing function at address 0, to see who gets there.
        let traced = archive.with_file_name("panics");
        let forced = link(&archive, &traced, &[&format!("-Wl,--defsym={HOOK}=0")])?;
        ensure!(forced.status.success(), "linking failed:\n{}", String::from_utf8_lossy(&forced.stderr));
        let panicking = callers(&traced, "rust_begin_unwind")?;
        ensure!(
            !panicking.is_empty(),
            "a panic is reachable, and the program does not show from where:\n{message}"
        );
        return Ok(Found { panicking, ..Found::default() });
    }
    let symbols = symbols(&program)?;
    Ok(Found {
        panicking: BTreeSet::new(),
        fused: fused(&disassembly("objdump", &program)?),
        foreign: symbols.iter().filter(|s| is_foreign(s)).map(|s| demangled(&s.name)).collect(),
        functions: symbols.iter().filter(|s| s.defined && s.function).count(),
        program: Some(program),
    })
}

/// The fingerprint after `steps` steps of a workload's model, by the C program and by this process.
///
/// # Errors
/// A program that cannot be run or answers with something else than a fingerprint.
pub fn run(program: &Path, workload: &Workload, fabric: u32, steps: u32) -> Result<(u64, u64)> {
    let model = workload.model();
    let mut file = vec![0; model.byte_len()];
    model.save(&mut file).context("writing the model")?;
    let path = program.with_extension("model");
    std::fs::write(&path, &file).with_context(|| format!("writing {}", path.display()))?;
    let vertex = to_u32(model.source_count() as usize / 2);

    let arguments = [vertex, fabric, steps].map(|number| number.to_string());
    let answer = output(Command::new(program).arg(&path).args(arguments))?;
    let there =
        u64::from_str_radix(answer.trim(), 16).with_context(|| format!("not a fingerprint: {answer}"))?;

    let mut memory = vec![cloth_core::Block::default(); 1 << 18];
    let mut copy = vec![0; file.len()];
    let job = Job {
        file: file.as_ptr(),
        file_length: file.len(),
        memory: memory.as_mut_ptr(),
        memory_length: memory.len(),
        copy: copy.as_mut_ptr(),
        copy_length: copy.len(),
        vertex,
        fabric,
        dt: 1.0 / 60.0,
        steps,
    };
    // SAFETY: pointers and lengths of vectors that live until the end of this function.
    let here = unsafe { cloth_everything(&job) };
    Ok((there, here))
}

/// The fixture as a static library.
fn build(source: Source) -> Result<PathBuf> {
    // A directory of their own: cargo may be waiting for this very test with the usual one locked. Two of them share core, and
    // take turns until each has its library out of the way.
    static TURN: Mutex<()> = Mutex::new(());
    let (name, place, features): (_, _, &[&str]) = match source {
        Source::Core => ("core", "no_panic", &[]),
        Source::WithFma => ("fma", "no_panic_fma", &[]),
        Source::PlantedPanic => ("planted", "no_panic", &["--features", "planted"]),
    };
    let target = target_directory()?.join(place);
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace());
    command.args(["rustc", "--quiet", "--profile", "standalone", "-p", "cloth-no-panic"]);
    command.args(["--crate-type", "staticlib"]).args(features).arg("--target-dir").arg(&target);
    if source == Source::WithFma && cfg!(target_arch = "x86_64") {
        command.env("RUSTFLAGS", "-Ctarget-cpu=x86-64-v3");
    }
    output(&mut command).context("building tests/no_panic")?;
    let own = target.join(name);
    std::fs::create_dir_all(&own).with_context(|| format!("making {}", own.display()))?;
    let archive = own.join("libcloth_no_panic.a");
    std::fs::copy(target.join("standalone/libcloth_no_panic.a"), &archive).context("copying the library")?;
    Ok(archive)
}

fn link(archive: &Path, program: &Path, more: &[&str]) -> Result<Output> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-O2", "-Wall", "-Wextra", "-Werror", "-Wl,--gc-sections"]).args(more);
    command.arg(workspace().join("tests/no_panic/main.c")).arg(archive).arg("-o").arg(program);
    command.output().context("running the C compiler")
}

/// Whether a symbol is one the program should not need.
pub(crate) fn is_foreign(symbol: &Symbol) -> bool {
    if symbol.defined {
        // main.c has no function with such a name, and data is nobody's call.
        symbol.function && (symbol.is_libm() || BANNED_PARTS.iter().any(|part| symbol.name.contains(part)))
    } else {
        !ALLOWED.contains(&symbol.name.as_str())
    }
}

/// The functions of ours that lead to `target`, through whatever functions of Rust's core lie between.
pub(crate) fn callers(program: &Path, target: &str) -> Result<BTreeSet<String>> {
    let text = disassembly("objdump", program)?;
    // For every function, who mentions it.
    let mut mentions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut current = "";
    for line in text.lines() {
        let Some(name) = line.split_once('<').and_then(|(_, rest)| rest.split(['>', '+']).next()) else {
            continue;
        };
        if line.ends_with(">:") {
            current = name;
        } else if name != current {
            mentions.entry(name).or_default().insert(current);
        }
    }
    let mut reached: Vec<&str> = mentions.keys().copied().filter(|name| name.contains(target)).collect();
    let mut seen: BTreeSet<&str> = reached.iter().copied().collect();
    let mut ours = BTreeSet::new();
    while let Some(name) = reached.pop() {
        for &caller in mentions.get(name).into_iter().flatten() {
            if caller.contains("cloth") {
                ours.insert(demangled(caller));
            } else if seen.insert(caller) {
                reached.push(caller);
            }
        }
    }
    Ok(ours)
}

#[cfg(test)]
mod tests {
    use super::{Symbol, is_foreign};

    #[test]
    fn foreign_symbols_are_told_apart() {
        let foreign =
            |name: &str, defined| is_foreign(&Symbol { name: name.into(), defined, function: true });
        for name in ["malloc", "free", "sqrtf", "pthread_create", "cloth_panic_is_reachable"] {
            assert!(foreign(name, false), "{name} came in from outside");
        }
        for name in
            ["sqrtf", "fmaf", "__rust_alloc", "_ZN4libm4math5sqrtf17h0E", "_ZN5alloc7raw_vec6finish17h0E"]
        {
            assert!(foreign(name, true), "{name} is in the program");
        }
        for (name, defined) in [("memcpy", false), ("main", true), ("_ZN10cloth_core4step4step17h0E", true)] {
            assert!(!foreign(name, defined), "{name} may be there");
        }
    }
}

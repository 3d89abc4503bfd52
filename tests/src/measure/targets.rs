//! `targets`, `rope-m4f`, `no-fma`, `no-libm`: what core is on other machines.
//!
//! `.ci/targets` knows how to build and run for each; here it is asked for those whose tools are installed.

use super::{Measurement, Out, Table, Verdict};
use crate::no_panic::{self, Source};
use crate::object::{disassembly, fused, output, symbols, target_directory};
use crate::workload::scenes::workspace;
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The goldens on other machines.
pub const TARGETS: Measurement = Measurement {
    name: "targets",
    about: "every frame of every golden on x86-64 (release, dev, v3; 1, 4, 8 lanes), AArch64, ARMv7, RISC-V, POWER, s390x (big-endian), i686, a bare Cortex-M4F and WebAssembly with and without SIMD, by QEMU and Node",
    bar: "fingerprints of all goldens, every recorded frame: identical on all ten",
    uses_clock: false,
    run: targets,
};

/// A rope on a microcontroller.
pub const ROPE_M4F: Measurement = Measurement {
    name: "rope-m4f",
    about: "embedded/: a 40-link rope over a ball, and a 12×12 flag, 120 frames on a bare Cortex-M4F; instructions by QEMU's count",
    bar: "40-link rope: ≤ 64 KiB RAM all in; instructions per step and stack high-water printed; the host's bits",
    uses_clock: false,
    run: rope,
};

/// Fused multiply-adds.
pub const NO_FMA: Measurement = Measurement {
    name: "no-fma",
    about: "core linked with C for x86-64-v3, and the C library for AArch64, where the processor could fuse: instructions read",
    bar: "no fused instruction; the search finds a planted one",
    uses_clock: false,
    run: no_fma,
};

/// Functions of libm.
pub const NO_LIBM: Measurement = Measurement {
    name: "no-libm",
    about: "core linked for x86-64, the C library for AArch64 and the Cortex-M4F: symbols read",
    bar: "no symbol of libm; the search finds a planted one",
    uses_clock: false,
    run: no_libm,
};

/// What `.ci/targets` says about some targets; those that need something installed are left out by it.
pub(super) fn ask(names: &[&str]) -> Result<String> {
    let script = workspace().join(".ci/targets");
    let mut command = Command::new("bash");
    command.arg(&script).arg("--installed").args(names).env("CARGO_TARGET_DIR", target_directory()?);
    let answer = command.output().with_context(|| format!("running {}", script.display()))?;
    let text = String::from_utf8(answer.stdout).context("not text")?;
    // It fails where a target does, and says so; what has no summary has failed otherwise.
    ensure!(text.contains("==== targets"), "{}", String::from_utf8_lossy(&answer.stderr));
    Ok(text)
}

/// The lines of the summary: a target, and what became of it.
pub(super) fn summary(text: &str) -> Vec<(&str, Outcome)> {
    let lines = text.split("==== targets").nth(1).unwrap_or("").lines();
    let outcome = |line: &'_ str| -> Option<(usize, Outcome)> {
        let mut words = line.split_whitespace();
        let name = words.next()?.len();
        Some(match words.next()? {
            "same" => {
                let frames = words.next()?.parse().ok()?;
                (name, Outcome::Same { frames, bytes: words.nth(1)?.parse().ok() })
            }
            "absent" => (name, Outcome::Absent(words.collect::<Vec<_>>().join(" "))),
            "FAILED" => (name, Outcome::Failed),
            _ => return None,
        })
    };
    lines.filter_map(|line| outcome(line).map(|(end, what)| (&line[..end], what))).collect()
}

/// What became of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// As many frames were the same; the C library has as many bytes.
    Same { frames: u32, bytes: Option<u32> },
    /// It was not run: what would have to be done first.
    Absent(String),
    /// It failed, or a frame differs.
    Failed,
}

/// The targets that run goldens.
pub(super) fn names() -> Result<Vec<String>> {
    let listed = output(Command::new("bash").arg(workspace().join(".ci/targets")).arg("--list"))?;
    let runs_goldens = |name: &&str| !["embedded", "host-aarch64"].contains(name);
    Ok(listed.lines().filter(runs_goldens).map(str::to_owned).collect())
}

fn targets(out: &mut Out) -> Result<Verdict> {
    let names = names()?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = ask(&names)?;
    let told = summary(&text);
    let mut table = Table::new(["target", "frames the same, all lanes together"]);
    let mut verdict = Verdict::new();
    for name in &names {
        let (_, outcome) =
            told.iter().find(|(told, _)| told == name).with_context(|| format!("nothing about {name}"))?;
        let cell = match outcome {
            Outcome::Same { frames, .. } => {
                verdict.check(*name, *frames > 0);
                frames.to_string()
            }
            Outcome::Absent(remedy) => {
                verdict.unmeasured(format!("{name} (first {remedy})"));
                "not run".into()
            }
            Outcome::Failed => {
                verdict.check(format!("{name} differs or fails"), false);
                let lines = text.lines().filter(|line| line.starts_with(&format!("{name}: ")));
                lines.filter(|line| !line.contains(": same,")).for_each(|line| out.line(line));
                "differs or fails".into()
            }
        };
        table.row([(*name).to_owned(), cell]);
    }
    out.table(&table);
    Ok(verdict)
}

fn rope(out: &mut Out) -> Result<Verdict> {
    let text = ask(&["embedded"])?;
    let mut verdict = Verdict::new();
    if let Some((_, Outcome::Absent(remedy))) = summary(&text).first() {
        verdict.unmeasured(format!("a Cortex-M4F (first {remedy})"));
        return Ok(verdict);
    }
    let value = |cloth: &str, what: &str| -> Option<&str> {
        let head = format!("embedded: {cloth}: {what} ");
        text.lines().find_map(|line| line.strip_prefix(&head))
    };
    let number = |cloth: &str, what: &str| -> Result<u32> {
        let text = value(cloth, what).with_context(|| format!("{cloth} says nothing of {what}:\n{text}"))?;
        text.parse().with_context(|| format!("{cloth}: {what}"))
    };
    const ROWS: [(&str, &str); 8] = [
        ("model-flash", "model, in flash (bytes)"),
        ("program-flash", "program, in flash (bytes)"),
        ("state-ram", "state, in RAM (bytes)"),
        ("other-ram", "other static variables (bytes)"),
        ("stack", "stack, most that was used (bytes)"),
        ("ram", "RAM, all in (bytes)"),
        ("instructions", "instructions a step, on average"),
        ("most-instructions", "instructions a step, at most"),
    ];
    let mut table = Table::new(["on a Cortex-M4F", "rope", "flag"]);
    for (what, title) in ROWS {
        table.row([title.to_owned(), number("rope", what)?.to_string(), number("flag", what)?.to_string()]);
    }
    out.table(&table);
    let ram = number("rope", "ram")?;
    verdict.check(format!("rope: {ram} bytes of RAM"), ram <= 64 * 1024);
    verdict.tell(format!("{} of them stack", number("rope", "stack")?));
    verdict.tell(format!("{} instructions a step", number("rope", "instructions")?));
    for cloth in ["rope", "flag"] {
        let same = value(cloth, "fingerprint").is_some_and(|text| text.ends_with(" same"));
        verdict.check(
            format!("{cloth}: {}", if same { "the host's bits" } else { "other bits than the host's" }),
            same,
        );
    }
    Ok(verdict)
}

/// A file that `.ci/targets` has built for a target.
pub(super) fn built(name: &str, file: &str) -> Result<PathBuf> {
    Ok(target_directory()?.join("targets").join(name).join(file))
}

/// The whole C library as `.ci/targets` has linked it for a target, without C's own.
fn whole(name: &str) -> Result<PathBuf> {
    built(name, "whole")
}

/// A C program with `body` in it, as a compiler makes it.
fn planted(compiler: &[&str], body: &str, folder: &Path) -> Result<PathBuf> {
    let (source, program) = (folder.join("planted.c"), folder.join("planted"));
    std::fs::create_dir_all(folder)?;
    std::fs::write(&source, format!("{body}\nint main(void) {{ return 0; }}\n"))?;
    let mut command = Command::new(compiler[0]);
    output(command.args(&compiler[1..]).args(["-O2", "-o"]).arg(&program).arg(&source).arg("-lm"))?;
    Ok(program)
}

/// A multiply-add that a compiler for such processors fuses.
const FUSED: &str = "float plant(float a, float b, float c) { return __builtin_fmaf(a, b, c); }";
/// A call to libm.
const LIBM: &str = "float sinf(float); float plant(float a) { return sinf(a); }";

fn no_fma(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut note = |out: &mut Out, name: &str, found: &std::collections::BTreeSet<String>, seen: usize| {
        found.iter().for_each(|function| out.line(format!("{name}: fused in {function}")));
        verdict
            .check(format!("{name}: {} functions with a fused instruction", found.len()), found.is_empty());
        verdict.check(format!("{seen} in a planted one"), seen == 1);
    };
    let folder = target_directory()?.join("planted");
    if cfg!(target_arch = "x86_64") {
        let found = no_panic::search(Source::WithFma)?;
        ensure!(found.program.is_some(), "a panic is reachable: see `measure no-panic`");
        let plant = planted(&["cc", "-mfma"], FUSED, &folder)?;
        note(out, "x86-64-v3", &found.fused, fused(&disassembly("objdump", &plant)?).len());
    }
    let text = ask(&["aarch64"])?;
    match summary(&text).first() {
        Some((_, Outcome::Absent(remedy))) => verdict.unmeasured(format!("AArch64 (first {remedy})")),
        _ => {
            let objdump = "aarch64-linux-gnu-objdump";
            let plant = planted(&["aarch64-linux-gnu-gcc"], FUSED, &folder)?;
            let found = fused(&disassembly(objdump, &whole("aarch64")?)?);
            note(out, "AArch64", &found, fused(&disassembly(objdump, &plant)?).len());
        }
    }
    Ok(verdict)
}

fn no_libm(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let libm = |program: &Path| -> Result<Vec<String>> {
        Ok(symbols(program)?
            .into_iter()
            .filter(|symbol| symbol.is_libm())
            .map(|symbol| symbol.name)
            .collect())
    };
    let mut note = |out: &mut Out, name: &str, found: Vec<String>| {
        found.iter().for_each(|symbol| out.line(format!("{name}: {symbol}")));
        verdict.check(format!("{name}: {} symbols of libm", found.len()), found.is_empty());
    };
    let host = no_panic::search(Source::Core)?;
    note(out, "host", libm(&host.program.context("a panic is reachable: see `measure no-panic`")?)?);
    let text = ask(&["aarch64", "cortex-m4f"])?;
    let mut absent = Vec::new();
    for (name, outcome) in summary(&text) {
        match outcome {
            Outcome::Absent(remedy) => absent.push(format!("{name} (first {remedy})")),
            _ if name == "aarch64" => note(out, "AArch64", libm(&whole(name)?)?),
            _ => note(out, "Cortex-M4F", libm(&whole(name)?)?),
        }
    }
    absent.iter().for_each(|what| verdict.unmeasured(what));
    let plant = planted(&["cc", "-fno-builtin"], LIBM, &target_directory()?.join("planted"))?;
    let seen = libm(&plant)?;
    verdict.check(format!("planted: {}", seen.join(", ")), !seen.is_empty());
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::{Outcome, summary};

    #[test]
    fn a_summary_is_read() {
        let text = "x86-64: sheet.replay: same, 120 frames, 00, 8 lanes\n\n==== targets\n\
                    x86-64         same       3900 frames  270000 bytes    9 s\nx86-64-debug   same       3900 frames       - bytes    9 s\naarch64        absent   apt-get install a b\n\
                    s390x          FAILED   see x.log\nafter 3 s\n";
        let absent = Outcome::Absent("apt-get install a b".into());
        let same = |bytes| Outcome::Same { frames: 3900, bytes };
        let expected = [
            ("x86-64", same(Some(270_000))),
            ("x86-64-debug", same(None)),
            ("aarch64", absent),
            ("s390x", Outcome::Failed),
        ];
        assert_eq!(summary(text), expected);
        assert_eq!(summary("nothing"), []);
    }
}

//! `host-targets`: a world on another machine.

use super::targets::{Outcome, ask, built, summary};
use super::{Measurement, Out, Table, Verdict};
use crate::object::{disassembly, fused, symbols};
use anyhow::{Context as _, Result};

/// A world, recorded here and played there, and the other way round.
pub const HOST_TARGETS: Measurement = Measurement {
    name: "host-targets",
    about: "ropes on ropes and a flag on them, a cape on a walker two kilometres away who jumps and rides, three capsules, a floor, a box and a ball, gusts, a volume of air with bodies in it, a zone of eddies, cloths and colliders \
            that come and go, events, a cloth made anew: 240 ticks of a world recorded here, played by a `std` program on AArch64 by QEMU, and recorded \
            there; and two recordings with something planted at tick 60",
    bar: "one host replay (nested cloths, colliders, gusts, a volume of air) as a `std` binary on AArch64 under QEMU: same fingerprints",
    uses_clock: false,
    run,
};

/// The part of `.ci/targets` that runs it.
const NAME: &str = "host-aarch64";

fn run(out: &mut Out) -> Result<Verdict> {
    let text = ask(&[NAME])?;
    let mut verdict = Verdict::new();
    match summary(&text).first() {
        Some((_, Outcome::Absent(remedy))) => {
            verdict.unmeasured(format!("AArch64 (first {remedy})"));
            return Ok(verdict);
        }
        Some((_, Outcome::Same { .. })) => {}
        _ => {
            text.lines().filter(|line| line.starts_with(NAME)).for_each(|line| out.line(line));
            verdict.check("differs or fails", false);
        }
    }
    let said = |file: &str| -> Result<&str> {
        let head = format!("{NAME}: {file}: ");
        text.lines()
            .find_map(|line| line.strip_prefix(&head))
            .with_context(|| format!("nothing about {file}:\n{text}"))
    };
    let files = ["world.replay", "bit.replay", "input.replay"];
    let mut table = Table::new(["recorded here, played there", "ticks", "cloths", "fingerprints", "differ"]);
    for file in files {
        let found =
            Found::read(said(file)?).with_context(|| format!("{file}: {}", said(file).unwrap_or("")))?;
        let numbers = [found.ticks, found.cloths, found.fingerprints, found.differing];
        table.row([file.to_owned()].into_iter().chain(numbers.map(|number| number.to_string())));
        if file == "world.replay" {
            verdict.tell(format!("{} ticks", found.ticks));
            verdict.tell(format!("{} cloths", found.cloths));
            let compared = found.fingerprints;
            verdict
                .check(format!("{compared} fingerprints, {} differ", found.differing), found.differing == 0);
        } else {
            let what = found.first.unwrap_or("nothing found");
            let at = format!("tick {} differs", cloth_host_replay::script::PLANTED_AT);
            out.line(format!("{file}: {what}"));
            verdict.check(format!("planted in {file}: {what}"), found.differing > 0 && what.starts_with(&at));
        }
    }
    let back = said("recorded there")?;
    verdict.check(format!("recorded there: {back}"), back.ends_with(", all as here"));
    // Equal bits of one script do not show what another might call. The compiler's own library brings copysign along, which moves a bit
    // and rounds nothing.
    let program = built(NAME, "host-replay")?;
    let rounds = |name: &str| !["copysign", "copysignf"].contains(&name);
    let libm = symbols(&program)?.into_iter().filter(|symbol| symbol.is_libm() && rounds(&symbol.name));
    let libm: Vec<String> = libm.map(|symbol| symbol.name).collect();
    libm.iter().for_each(|name| out.line(format!("of libm: {name}")));
    verdict.check(format!("{} symbols of libm that round in it", libm.len()), libm.is_empty());
    let fused = fused(&disassembly("aarch64-linux-gnu-objdump", &program)?).len();
    verdict.check(format!("{fused} functions with a fused instruction"), fused == 0);
    out.line("");
    out.table(&table);
    Ok(verdict)
}

/// What the program says of a file.
struct Found<'t> {
    ticks: u32,
    cloths: u32,
    fingerprints: u32,
    differing: u32,
    first: Option<&'t str>,
}

impl<'t> Found<'t> {
    /// Reads what `cloth_host_replay::Compared` writes.
    fn read(line: &'t str) -> Option<Self> {
        let (counts, first) = match line.split_once(": ") {
            Some((counts, first)) => (counts, Some(first)),
            None => (line, None),
        };
        let mut numbers = counts.split(", ").skip(1).map(|part| part.split(' ').next()?.parse::<u32>().ok());
        let mut next = || numbers.next().flatten();
        Some(Self { ticks: next()?, cloths: next()?, fingerprints: next()?, differing: next()?, first })
    }
}

#[cfg(test)]
mod tests {
    use super::Found;
    use cloth_host_replay::Compared;

    #[test]
    fn what_the_program_says_is_read() {
        let mut said = Compared { ticks: 240, cloths: 6, fingerprints: 11_208, differing: 0, first: None };
        let line = said.to_string();
        let found = Found::read(&line).unwrap();
        assert_eq!((found.ticks, found.cloths, found.fingerprints, found.differing), (240, 6, 11_208, 0));
        assert_eq!(found.first, None);
        said.differing = 7;
        said.first = Some((60, "tick 60 differs from the recording: the colliders".into()));
        let line = said.to_string();
        let found = Found::read(&line).unwrap();
        assert_eq!(
            (found.differing, found.first),
            (7, Some("tick 60 differs from the recording: the colliders"))
        );
        assert!(Found::read("nothing").is_none());
    }
}

//! Core without `std`, linked with C: nothing panics, nothing foreign is in it, and it computes the same.

use anyhow::{Context as _, Result};
use cloth_tests::no_panic::{Source, run, search};
use cloth_tests::workload::scenes;

#[test]
fn no_panic_is_reachable_and_the_bits_are_the_same() -> Result<()> {
    let found = search(Source::Core)?;
    assert!(found.panicking.is_empty(), "a panic is reachable from {:#?}", found.panicking);
    assert!(found.foreign.is_empty(), "the program needs {:#?}", found.foreign);
    let program = found.program.context("a program that links is there")?;
    for (name, spec) in [("sheet", scenes::hung_sheet(12)), ("rig", scenes::rig())] {
        let workload = spec.build()?;
        let (there, here) = run(&program, &workload, 1, 30)?;
        assert_ne!(there, 0, "{name}: the C program was refused something");
        assert_eq!(there, here, "{name}: C and Rust disagree");
    }
    Ok(())
}

#[test]
fn nothing_is_fused_where_the_processor_could() -> Result<()> {
    let found = search(Source::WithFma)?;
    assert!(found.panicking.is_empty(), "a panic is reachable from {:#?}", found.panicking);
    assert!(found.fused.is_empty(), "fused in {:#?}", found.fused);
    let program = found.program.context("a program that links is there")?;
    #[cfg(target_arch = "x86_64")]
    if !(std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")) {
        return Ok(());
    }
    let (there, here) = run(&program, &scenes::rig().build()?, 0, 30)?;
    assert_eq!(there, here, "a build for AVX2 and FMA disagrees");
    Ok(())
}

#[test]
fn the_search_finds_a_planted_panic() -> Result<()> {
    let found = search(Source::PlantedPanic)?;
    assert!(found.program.is_none(), "a program with a panic linked");
    let names: Vec<&str> = found.panicking.iter().map(String::as_str).collect();
    assert_eq!(names, ["cloth_no_panic::planted_panic"]);
    Ok(())
}

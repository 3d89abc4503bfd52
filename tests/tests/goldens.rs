//! The goldens, in whatever profile the tests are built.

use anyhow::{Context as _, Result};
use cloth_tests::golden;

fn check(name: &str) -> Result<()> {
    let scene = golden::scene(name)?;
    let known =
        golden::known(name)?.with_context(|| format!("{name} was never blessed; see golden/README.md"))?;
    let found = scene.mint()?;
    assert!(!found.checkpoint.is_empty(), "{name} has no checkpoint");
    if let Some(difference) = golden::difference(&known, &found) {
        panic!("golden {name} ({}) differs:\n{difference}see golden/README.md", scene.about);
    }
    Ok(())
}

#[test]
fn sheet() -> Result<()> {
    check("sheet")
}

#[test]
fn skirt() -> Result<()> {
    check("skirt")
}

#[test]
fn chain() -> Result<()> {
    check("chain")
}

#[test]
fn rig() -> Result<()> {
    check("rig")
}

#[test]
fn absurd() -> Result<()> {
    check("absurd")
}

#[test]
fn drape() -> Result<()> {
    check("drape")
}

#[test]
fn sweep() -> Result<()> {
    check("sweep")
}

#[test]
fn walk() -> Result<()> {
    check("walk")
}

#[test]
fn pinch() -> Result<()> {
    check("pinch")
}

#[test]
fn wind() -> Result<()> {
    check("wind")
}

#[test]
fn streamer() -> Result<()> {
    check("streamer")
}

#[test]
fn flutter() -> Result<()> {
    check("flutter")
}

#[test]
fn every_golden_has_a_test() {
    assert_eq!(
        golden::SCENES,
        [
            "sheet", "skirt", "chain", "rig", "absurd", "drape", "sweep", "walk", "pinch", "wind",
            "streamer", "flutter"
        ]
    );
}

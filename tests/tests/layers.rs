//! The layers of core point down, as docs/ARCHITECTURE.md has them.

use anyhow::{Context as _, Result};
use cloth_tests::source::{self, Source};
use cloth_tests::workload::scenes::workspace;
use std::collections::BTreeMap;

/// What each module of core may mention. Everything may mention itself.
const BELOW: &[(&str, &[&str])] = &[
    ("math", &[]),
    ("index", &[]),
    ("hash", &[]),
    ("simd", &["math"]),
    ("anchor", &["math"]),
    ("air", &["math", "simd", "row", "model"]),
    ("row", &["math", "simd", "index"]),
    ("fabric", &["math", "row"]),
    ("model", &["math", "simd", "index", "hash", "row"]),
    ("collide", &["math", "index", "model"]),
    ("contact", &["math", "model", "collide"]),
    ("state", &["math", "index", "hash", "row", "fabric", "model"]),
    (
        "step",
        &[
            "math", "simd", "index", "hash", "row", "fabric", "model", "collide", "contact", "anchor", "air",
            "state",
        ],
    ),
    ("replay", &["math", "simd", "hash", "anchor", "air", "fabric", "model", "collide", "state", "step"]),
    ("bake", &["math", "simd", "index", "hash", "row", "fabric", "model", "collide"]),
];

fn may_mention(module: &str) -> Option<&'static [&'static str]> {
    BELOW.iter().find(|(name, _)| *name == module).map(|(_, below)| *below)
}

/// Which module each name that the crate's root re-exports comes from.
fn reexports(root: &str) -> Result<BTreeMap<String, String>> {
    let file = syn::parse_file(root).context("lib.rs")?;
    let mut homes = BTreeMap::new();
    for item in &file.items {
        if let syn::Item::Use(item) = item
            && let syn::UseTree::Path(path) = &item.tree
        {
            match &*path.tree {
                syn::UseTree::Name(name) => _ = homes.insert(name.ident.to_string(), path.ident.to_string()),
                syn::UseTree::Group(group) => {
                    for tree in &group.items {
                        if let syn::UseTree::Name(name) = tree {
                            homes.insert(name.ident.to_string(), path.ident.to_string());
                        }
                    }
                }
                _ => anyhow::bail!("a re-export of a form this test does not know, from {}", path.ident),
            }
        }
    }
    Ok(homes)
}

/// What a file mentions although it may not.
fn upward(source: &Source, homes: &BTreeMap<String, String>) -> Vec<String> {
    let Some(module) = source.module.first() else {
        return Vec::new();
    };
    let Some(below) = may_mention(module) else {
        return vec![format!("{}: a module that has no layer", source.path.display())];
    };
    let mut wrong = Vec::new();
    for name in source::root_names(source) {
        let home = homes.get(&name).unwrap_or(&name);
        // glam's Vec3 is below everything.
        if home != module && home != "glam" && !below.contains(&home.as_str()) {
            wrong.push(format!("{}: {module} mentions {name} of {home}", source.path.display()));
        }
    }
    wrong
}

#[test]
fn core_mentions_only_what_lies_below() -> Result<()> {
    let src = workspace().join("cloth-core/src");
    let homes = reexports(&std::fs::read_to_string(src.join("lib.rs")).context("lib.rs")?)?;
    let sources = source::of_crate(&src)?;
    let wrong: Vec<String> = sources.iter().flat_map(|source| upward(source, &homes)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (module, _) in BELOW {
        assert!(sources.iter().any(|s| s.module.first().is_some_and(|m| m == module)), "{module} is gone");
    }
    Ok(())
}

#[test]
fn an_upward_mention_is_seen() -> Result<()> {
    let homes = reexports("pub use state::{State, StateError}; pub use glam::Vec3;")?;
    let file = |text: &str| -> Result<Source> {
        Ok(Source {
            path: "row/new.rs".into(),
            module: vec!["row".into(), "new".into()],
            tokens: source::tokens(text)?,
        })
    };
    assert_eq!(upward(&file("use crate::{Vec3, math::sqrt}; use super::distance;")?, &homes), [""; 0]);
    assert_eq!(
        upward(&file("fn f(s: &crate::State) { super::super::step::step(s) }")?, &homes),
        ["row/new.rs: row mentions State of state", "row/new.rs: row mentions step of step"]
    );
    Ok(())
}

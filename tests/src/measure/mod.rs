//! The measurements: every bar of the project under the name its issue gives it.
//!
//! ```text
//! cargo run --release -p cloth-tests --bin measure -- NAME…
//! ```

mod document;
mod out;
mod verdict;

pub use document::Document;
pub use out::{Out, Table, sci};
pub use verdict::Verdict;

mod absurd;
mod air;
mod backstop;
pub mod bad_meshes;
mod bare;
mod broadphase;
mod c_misuse;
mod callgrind;
mod chain;
mod clothesline;
mod constants;
mod contact_cost;
mod contact_form;
pub mod crossing;
mod facing;
mod fall;
mod fluid;
mod flutter;
mod fp_env;
mod friction;
mod gather;
mod handle;
mod hang;
mod hold;
mod hooke;
mod host_targets;
mod hostile;
mod irregular;
mod landing;
mod lanes;
mod leash;
mod library;
mod locomotion;
mod momentum;
mod pareto;
mod pendulum;
mod rescue;
mod rest;
mod runner;
mod same_bits;
mod scale;
mod shapes;
mod size;
mod skirt;
mod sleep;
mod soft;
mod stays;
mod steps;
mod streaming;
mod swing;
mod targets;
mod teleport;
mod vertex_constants;
mod wind;
mod within;
mod world;

pub use callgrind::{Child, child};

use anyhow::Result;

/// One bar and what decides it.
pub struct Measurement {
    /// The name a user gives.
    pub name: &'static str,
    /// What is measured, in a line.
    pub about: &'static str,
    /// What must hold.
    pub bar: &'static str,
    /// Whether only a clock decides it, so that it means nothing on a busy machine.
    pub uses_clock: bool,
    /// Runs it, writing its tables.
    pub run: fn(&mut Out) -> Result<Verdict>,
}

/// All measurements, in the order they are run and listed.
pub const ALL: &[Measurement] = &[
    hooke::HOOKE,
    chain::MASS_DECADES,
    chain::CHAIN,
    constants::CONSTANTS,
    vertex_constants::VERTEX_CONSTANTS,
    hostile::HOSTILE,
    absurd::ABSURD,
    steps::ENERGY_STEPS,
    soft::SOFT_SETTLES,
    leash::STRAIN_LIMIT,
    leash::TETHER,
    hang::HANG,
    fall::FREE_FALL,
    scale::SCALE,
    skirt::SKIRT,
    same_bits::SAME_BITS,
    bare::NO_ALLOC,
    bare::NO_PANIC,
    library::C_NO_PANIC,
    library::C_NO_LIBM,
    library::C_NO_FMA,
    library::HEADER,
    library::SIZE,
    library::FIND_PACKAGE,
    fp_env::FP_ENV,
    c_misuse::C_MISUSE,
    handle::C_HANDLE,
    lanes::LANES,
    callgrind::INSTRUCTIONS,
    callgrind::LANE_SPEED,
    callgrind::SCALING,
    within::WITHIN_CLOTH,
    bad_meshes::BAD_MESHES,
    swing::SWING,
    swing::ENERGY,
    swing::FRONTIER,
    rest::SHEET_REST,
    rest::CORNER,
    stays::STAYS,
    pendulum::PENDULUM,
    runner::RUNNER,
    momentum::MOMENTUM,
    size::BIG_SHEET,
    size::ANY_DT,
    irregular::IRREGULAR,
    contact_form::CONTACT_FORM,
    shapes::SHAPES,
    landing::LANDING,
    landing::DRIVEN,
    friction::FRICTION,
    friction::SEAM,
    crossing::CAPSULE_SWEEP,
    crossing::FAST_SPHERE,
    crossing::THROWN,
    crossing::SPIN,
    crossing::THIN,
    hold::HOLD,
    hold::BUCKLE,
    clothesline::CLOTHESLINE,
    sleep::SLEEP,
    sleep::WAKE,
    contact_cost::CONTACT_COST,
    backstop::BACKSTOP,
    gather::GATHER,
    broadphase::BROADPHASE,
    streaming::STREAMING,
    teleport::TELEPORT,
    locomotion::LOCOMOTION,
    leash::KICK,
    locomotion::INERTIA,
    teleport::PIN_LAG,
    rescue::RESCUE,
    world::RECOMPOSE,
    world::AUTHORED_POSE,
    world::WAKE_TABLE,
    world::HOST_RATE,
    world::BYSTANDER,
    world::INTERPOLATE,
    world::CROWD,
    world::EXECUTORS,
    world::IN_FLIGHT,
    world::WORKERS,
    world::OFFLOAD,
    world::CAST,
    world::REWIND,
    world::SNAPSHOT,
    world::PLANTED,
    world::LOCKSTEP,
    host_targets::HOST_TARGETS,
    targets::TARGETS,
    targets::ROPE_M4F,
    targets::NO_FMA,
    targets::NO_LIBM,
    facing::FACING,
    air::RESPONSE,
    air::TURNED,
    air::STEADY,
    flutter::FLUTTER,
    air::STILL,
    air::GALE,
    air::MIRROR,
    air::AIR_COST,
    wind::WIND_PARITY,
    wind::SOURCE_CHANGE,
    fluid::FLUID_WAKE,
    fluid::CELL_SIZE,
    pareto::PARETO,
];

/// Those that run cargo or `.ci/targets`, which build in places that only one of them may use at a time.
pub const BUILDERS: &[&str] = &[
    "same-bits",
    "no-panic",
    "c-no-panic",
    "c-no-libm",
    "c-no-fma",
    "header",
    "size",
    "find-package",
    "fp-env",
    "c-misuse",
    "c-handle",
    "lockstep",
    "host-targets",
    "targets",
    "rope-m4f",
    "no-fma",
    "no-libm",
];

/// The measurement of that name, or the names a person may have meant.
///
/// # Errors
///
/// Names near an unknown one, nearest first; empty when nothing is near.
pub fn find(name: &str) -> Result<&'static Measurement, Vec<&'static str>> {
    if let Some(found) = ALL.iter().find(|m| m.name == name) {
        return Ok(found);
    }
    let mut near: Vec<(f64, &str)> =
        ALL.iter().map(|m| (strsim::jaro_winkler(name, m.name), m.name)).filter(|&(s, _)| s > 0.7).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    Err(near.into_iter().map(|(_, name)| name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_a_slip_finds_its_neighbour() {
        for (i, m) in ALL.iter().enumerate() {
            assert!(ALL[..i].iter().all(|other| other.name != m.name), "{} twice", m.name);
            assert!(!m.about.is_empty() && !m.bar.is_empty());
        }
        assert_eq!(find("hook").err().unwrap()[0], "hooke");
        assert!(find("hooke").is_ok());
    }

    #[test]
    fn builders_are_measurements() {
        for name in BUILDERS {
            assert!(find(name).is_ok(), "{name} is not in the registry");
        }
    }

    #[test]
    fn every_bar_of_the_first_milestone_has_its_measurement() {
        let names = "hooke mass-decades chain hostile absurd energy-steps soft-settles strain-limit tether hang free-fall \
                     same-bits instructions scaling skirt no-alloc no-panic bad-meshes scale";
        for name in names.split_whitespace() {
            assert!(find(name).is_ok(), "{name} is not in the registry");
        }
    }

    #[test]
    fn every_bar_of_rest_and_swing_has_its_measurement() {
        let names = "swing energy frontier sheet-rest corner pendulum runner momentum big-sheet any-dt irregular pareto \
                     lanes lane-speed constants contact-form";
        for name in names.split_whitespace() {
            assert!(find(name).is_ok(), "{name} is not in the registry");
        }
    }

    #[test]
    fn every_bar_of_the_c_library_has_its_measurement() {
        let names = "c-no-panic c-no-libm c-no-fma header size find-package fp-env c-misuse";
        for name in names.split_whitespace() {
            assert!(find(name).is_ok(), "{name} is not in the registry");
        }
    }

    #[test]
    fn every_bar_of_the_entity_world_has_its_measurement() {
        for name in
            "recompose authored-pose wake-table host-rate bystander interpolate crowd".split_whitespace()
        {
            assert!(find(name).is_ok(), "{name} is not in the registry");
        }
    }

    #[test]
    fn every_bar_of_executors_has_its_measurement() {
        for name in "executors in-flight workers offload cast lockstep host-targets".split_whitespace() {
            assert!(find(name).is_ok(), "{name} is not in the registry");
        }
    }

    #[test]
    fn every_bar_of_fluids_has_its_measurement() {
        for name in ["fluid-wake", "cell-size"] {
            assert!(find(name).is_ok(), "{name} is not in the registry");
        }
    }

    #[test]
    fn every_bar_of_contact_has_its_measurement() {
        let names = "landing friction capsule-sweep fast-sphere thrown spin thin hold seam driven buckle sleep wake shapes \
                     contact-cost backstop";
        for name in names.split_whitespace() {
            assert!(find(name).is_ok(), "{name} is not in the registry");
        }
    }
}

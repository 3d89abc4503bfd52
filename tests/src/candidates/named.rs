//! The members of the family that have a place in the table.

use super::{Pairwise, Tension};

/// Small-step position-based dynamics with compliance (Macklin et al., *Small Steps in Physics Simulation*, 2019). Rows go
/// up in the first sweep and down in the second: one direction alone can add energy, whatever the step (PEERS.md, "Motion").
pub(super) const XPBD: Pairwise = Pairwise {
    title: "XPBD",
    substeps: 8,
    sweeps: 2,
    turn: Pairwise::NEW,
    bounds: false,
    tension: None,
    tethers: false,
    spread: 0.0,
    second_order: false,
    dry: 0.0,
};

/// Rows along their old directions and nothing else (Ryckaert, Ciccotti and Berendsen 1977).
pub(super) const SHAKE: Pairwise = Pairwise { title: "SHAKE", sweeps: 1, turn: Pairwise::OLD, ..XPBD };

/// The challenger of SOLVER §1c with six substeps.
const CHALLENGER: Pairwise = Pairwise {
    title: "challenger",
    substeps: 6,
    sweeps: 1,
    bounds: true,
    tension: Some(Tension { share: 1e-3, limit: 0.25 }),
    ..XPBD
};

/// Everything that won, as scalar code.
pub(super) const WINNER: Pairwise = Pairwise {
    title: "winner's sibling",
    substeps: 8,
    sweeps: 1,
    turn: 10.0,
    bounds: true,
    tension: Some(Tension { share: 5e-4, limit: 1.0 }),
    tethers: true,
    spread: 0.3,
    second_order: false,
    dry: 0.01,
};

/// All of them.
pub fn family() -> Vec<Pairwise> {
    let winner = |title| Pairwise { title, ..WINNER };
    let second = Pairwise { title: "challenger, BDF2", second_order: true, substeps: 8, ..CHALLENGER };
    vec![
        XPBD,
        SHAKE,
        Pairwise { sweeps: 2, ..SHAKE },
        CHALLENGER,
        Pairwise { substeps: 8, ..CHALLENGER },
        Pairwise {
            title: "challenger, tethers, no carry",
            substeps: 8,
            tension: None,
            tethers: true,
            ..CHALLENGER
        },
        second.clone(),
        Pairwise { sweeps: 2, ..second.clone() },
        Pairwise { title: "challenger, BDF2, no carry", sweeps: 2, tension: None, ..second },
        WINNER,
        Pairwise { bounds: false, ..winner("no aggregates") },
        Pairwise { tension: None, ..winner("no carry") },
        Pairwise { turn: Pairwise::NEW, ..winner("new direction") },
        Pairwise { turn: Pairwise::OLD, ..winner("old direction") },
        Pairwise { spread: 0.0, ..winner("no ramp") },
        Pairwise { tethers: false, ..winner("no tethers") },
    ]
}

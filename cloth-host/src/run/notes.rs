//! What a run has to say about its contacts.

use cloth_core::Vec3;
use cloth_core::collide::signed_distance;

use super::FrameRow;
use crate::scene::{Scene, SceneCollider};

/// Remarks about colliders that the cloth starts inside of: it leaves them through whichever side is nearer.
pub(super) fn of_start(scene: &Scene) -> Vec<String> {
    let inside = |collider: &SceneCollider| {
        let pose = collider.record.pose();
        let depth = |position: &[f32; 3]| {
            signed_distance(&collider.record, scene.shapes.words(), &pose, Vec3::from_array(*position))
                .distance
        };
        scene.body.positions().iter().filter(|position| depth(position) < 0.0).count()
    };
    let counted = scene.colliders.iter().map(|collider| (collider, inside(collider)));
    counted
        .filter(|(_, count)| *count > 0)
        .map(|(collider, count)| {
            let (vertices, start) = if count == 1 { ("vertex", "starts") } else { ("vertices", "start") };
            format!(
                "{count} {vertices} {start} inside collider \"{}\": move the one or the other",
                collider.name
            )
        })
        .collect()
}

/// Remarks about contacts that went wrong; none where all is well.
pub(super) fn of_contacts(rows: &[FrameRow]) -> Vec<String> {
    let mut notes = Vec::new();
    let missed: u64 = rows.iter().map(|row| u64::from(row.missed_crossings)).sum();
    if missed > 0 {
        let (crossings, were) = if missed == 1 { ("crossing", "was") } else { ("crossings", "were") };
        let frames = frames(rows, |row| row.missed_crossings > 0);
        notes.push(format!("{missed} {crossings} into colliders {were} missed in {frames}: raise substeps, or leave cloth room between colliders"));
    }
    let dropped = rows.iter().map(|row| row.dropped_colliders).fold(0, u32::max);
    if dropped > 0 {
        let frames = frames(rows, |row| row.dropped_colliders > 0);
        notes.push(format!("up to {dropped} colliders in reach were not met in {frames}: use fewer"));
    }
    notes
}

/// A remark about anchors that went so far in a step that it counted as a jump, which may be meant.
pub(super) fn of_jumps(rows: &[FrameRow]) -> Option<String> {
    rows.iter().any(|row| row.reset).then(|| {
        let frames = frames(rows, |row| row.reset);
        format!("the anchor jumped in {frames}, and the cloth was put on its targets: if it is to feel that, move it slower")
    })
}

/// The frames that something is true of: "frame 7", "frames 3–5, 9 and 12 more".
fn frames(rows: &[FrameRow], of: impl Fn(&FrameRow) -> bool) -> String {
    const SHOWN: usize = 6;
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for row in rows.iter().filter(|row| of(row)) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == row.frame => *last = row.frame,
            _ => runs.push((row.frame, row.frame)),
        }
    }
    let count = |runs: &[(u32, u32)]| runs.iter().map(|(first, last)| last - first + 1).sum::<u32>();
    let word = if count(&runs) == 1 { "frame" } else { "frames" };
    let shown = runs.iter().take(SHOWN).map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}–{last}"),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    match count(runs.get(SHOWN..).unwrap_or(&[])) {
        0 => format!("{word} {shown}"),
        more => format!("{word} {shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(missed: &[u32]) -> Vec<FrameRow> {
        let row = |(frame, missed): (u32, &u32)| FrameRow {
            frame,
            time: 0.0,
            max_strain: 0.0,
            mean_strain: 0.0,
            kinetic_energy: 0.0,
            max_speed: 0.0,
            contacts: 0,
            missed_crossings: *missed,
            dropped_colliders: 2 * missed,
            substeps: 8,
            asleep: false,
            ms: 0.0,
            reset: *missed == 2,
        };
        (1..).zip(missed).map(row).collect()
    }

    #[test]
    fn jumps_are_said_with_their_frames() {
        assert_eq!(of_jumps(&rows(&[0, 1, 0])), None);
        let note = of_jumps(&rows(&[0, 2, 1, 2])).expect("two jumps");
        assert!(note.starts_with("the anchor jumped in frames 2, 4, and"), "{note}");
    }

    #[test]
    fn what_was_missed_is_said_with_its_frames() {
        assert!(of_contacts(&rows(&[0; 9])).is_empty());
        let notes = of_contacts(&rows(&[0, 1, 1, 1, 0, 0, 2]));
        assert_eq!(
            notes[0],
            "5 crossings into colliders were missed in frames 2–4, 7: raise substeps, or leave cloth room between colliders"
        );
        assert_eq!(notes[1], "up to 4 colliders in reach were not met in frames 2–4, 7: use fewer");
        assert!(
            of_contacts(&rows(&[0, 1]))[0].starts_with("1 crossing into colliders was missed in frame 2:")
        );
        let many: Vec<u32> = (0..30).map(|frame| frame % 2).collect();
        assert!(of_contacts(&rows(&many))[0].contains("frames 2, 4, 6, 8, 10, 12 and 9 more: raise"));
    }
}

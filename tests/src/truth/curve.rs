//! A quantity at the end of each frame: where it turns, where it crosses zero, how far it is from another.

/// The vertex of the parabola through three neighbouring frames, `at` the middle one: its frame and its value.
fn vertex(curve: &[f64], at: usize) -> (f64, f64) {
    let (before, here, after) = (curve[at - 1], curve[at], curve[at + 1]);
    let bend = before - 2.0 * here + after;
    let slope = 0.5 * (after - before);
    (crate::narrow::real(at) - slope / bend, here - 0.5 * slope * slope / bend)
}

/// The first minimum from frame `from` on, by the parabola through three frames: its frame and its value.
pub fn first_minimum(curve: &[f64], from: usize) -> Option<(f64, f64)> {
    let turns = |at: &usize| curve[*at] < curve[at - 1] && curve[*at] <= curve[at + 1];
    (from.max(1)..curve.len().saturating_sub(1)).find(turns).map(|at| vertex(curve, at))
}

/// All minima and maxima, by parabolas: their frames and values.
pub fn extrema(curve: &[f64]) -> Vec<(f64, f64)> {
    let turns = |at: &usize| (curve[*at] - curve[at - 1]) * (curve[at + 1] - curve[*at]) < 0.0;
    (1..curve.len().saturating_sub(1)).filter(turns).map(|at| vertex(curve, at)).collect()
}

/// Where a curve changes its sign, by a straight line between the two frames.
pub fn zero_crossings(curve: &[f64]) -> Vec<f64> {
    let crossing = |(at, pair): (usize, &[f64])| {
        ((pair[0] < 0.0) != (pair[1] < 0.0)).then(|| crate::narrow::real(at) + pair[0] / (pair[0] - pair[1]))
    };
    curve.windows(2).enumerate().filter_map(crossing).collect()
}

/// The root of the mean square difference of two curves over some frames, both ends included.
pub fn rms(a: &[f64], b: &[f64], frames: std::ops::RangeInclusive<usize>) -> f64 {
    crate::workload::mean(frames.map(|at| (a[at] - b[at]).powi(2))).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_sampled_cosine_turns_and_crosses_where_it_should() {
        // Minima at frames 21.4 + 40·k, crossings at 11.4 + 20·k.
        let curve: Vec<f64> = (0..100).map(|f| (PI * (f64::from(f) - 1.4) / 20.0).cos()).collect();
        let (at, value) = first_minimum(&curve, 0).unwrap();
        assert!((at - 21.4).abs() < 2e-3 && (value + 1.0).abs() < 1e-4, "{at} {value}");
        assert!((first_minimum(&curve, 30).unwrap().0 - 61.4).abs() < 2e-3);
        assert!((extrema(&curve)[1].0 - 21.4).abs() < 2e-3);
        assert!((zero_crossings(&curve)[0] - 11.4).abs() < 1e-3);
        assert!(first_minimum(&[2.0, 1.0, 0.0], 0).is_none());
    }

    #[test]
    fn rms_sees_only_its_frames() {
        assert!((rms(&[9.0, 3.0, 4.0], &[0.0, 0.0, 8.0], 1..=2) - 12.5_f64.sqrt()).abs() < 1e-15);
    }
}

//! Random programs of what may happen to a world while steps are in flight, against the serial executor.

use cloth_tests::incidents::{OPERATIONS, Steps, compare};
use proptest::prelude::*;

/// An operation and what it is done with; ticks as often as everything else together, so that something is in flight.
fn operation() -> impl Strategy<Value = [u8; 2]> {
    let with = prop_oneof![1 => Just(0), 8 => any::<u8>()];
    (prop_oneof![3 => Just(0_u8), 1 => Just(1), 5 => 1..OPERATIONS], with)
        .prop_map(|(kind, with)| [kind, with])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_happens_in_flight_shows_in_a_state(
        program in prop::collection::vec(operation(), 1..60),
        always in any::<bool>(),
        late in prop_oneof![
            Just(Steps::Pipelined), Just(Steps::PipelinedShuffled(3)), Just(Steps::PipelinedRayon(2)),
            Just(Steps::Rayon(3)), Just(Steps::Shuffled(5)),
        ],
    ) {
        if let Err(error) = compare(&program, late, always) {
            return Err(TestCaseError::fail(format!("{error:#}")));
        }
    }
}

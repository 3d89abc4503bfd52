//! Nothing core does at run time touches the heap.

use anyhow::Result;
use cloth_tests::no_alloc::{heap_calls, of_core};
use cloth_tests::workload::scenes;

#[test]
fn core_makes_no_heap_call() -> Result<()> {
    for (name, spec) in [("sheet", scenes::hung_sheet(12)), ("rig", scenes::rig())] {
        let table = of_core(&spec.build()?)?;
        assert!(table.len() >= 14, "{name}: operations are missing from {table:?}");
        assert!(table.iter().all(|(_, calls)| *calls == 0), "{name}: {table:?}");
    }
    Ok(())
}

#[test]
fn the_counter_sees_every_kind_of_call() {
    // One to allocate, one to grow, one to free; zeroed memory is another one to allocate.
    let (_, calls) = heap_calls(|| {
        let mut numbers: Vec<u64> = Vec::with_capacity(1);
        numbers.reserve(100);
        std::hint::black_box(&mut numbers);
    });
    assert_eq!(calls, 3);
    assert_eq!(heap_calls(|| std::hint::black_box(vec![0_u64; 100])).1, 1);
    assert_eq!(heap_calls(|| ()).1, 0);
}

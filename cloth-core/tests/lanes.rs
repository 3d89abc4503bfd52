//! All levels give the bits of the scalar one, and the scalar one those of `math`.

use cloth_core::math::{real, sqrt};
use cloth_core::simd::{Floats, Groups, Kernel, Lanes, Level, Mask, PLACE};
use proptest::prelude::*;

/// The levels of this machine, without repetition.
fn levels() -> Vec<Level> {
    let mut levels = vec![Level::SCALAR, Level::FOUR, Level::BASELINE, Level::detect()];
    levels.dedup();
    levels
}

/// Bits, with one pattern for all NaNs (determinism, rule 4).
fn bits(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

/// Every operation on floats, once, in all eight lanes; 18 results.
struct Arithmetic {
    a: [f32; 8],
    b: [f32; 8],
    c: [f32; 8],
}

impl Kernel for Arithmetic {
    type Output = Vec<[f32; 8]>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Vec<[f32; 8]> {
        let mut results = vec![[f32::NAN; 8]; 18];
        for l in l.parts() {
            let (a, b, c) = (l.load(&self.a), l.load(&self.b), l.load(&self.c));
            let lanes = [
                l.splat(self.a[3]),
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a.root(),
                a.min(b),
                a.max(b),
                a.clamp(b, c),
                a.abs(),
                a.lt(b).select(a, c),
                a.le(b).select(a, c),
                a.le(b).keep(c),
                (a.lt(b) & b.lt(c)).select(b, c),
                (a.le(b) | a.le(c)).select(b, c),
                // Products and sums side by side: what a compiler would fuse if it were let.
                a * b + c,
                (a * b + b * c).root() / (c * c),
            ];
            for (lanes, result) in lanes.into_iter().zip(&mut results) {
                l.store(lanes, result);
            }
        }
        results
    }
}

/// What [`Arithmetic`] means in one lane.
fn meaning(splat: f32, a: f32, b: f32, c: f32) -> [f32; 18] {
    let choose = |condition, yes, no| if condition { yes } else { no };
    [
        splat,
        a + b,
        a - b,
        a * b,
        a / b,
        -a,
        sqrt(a),
        real::min(a, b),
        real::max(a, b),
        real::clamp(a, b, c),
        real::abs(a),
        choose(a < b, a, c),
        choose(a <= b, a, c),
        choose(a <= b, c, 0.0),
        choose(a < b && b < c, b, c),
        choose(a <= b || a <= c, b, c),
        a * b + c,
        sqrt(a * b + b * c) / (c * c),
    ]
}

fn arithmetic_agrees(a: [f32; 8], b: [f32; 8], c: [f32; 8]) {
    for level in levels() {
        let results = level.run(Arithmetic { a, b, c });
        for lane in 0..8 {
            let expected = meaning(a[3], a[lane], b[lane], c[lane]);
            assert_eq!(results.len(), expected.len());
            for (operation, (result, expected)) in results.iter().zip(expected).enumerate() {
                assert_eq!(
                    bits(result[lane]),
                    bits(expected),
                    "{}, operation {operation} of {:e}, {:e}, {:e}: {:e}, not {expected:e}",
                    level.name(),
                    a[lane],
                    b[lane],
                    c[lane],
                    result[lane]
                );
            }
        }
    }
}

/// The float of these bits, a signalling NaN made quiet. Arithmetic makes none of those and none enters a step; on
/// AArch64 LLVM turns `a <= b || a <= c` into `a <= fmaxnm(b, c)`, which is another answer for them.
fn float(bits: u32) -> f32 {
    let float = f32::from_bits(bits);
    if float.is_nan() { f32::from_bits(bits | 0x0040_0000) } else { float }
}

/// Zeros, ones, the smallest and largest, infinities, NaNs, of both signs.
const SPECIAL: [u32; 22] = [
    0,
    1,
    2,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x1a35_04f3,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x4040_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7fc0_0001,
    0x7fc0_0000,
    0x8000_0000,
    0x8000_0001,
    0x8080_0000,
    0xbf80_0000,
    0xff7f_ffff,
    0xff80_0000,
    0xffc0_1234,
];

#[test]
fn arithmetic_of_special_values() {
    // All pairs in all of eight lanes; the third operand goes round faster.
    let mut pairs = Vec::new();
    for a in SPECIAL {
        for b in SPECIAL {
            pairs.push([a, b]);
        }
    }
    for start in 0..pairs.len() {
        let pair = |lane: usize| pairs[(start + lane) % pairs.len()].map(f32::from_bits);
        arithmetic_agrees(
            std::array::from_fn(|lane| pair(lane)[0]),
            std::array::from_fn(|lane| pair(lane)[1]),
            std::array::from_fn(|lane| f32::from_bits(SPECIAL[(start * 5 + lane * 3) % SPECIAL.len()])),
        );
    }
}

fn any_bits() -> impl Strategy<Value = [f32; 8]> {
    // Two uniform patterns are seldom of one size; ordinary numbers meet in their roundings.
    prop_oneof![
        any::<[u32; 8]>().prop_map(|bits| bits.map(float)),
        prop::array::uniform8(-4.0_f32..4.0),
        prop::array::uniform8(prop::sample::select(SPECIAL.to_vec())).prop_map(|bits| bits.map(float)),
    ]
}

proptest! {
    #[test]
    fn arithmetic_of_any_values(a in any_bits(), b in any_bits(), c in any_bits()) {
        arithmetic_agrees(a, b, c);
    }
}

struct AllBelow {
    a: [f32; 8],
    b: [f32; 8],
}

impl Kernel for AllBelow {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> bool {
        let mut all = true;
        for l in l.parts() {
            all &= l.load(&self.a).lt(l.load(&self.b)).all();
        }
        all
    }
}

#[test]
fn all_asks_every_lane() {
    for level in levels() {
        assert!(level.run(AllBelow { a: [0.5; 8], b: [1.0; 8] }), "{}", level.name());
        for lane in 0..8 {
            let mut a = [0.5; 8];
            a[lane] = 1.0;
            assert!(!level.run(AllBelow { a, b: [1.0; 8] }), "{} at lane {lane}", level.name());
        }
    }
}

struct AnyBelow {
    a: [f32; 8],
    b: [f32; 8],
}

impl Kernel for AnyBelow {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> bool {
        let mut any = false;
        for l in l.parts() {
            any |= l.load(&self.a).lt(l.load(&self.b)).any();
        }
        any
    }
}

#[test]
fn any_sees_every_lane() {
    for level in levels() {
        assert!(!level.run(AnyBelow { a: [1.0; 8], b: [1.0; 8] }), "{}", level.name());
        for lane in 0..8 {
            let mut a = [1.0; 8];
            a[lane] = 0.5;
            assert!(level.run(AnyBelow { a, b: [1.0; 8] }), "{}, lane {lane}", level.name());
        }
    }
}

/// Takes records and words by index, swaps words with each other, adds the words, and puts the records back: eight rows
/// read before the first is written.
struct Carry<'a> {
    groups: Groups<'a, 2>,
    records: &'a mut [[f32; 4]],
    words: &'a [f32],
}

impl Kernel for Carry<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for [from, to] in self.groups.iter() {
            let mut taken = [[0.0; 8]; 4];
            for l in l.parts() {
                let [x, y, z, w] = from.gather(l, self.records);
                let word = from.gather_words(l, self.words);
                for (lanes, to) in [y, x + word, w, z].into_iter().zip(&mut taken) {
                    l.store(lanes, to);
                }
            }
            for l in l.parts() {
                let [y, x, w, z] = &taken;
                to.scatter(l, self.records, [l.load(y), l.load(x), l.load(w), l.load(z)]);
            }
        }
    }
}

/// The places of indices.
fn placed<const N: usize>(groups: &[[[u32; 8]; N]]) -> Vec<[[u32; 8]; N]> {
    groups.iter().map(|ends| ends.map(|end| end.map(|index| index.wrapping_mul(PLACE)))).collect()
}

/// What [`Carry`] means, record by record.
fn carry(groups: &[[[u32; 8]; 2]], records: &mut [[f32; 4]], words: &[f32]) {
    for [from, to] in groups {
        let taken = from.map(|index| (records[index as usize], words[index as usize]));
        for (([x, y, z, w], word), to) in taken.into_iter().zip(to) {
            records[*to as usize] = [y, x + word, w, z];
        }
    }
}

proptest! {
    #[test]
    fn records_go_where_their_indices_say(
        length in 1_usize..40,
        seed in prop::collection::vec(any::<[[u32; 8]; 2]>(), 0..12),
        noise in prop::collection::vec(any::<[u32; 5]>(), 40),
    ) {
        // Repeated indices included: with fewer than eight records there is no other way.
        let count = u32::try_from(length).expect("below 40");
        let groups: Vec<_> = seed.iter().map(|ends| ends.map(|end| end.map(|index| index % count))).collect();
        let records: Vec<[f32; 4]> =
            noise[..length].iter().map(|[x, y, z, w, _]| [*x, *y, *z, *w].map(f32::from_bits)).collect();
        let words: Vec<f32> = noise[..length].iter().map(|[.., word]| f32::from_bits(*word)).collect();
        let mut expected = records.clone();
        carry(&groups, &mut expected, &words);
        for level in levels() {
            let mut moved = records.clone();
            let places = placed(&groups);
            let groups = Groups::new(&places, length).expect("all are below");
            level.run(Carry { groups, records: &mut moved, words: &words });
            prop_assert_eq!(
                moved.as_flattened().iter().copied().map(bits).collect::<Vec<_>>(),
                expected.as_flattened().iter().copied().map(bits).collect::<Vec<_>>(),
                "{}", level.name()
            );
        }
    }
}

struct Neighbours<'a>(&'a mut [[f32; 4]; 8]);

impl Kernel for Neighbours<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for l in l.parts() {
            let [x, y, z, w] = l.load_records(self.0);
            l.store_records([w, z, y, x], self.0);
        }
    }
}

#[test]
fn neighbours_need_no_indices() {
    let number = |record: usize, word: usize| f32::from(u8::try_from(record * 4 + word).expect("below 32"));
    for level in levels() {
        let mut records: [[f32; 4]; 8] = std::array::from_fn(|r| std::array::from_fn(|w| number(r, w)));
        level.run(Neighbours(&mut records));
        let reversed: [[f32; 4]; 8] = std::array::from_fn(|r| std::array::from_fn(|w| number(r, 3 - w)));
        assert_eq!(records, reversed, "{}", level.name());
    }
}

/// The second records of entries become their first.
struct Second<'a>(Groups<'a, 1>, &'a mut [[[f32; 4]; 2]]);

impl Kernel for Second<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for [group] in self.0.iter() {
            for l in l.parts() {
                let words = group.gather_nth(l, 1, self.1);
                group.scatter_nth(l, 0, self.1, words);
                // There is no third.
                let [x, ..] = group.gather_nth(l, 2, self.1);
                group.scatter_nth(l, 2, self.1, [x; 4]);
            }
        }
    }
}

#[test]
fn entries_may_be_pairs_of_records() {
    let places = placed(&[[[4, 1, 0, 9, 8, 2, 3, 5]]]);
    let groups = Groups::new(&places, 10).expect("all are below");
    for level in levels() {
        let number = |entry: usize| f32::from(u8::try_from(entry).expect("below 10"));
        let mut entries: Vec<_> = (0..10).map(|entry| [[0.0; 4], [number(entry); 4]]).collect();
        level.run(Second(groups, &mut entries));
        for (entry, [first, second]) in entries.iter().enumerate() {
            let expected = if entry == 6 || entry == 7 { 0.0 } else { number(entry) };
            assert_eq!((first, second), (&[expected; 4], &[number(entry); 4]), "{}, {entry}", level.name());
        }
        for [group] in groups.iter() {
            assert_eq!(group.entry(4, &entries)[1].map(f32::to_bits), [8.0_f32.to_bits(); 4]);
            assert_eq!(group.entry(4, &entries[..9]), [[0.0; 4]; 2]);
        }
    }
}

/// Rows from `from` to `to` pull their ends by their differences, as do rows from `from` to eight neighbours.
struct Apart<'a> {
    rows: Groups<'a, 2>,
    table: &'a mut [[[f32; 4]; 2]],
    neighbours: &'a mut [[[f32; 4]; 2]; 8],
}

impl Kernel for Apart<'_> {
    /// Word 3 of the entries that `from` leads to.
    type Output = [f32; 8];

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [f32; 8] {
        let mut words = [0.0; 8];
        for [from, to] in self.rows.iter() {
            for l in l.parts() {
                let [now, before] = from.differences(to, l, self.table);
                from.add_nth(l, 0, self.table, before);
                to.add_nth(l, 1, self.table, now);
                let [now, before] = from.differences_to(self.neighbours, l, self.table);
                l.add_nth(1, now, self.neighbours);
                let [x, y, z, w] = l.load_nth(0, self.neighbours);
                l.store_nth(0, [x + before[0], y + before[1], z + before[2], w], self.neighbours);
                l.store(from.gather_word(l, [1, 3], self.table), &mut words);
            }
        }
        words
    }
}

/// b − a in three words, on top of `to`.
fn further(to: &mut [f32; 4], a: [f32; 4], b: [f32; 4]) {
    for word in 0..3 {
        to[word] += b[word] - a[word];
    }
}

proptest! {
    #[test]
    fn differences_are_those_of_records(
        order in Just((0..20).collect::<Vec<u32>>()).prop_shuffle(),
        table in prop::collection::vec(prop::array::uniform2(prop::array::uniform4(0.1_f32..4.0)), 20),
        neighbours in prop::collection::vec(prop::array::uniform2(prop::array::uniform4(0.1_f32..4.0)), 8),
    ) {
        let ends: [[u32; 8]; 2] = [&order[..8], &order[8..16]].map(|end| end.try_into().expect("eight"));
        let beside: [[[f32; 4]; 2]; 8] = neighbours.try_into().expect("eight");
        let (mut expected, mut expected_beside) = (table.clone(), beside);
        for lane in 0..8 {
            let [from, to] = ends.map(|end| end[lane] as usize);
            let (a, b) = (table[from], table[to]);
            further(&mut expected[from][0], a[1], b[1]);
            further(&mut expected[to][1], a[0], b[0]);
            let (a, c) = (expected[from], beside[lane]);
            further(&mut expected_beside[lane][1], a[0], c[0]);
            further(&mut expected_beside[lane][0], a[1], c[1]);
        }
        let places = placed(&[ends]);
        for level in levels() {
            let (mut table, mut neighbours) = (table.clone(), beside);
            let rows = Groups::new(&places, 20).expect("all are below");
            let words = level.run(Apart { rows, table: &mut table, neighbours: &mut neighbours });
            prop_assert_eq!(&table, &expected, "{}", level.name());
            prop_assert_eq!(neighbours, expected_beside, "{}", level.name());
            let expected_words = ends[0].map(|index| expected[index as usize][1][3].to_bits());
            prop_assert_eq!(words.map(f32::to_bits), expected_words, "{}", level.name());
        }
    }
}

/// How many lanes, first ones apart, lead to index 7.
struct Filled<'a>(Groups<'a, 1>);

impl Kernel for Filled<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> usize {
        let filled = |group: [cloth_core::simd::Group; 1]| {
            (1..8).filter(|lane| group[0].is_filled_up(*lane, 7)).count()
        };
        self.0.iter().map(filled).sum::<usize>() + l.first()
    }
}

#[test]
fn what_fills_a_group_up_is_seen() {
    let places =
        placed(&[[[7, 7, 7, 7, 7, 7, 7, 7]], [[1, 2, 3, 4, 5, 7, 7, 7]], [[0, 1, 2, 3, 4, 5, 6, 8]]]);
    let groups = Groups::new(&places, 9).expect("all are below");
    for level in levels() {
        assert_eq!(level.run(Filled(groups)), 7 + 3, "{}", level.name());
    }
}

#[test]
fn groups_are_checked_against_their_table() {
    let ok = |indices: &[[[u32; 8]; 2]], length| Groups::new(&placed(indices), length).is_some();
    let mut indices = [[[0; 8]; 2], [[6; 8]; 2]];
    assert!(ok(&indices, 7) && !ok(&indices, 6));
    assert!(Groups::<2>::new(&[], 0).is_some_and(|groups| groups.is_empty()));
    assert!(Groups::new(&[[[0; 8]]], 0).is_none());
    assert!(Groups::new(&[[[u32::MAX; 8]]], 0).is_none());
    // No table is so long; that no place wraps into it is seen all the same.
    assert!(Groups::new(&[[[(1 << 31) - PLACE; 8]]], usize::MAX).is_some());
    assert!(Groups::new(&[[[1 << 31; 8]]], usize::MAX).is_none());
    // In whichever lane and end the worst one is.
    for end in 0..2 {
        for lane in 0..8 {
            indices[1][end][lane] = 7;
            assert!(!ok(&indices, 7) && ok(&indices, 8), "{end}, {lane}");
            for far in [1 << 31, (1 << 31) + 28, u32::MAX] {
                let mut places = placed(&indices);
                places[1][end][lane] = far;
                assert!(Groups::new(&places, 8).is_none(), "{end}, {lane}, {far}");
            }
            for between in 1..PLACE {
                let mut places = placed(&indices);
                places[1][end][lane] = between;
                assert!(Groups::new(&places, 8).is_none(), "{end}, {lane}, {between}");
            }
            indices[1][end][lane] = 6;
        }
    }
}

#[test]
fn a_shorter_table_is_neither_read_nor_written() {
    // One record less than the indices were checked for, though none of them names it.
    let indices = [[[0, 1, 2, 0, 1, 2, 0, 1]; 2]];
    let places = placed(&indices);
    let groups = Groups::new(&places, 4).expect("all are below");
    assert!(groups.fit(4) && !groups.fit(3));
    for level in levels() {
        let start = [[1.0, 2.0, 3.0, 4.0]; 3];
        let mut records = start;
        level.run(Carry { groups, records: &mut records, words: &[1.0; 4] });
        assert_eq!(records, start, "{}", level.name());
        // Here the records are long enough and the words are not.
        let mut records = [[1.0, 2.0, 3.0, 4.0]; 4];
        level.run(Carry { groups, records: &mut records, words: &[1.0; 3] });
        assert_eq!(records, [[2.0, 1.0, 4.0, 3.0], [2.0, 1.0, 4.0, 3.0], [2.0, 1.0, 4.0, 3.0], start[0]]);
    }
}

#[test]
fn ranges_are_colours() {
    let indices = [[[0; 8]; 1], [[1; 8]; 1], [[2; 8]; 1]];
    let places = placed(&indices);
    let groups = Groups::new(&places, 3).expect("all are below");
    assert_eq!(groups.len(), 3);
    assert_eq!(groups.range(1, 3).len(), 2);
    assert_eq!(groups.range(0, 0).len(), 0);
    assert_eq!(groups.range(2, 4).len(), 0);
    assert_eq!(groups.range(2, 1).len(), 0);
}

#[test]
fn levels_are_what_they_say() {
    let levels = levels();
    assert_eq!((Level::SCALAR.lanes(), Level::SCALAR.name()), (1, "scalar"));
    assert!(levels.is_sorted_by_key(|level| level.lanes()), "{levels:?}");
    #[cfg(target_arch = "x86_64")]
    {
        assert_eq!((Level::FOUR.lanes(), Level::FOUR.name()), (4, "SSE2"));
        assert_eq!(Level::detect().lanes() == 8, std::is_x86_feature_detected!("avx2"));
    }
    #[cfg(target_arch = "aarch64")]
    assert_eq!(levels.last().map(|level| (level.lanes(), level.name())), Some((4, "NEON")));
}

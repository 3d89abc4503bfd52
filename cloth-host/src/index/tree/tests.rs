use super::*;
use crate::index::Scan;
use crate::pose;
use cloth_core::Vec3;
use cloth_core::bake::Shapes;
use cloth_core::collide::{self, Collider, Kind};
use proptest::prelude::*;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { translation: [x, y, z], ..Pose::IDENTITY }
}

fn ball(x: f64) -> Body {
    let shape = Collider::sphere(0.5, collide::Pose::IDENTITY).expect("a sphere").known(0, 1, 1);
    Body { shape, pose: at(x, 0.0, 0.0) }
}

fn floor(y: f64) -> Body {
    let shape = Collider::plane(collide::Pose::IDENTITY).expect("a plane").known(0, 1, 1);
    Body { shape, pose: at(0.0, y, 0.0) }
}

fn point(x: f64) -> Bounds {
    Bounds { low: [x, 0.0, 0.0], high: [x, 0.0, 0.0] }
}

fn gathered(index: &impl ColliderIndex, bounds: Bounds) -> Vec<u64> {
    let mut handles = Vec::new();
    let query = Query { bounds, layer: 1, mask: 1, capacity: 64 };
    assert_eq!(index.gather(&query, &[], &mut |found| handles.push(found.handle.0)), 0);
    handles
}

#[test]
fn a_leaf_is_put_in_anew_when_its_body_leaves_it_and_shrinks_when_it_has_come_to_rest() {
    let mut tree = Tree::default();
    let handle = tree.insert(ball(0.0), &[]);
    let leaf = |tree: &Tree| match tree.bodies[0].home {
        Home::Leaf(leaf) => tree.boxes.bounds(leaf),
        Home::Aside => panic!("a ball has bounds"),
    };
    let first = leaf(&tree);
    tree.advance(&[]);
    tree.set_pose(handle, at(0.04, 0.0, 0.0), &[]);
    assert_eq!(leaf(&tree), first, "within its slack nothing moves but the body's own box");
    tree.advance(&[]);
    tree.set_pose(handle, at(20.0, 0.0, 0.0), &[]);
    assert!(leaf(&tree).high[0] > 20.5 && leaf(&tree).low[0] < 0.0, "all of its way");
    for _ in 0..2 {
        tree.advance(&[]);
    }
    assert!(leaf(&tree).low[0] > 19.0, "its way is over: {:?}", leaf(&tree));
    assert_eq!(gathered(&tree, point(19.6)), [0]);
    assert_eq!(gathered(&tree, point(10.0)), [] as [u64; 0]);
}

/// Half an ulp of `f32` is half a metre out here: boxes kept in it would lose a face.
#[test]
fn ten_thousand_kilometres_out_a_grazed_face_is_met() {
    let mut tree = Tree::default();
    for i in 0..64 {
        tree.insert(ball(1.0e7 + 3.0 * f64::from(i) + 0.3), &[]);
    }
    for i in 0..64_u32 {
        let face = 1.0e7 + 3.0 * f64::from(i) + 0.8;
        assert_eq!(gathered(&tree, point(face - 1.0e-7)), [u64::from(i)]);
        assert_eq!(gathered(&tree, point(face + 1.0e-6)), [] as [u64; 0]);
    }
}

#[test]
fn planes_and_what_is_not_finite_stand_aside() {
    let mut tree = Tree::default();
    let plane = tree.insert(floor(0.0), &[]);
    let lost = tree.insert(ball(f64::NAN), &[]);
    assert_eq!((tree.aside.len(), gathered(&tree, point(3.0e6))), (2, vec![0]));
    tree.set_pose(lost, at(1.0, 0.0, 0.0), &[]);
    tree.advance(&[]);
    tree.advance(&[]);
    assert_eq!((tree.aside.len(), gathered(&tree, point(1.2))), (1, vec![0, 1]));
    assert!(tree.remove(plane));
    assert!(tree.aside.is_empty());
}

#[test]
fn what_changes_is_told_for_two_ticks_where_it_was_and_where_it_is() {
    let mut tree = Tree::default();
    let handle = tree.insert(ball(0.0), &[]);
    tree.insert(ball(30.0), &[]);
    let changed = |tree: &Tree| [0.0, 5.0, 30.0, 90.0].map(|x| tree.changed_in(&point(x), 1, 1));
    assert_eq!(changed(&tree), [true, false, true, false]);
    assert!(!tree.changed_in(&point(0.0), 2, 1) && !tree.changed_in(&point(0.0), 1, 2));
    let quiet = |tree: &mut Tree| {
        tree.advance(&[]);
        tree.advance(&[]);
        assert_eq!(changed(tree), [false; 4]);
    };
    quiet(&mut tree);
    // It stands where it stood.
    tree.set_pose(handle, at(0.0, 0.0, 0.0), &[]);
    assert_eq!(changed(&tree), [false; 4]);
    tree.set_pose(handle, at(5.0, 0.0, 0.0), &[]);
    assert_eq!(changed(&tree), [true, true, false, false]);
    tree.advance(&[]);
    tree.set_pose(handle, at(20.0, 0.0, 0.0), &[]);
    assert_eq!(changed(&tree), [true, true, false, false], "what it left in the last tick");
    tree.advance(&[]);
    assert_eq!(changed(&tree), [false, true, false, false]);
    quiet(&mut tree);
    tree.replace(handle, ball(90.0), &[]);
    assert!(tree.changed_in(&point(20.0), 1, 1) && tree.changed_in(&point(90.0), 1, 1));
    quiet(&mut tree);
    let group = tree.insert_group(&[ball(0.0), ball(5.0)], &[]);
    assert_eq!(changed(&tree), [true, true, false, false]);
    quiet(&mut tree);
    tree.remove_group(group);
    assert_eq!(changed(&tree), [true, true, false, false]);
    quiet(&mut tree);
    tree.remove(handle);
    assert_eq!(changed(&tree), [false, false, false, true]);
    tree.insert(floor(-50.0), &[]);
    assert_eq!(changed(&tree), [true; 4], "a plane is everywhere");
    quiet(&mut tree);
}

#[test]
fn a_group_comes_and_goes_as_a_whole() {
    let mut tree = Tree::default();
    let single = tree.insert(ball(0.0), &[]);
    let group = tree.insert_group(&[ball(1.0), ball(2.0), floor(-5.0)], &[]);
    assert_eq!((tree.len(), group.0), (4, Handle(1)));
    assert_eq!(gathered(&tree, point(1.5)), [1, 2]);
    assert_eq!(tree.body(Handle(2)), Some(&ball(2.0)));
    let below = Bounds { low: [60.0, -6.0, 0.0], high: [60.0, -6.0, 0.0] };
    assert_eq!(gathered(&tree, below), [3]);
    // Its bodies stay where they are.
    assert!(!tree.remove(Handle(2)) && !tree.set_pose(Handle(1), Pose::IDENTITY, &[]));
    assert!(!tree.replace(Handle(2), ball(7.0), &[]) && !tree.remove_group(Group(Handle(2))));
    assert!(!tree.remove_group(Group(single)));
    let (before, size) = (tree.fingerprint(), tree.bytes());
    let empty = tree.insert_group(&[], &[]);
    assert!(tree.len() == 4 && tree.body(empty.0).is_none() && tree.remove_group(empty));
    let second = tree.insert_group(&vec![ball(9.0); 100], &[]);
    assert!(second > group && tree.bytes() >= size + 100 * size_of::<Body>());
    assert!(tree.remove_group(second) && !tree.remove_group(second));
    assert_eq!(tree.fingerprint(), before);
    assert!(tree.remove_group(group) && tree.aside.is_empty());
    assert_eq!(gathered(&tree, point(1.5)), [] as [u64; 0]);
}

#[test]
fn absorbed_is_what_would_have_been_inserted() {
    let (mut whole, mut tree, mut other) = (Tree::default(), Tree::default(), Tree::default());
    for index in [&mut whole, &mut tree] {
        index.insert(ball(0.0), &[]);
        index.insert_group(&[ball(1.0), ball(2.0)], &[]);
    }
    let gone = other.insert(ball(50.0), &[]);
    let mut inner = (Handle(0), Group(Handle(0)));
    for index in [&mut whole, &mut other] {
        inner = (index.insert(ball(3.0), &[]), index.insert_group(&[ball(4.0), floor(-1.0)], &[]));
    }
    other.remove(gone);
    let by = tree.absorb(other);
    assert_eq!((tree.len(), tree.fingerprint()), (6, whole.fingerprint()));
    let (single, group) = (inner.0.risen(by), inner.1.risen(by));
    assert_eq!(tree.body(single), Some(&ball(3.0)));
    assert_eq!(tree.body(group.0), Some(&ball(4.0)));
    assert_eq!(gathered(&tree, point(3.5)), [single.0, group.0.0]);
    assert!(tree.insert(ball(9.0), &[]) > group.0.risen(1));
    assert!(tree.set_pose(single, at(8.0, 0.0, 0.0), &[]) && tree.remove_group(group));
    assert_eq!(gathered(&tree, point(6.0)), [single.0]);
}

/// A step of a random program.
#[derive(Clone, Debug)]
enum Act {
    Insert(Draft),
    Group(Vec<Draft>),
    /// Another index of single bodies, the first of which goes before, and a group.
    Absorb(Vec<Draft>, Vec<Draft>),
    Remove(usize),
    Move(usize, [f64; 3], [f64; 4]),
    Replace(usize, Draft),
    Advance,
    Gather(Asked),
    /// A box that is one corner of what it asks for.
    Graze(usize, bool),
}

type Asked = ([f64; 3], [f64; 3], u32, usize);

#[derive(Clone, Debug)]
struct Draft {
    kind: usize,
    place: [f64; 3],
    rotation: [f64; 4],
    inflation: f32,
    layers: u32,
}

fn words() -> (Shapes, collide::Data) {
    let mut shapes = Shapes::new();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.5]];
    let data = shapes.hull(&corners).expect("a tetrahedron");
    (shapes, data)
}

impl Draft {
    fn body(&self, origin: f64, (shapes, data): &(Shapes, collide::Data)) -> Body {
        let here = collide::Pose::IDENTITY;
        let shape = match self.kind {
            0 => Collider::sphere(0.4, here),
            1 => Collider::capsule(0.7, 0.1, here),
            2 => Collider::cuboid(Vec3::new(0.2, 3.0, 0.4), here),
            3 => Collider::plane(here),
            _ => Collider::shaped(Kind::Hull, *data, shapes.words(), here),
        };
        let shape = shape.and_then(|shape| shape.touching(0.5, self.inflation)).expect("a shape");
        let mut shape = shape.known(0, 1 | self.layers, 1 | self.layers >> 1);
        if self.kind == 5 {
            // Words that are not there: everywhere, and no plane.
            shape.data = u32::MAX / 2;
        }
        let rotation = pose::unit(self.rotation).unwrap_or(pose::IDENTITY);
        Body { shape, pose: Pose { translation: add(self.place, [origin; 3]), rotation } }
    }
}

fn place() -> impl Strategy<Value = [f64; 3]> {
    // Few places, so that things meet, and coincide.
    proptest::array::uniform3(prop_oneof![(-4..4).prop_map(f64::from), -8.0..8.0])
}

fn draft() -> impl Strategy<Value = Draft> {
    let kinds = prop_oneof![8 => 0..3_usize, 1 => 3..6_usize];
    (kinds, place(), proptest::array::uniform4(-1.0..1.0), prop_oneof![Just(0.0_f32), 0.0..0.5_f32], 0..4_u32)
        .prop_map(|(kind, place, rotation, inflation, layers)| Draft {
            kind,
            place,
            rotation,
            inflation,
            layers,
        })
}

fn act() -> impl Strategy<Value = Act> {
    let some = || proptest::collection::vec(draft(), 1..6);
    let which = || 0..64_usize;
    let turn = || proptest::array::uniform4(-0.3..1.0);
    let near = proptest::array::uniform3(-0.04..0.04);
    let query = (place(), proptest::array::uniform3(0.0..6.0), 1..8_u32, 0..9_usize);
    prop_oneof![
        6 => draft().prop_map(Act::Insert),
        1 => some().prop_map(Act::Group),
        1 => (some(), some()).prop_map(|(single, group)| Act::Absorb(single, group)),
        3 => which().prop_map(Act::Remove),
        4 => (which(), place(), turn()).prop_map(|(which, by, turn)| Act::Move(which, by, turn)),
        4 => (which(), near).prop_map(|(which, by)| Act::Move(which, by, pose::IDENTITY)),
        1 => (which(), draft()).prop_map(|(which, draft)| Act::Replace(which, draft)),
        4 => Just(Act::Advance),
        4 => query.prop_map(Act::Gather),
        3 => (which(), proptest::bool::ANY).prop_map(|(which, high)| Act::Graze(which, high)),
    ]
}

/// A body or group of both indices, by its first handle in the tree.
#[derive(Clone, Debug)]
struct Alive {
    first: Handle,
    scan: Vec<Handle>,
    is_group: bool,
}

/// A change and where it may be noticed.
struct Change {
    tick: u64,
    of: Handle,
    bounds: Bounds,
    layers: [u32; 2],
}

/// Both indices and what happened to them.
struct Pair {
    tree: Tree,
    scan: Scan,
    alive: Vec<Alive>,
    changes: Vec<Change>,
    tick: u64,
    words: (Shapes, collide::Data),
    origin: f64,
}

impl Pair {
    fn changed(&mut self, of: Handle, previous: Pose, body: &Body) {
        let bounds = body.bounds(&previous, self.words.0.words()).grown(f64::from(body.shape.inflation));
        let layers = [body.shape.layer, body.shape.mask];
        self.changes.push(Change { tick: self.tick, of, bounds, layers });
    }

    fn came(&mut self, first: Handle, bodies: &[Body], is_group: bool) {
        let mut scan = Vec::new();
        for body in bodies {
            let handle = self.scan.insert(*body, self.words.0.words());
            self.changed(handle, body.pose, body);
            scan.push(handle);
        }
        self.alive.push(Alive { first, scan, is_group });
    }

    /// Where a body of the scan was when the tick began.
    fn previous(&self, handle: Handle) -> Pose {
        let mut previous = Pose::IDENTITY;
        let query =
            Query { bounds: Bounds::EVERYWHERE, layer: u32::MAX, mask: u32::MAX, capacity: usize::MAX };
        self.scan.gather(&query, self.words.0.words(), &mut |found| {
            if found.handle == handle {
                previous = found.previous;
            }
        });
        previous
    }

    fn act(&mut self, act: &Act) {
        let Self { words, origin, .. } = self;
        let (origin, words) = (*origin, words.clone());
        let shapes = words.0.words();
        let make =
            |drafts: &[Draft]| drafts.iter().map(|draft| draft.body(origin, &words)).collect::<Vec<_>>();
        let pick = |alive: &[Alive], which: usize| which.checked_rem(alive.len());
        match act {
            Act::Insert(draft) => {
                let body = draft.body(origin, &words);
                let first = self.tree.insert(body, shapes);
                self.came(first, &[body], false);
            }
            Act::Group(drafts) => {
                let bodies = make(drafts);
                let Group(first) = self.tree.insert_group(&bodies, shapes);
                self.came(first, &bodies, true);
            }
            Act::Absorb(single, group) => {
                let (single, group) = (make(single), make(group));
                let mut other = Tree::default();
                let handles: Vec<Handle> = single.iter().map(|body| other.insert(*body, shapes)).collect();
                other.remove(handles[0]);
                let Group(first) = other.insert_group(&group, shapes);
                let by = self.tree.absorb(other);
                for (handle, body) in handles.iter().zip(&single).skip(1) {
                    self.came(handle.risen(by), &[*body], false);
                }
                self.came(first.risen(by), &group, true);
            }
            Act::Remove(which) => {
                let Some(which) = pick(&self.alive, *which) else { return };
                let Alive { first, scan, is_group } = self.alive.remove(which);
                for handle in scan {
                    let body = *self.scan.body(handle).unwrap();
                    self.changed(handle, self.previous(handle), &body);
                    assert!(self.scan.remove(handle));
                }
                assert_eq!(self.tree.remove(first), !is_group);
                assert_eq!(self.tree.remove_group(Group(first)), is_group);
            }
            Act::Move(which, by, turn) => {
                let Some(which) = pick(&self.alive, *which) else { return };
                let Alive { first, scan, is_group } = self.alive[which].clone();
                let old = *self.scan.body(scan[0]).unwrap();
                let turn = pose::unit(*turn).unwrap_or(pose::IDENTITY);
                let pose = Pose {
                    translation: add(old.pose.translation, *by),
                    rotation: pose::times(turn, old.pose.rotation),
                };
                assert_eq!(self.tree.set_pose(first, pose, shapes), !is_group);
                if !is_group && !old.pose.is(&pose) {
                    assert!(self.scan.set_pose(scan[0], pose, shapes));
                    // Of several ways within a tick the last is the one.
                    let tick = self.tick;
                    self.changes.retain(|change| change.tick != tick || change.of != scan[0]);
                    self.changed(scan[0], self.previous(scan[0]), &Body { pose, ..old });
                }
            }
            Act::Replace(which, draft) => {
                let Some(which) = pick(&self.alive, *which) else { return };
                let Alive { first, scan, is_group } = self.alive[which].clone();
                let (old, body) = (*self.scan.body(scan[0]).unwrap(), draft.body(origin, &words));
                assert_eq!(self.tree.replace(first, body, shapes), !is_group);
                if !is_group {
                    self.changed(scan[0], self.previous(scan[0]), &old);
                    assert!(self.scan.replace(scan[0], body, shapes));
                    self.changed(scan[0], body.pose, &body);
                }
            }
            Act::Advance => {
                self.tree.advance(shapes);
                self.scan.advance(shapes);
                self.tick += 1;
            }
            Act::Gather((low, size, layers, capacity)) => {
                let low = add(*low, [origin; 3]);
                let bounds = Bounds { low, high: add(low, *size) };
                self.compare(&Query { bounds, layer: *layers, mask: layers >> 1 | 1, capacity: *capacity });
            }
            Act::Graze(which, high) => {
                let Some(which) = pick(&self.alive, *which) else { return };
                let handle = self.alive[which].scan[0];
                let (body, previous) = (self.scan.body(handle).unwrap(), self.previous(handle));
                let bounds = body.bounds(&previous, shapes).grown(f64::from(body.shape.inflation));
                let corner = if *high { bounds.high } else { bounds.low };
                if corner.iter().all(|x| x.is_finite()) {
                    let bounds = Bounds { low: corner, high: corner };
                    self.compare(&Query { bounds, layer: u32::MAX, mask: u32::MAX, capacity: 64 });
                }
            }
        }
        assert_eq!(self.tree.len(), self.scan.len());
        assert_eq!(self.tree.fingerprint(), self.scan.fingerprint());
    }

    fn compare(&self, query: &Query) {
        let shapes = self.words.0.words();
        let (mut expected, mut got) = (Vec::new(), Vec::new());
        let dropped =
            self.scan.gather(query, shapes, &mut |f| expected.push((f.handle, *f.body, f.previous)));
        let also_dropped =
            self.tree.gather(query, shapes, &mut |f| got.push((f.handle, *f.body, f.previous)));
        assert_eq!(also_dropped, dropped);
        assert_eq!(got.len(), expected.len());
        for ((handle, body, previous), (known, known_body, known_previous)) in got.into_iter().zip(expected) {
            // Handles of the tree rise with those of the scan.
            let alive = self.alive.iter().find(|alive| alive.scan.contains(&known)).unwrap();
            assert_eq!(handle.0 - alive.first.0, known.0 - alive.scan[0].0);
            assert_eq!(body, known_body);
            assert_eq!(self.tree.body(handle), Some(&body));
            assert!(previous.is(&known_previous));
        }
        let Query { bounds, layer, mask, .. } = *query;
        let mut recent = self.changes.iter().filter(|change| change.tick + 1 >= self.tick).peekable();
        let is_quiet = recent.peek().is_none();
        let meets = |change: &Change| {
            change.layers[1] & layer != 0 && mask & change.layers[0] != 0 && change.bounds.meets(&bounds)
        };
        let (told, has_changed) = (self.tree.changed_in(&bounds, layer, mask), recent.any(meets));
        assert!(told || !has_changed, "a change that is not told");
        assert!(!told || !is_quiet, "told of what did not happen");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..Default::default() })]

    /// Whatever comes, moves and goes, wherever in the world: what a scan answers, in its order, and every change told.
    #[test]
    fn a_tree_answers_what_a_scan_answers(
        acts in proptest::collection::vec(act(), 1..90),
        origin in prop_oneof![Just(0.0), Just(-1.0e7), Just(1.0e7), Just(1.0e13)],
    ) {
        let (tree, scan) = (Tree::default(), Scan::default());
        let mut pair =
            Pair { tree, scan, alive: Vec::new(), changes: Vec::new(), tick: 0, words: words(), origin };
        for act in &acts {
            pair.act(act);
        }
    }

    /// The same set, reached another way, has the same fingerprint and the same answers.
    #[test]
    fn history_leaves_no_trace(
        drafts in proptest::collection::vec(draft(), 1..12),
        detours in proptest::collection::vec((draft(), 0..12_usize), 0..12),
        low in place(),
    ) {
        let words = words();
        let shapes = words.0.words();
        let (mut straight, mut roundabout) = (Tree::default(), Tree::default());
        for (i, draft) in drafts.iter().enumerate() {
            let body = draft.body(0.0, &words);
            straight.insert(body, shapes);
            let guests: Vec<Handle> = detours.iter().filter(|(_, when)| *when == i)
                .map(|(guest, _)| roundabout.insert(guest.body(0.0, &words), shapes)).collect();
            let start = Pose { translation: sub(body.pose.translation, [1.0; 3]), ..body.pose };
            let handle = roundabout.insert(Body { pose: start, ..body }, shapes);
            roundabout.advance(shapes);
            roundabout.set_pose(handle, body.pose, shapes);
            for guest in guests {
                roundabout.remove(guest);
            }
        }
        roundabout.advance(shapes);
        prop_assert_eq!(straight.fingerprint(), roundabout.fingerprint());
        let bounds = Bounds { low, high: add(low, [3.0; 3]) };
        let query = Query { bounds, layer: u32::MAX, mask: u32::MAX, capacity: 4 };
        let bodies = |tree: &Tree| {
            let mut bodies = Vec::new();
            let dropped = tree.gather(&query, shapes, &mut |found| bodies.push((*found.body, found.previous)));
            (bodies, dropped)
        };
        prop_assert_eq!(bodies(&straight), bodies(&roundabout));
    }
}

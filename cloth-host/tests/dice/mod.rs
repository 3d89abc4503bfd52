//! What random programs against a world are made with.

/// A small generator of our own: programs are the same on every machine and for ever.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap_or(0)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// −1 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        [self.unit() * size, self.unit() * size, self.unit() * size]
    }

    pub fn rotation(&mut self) -> [f64; 4] {
        let [x, y, z] = self.vector(1.0);
        let w = self.unit();
        cloth_host::pose::unit([x, y, z, w]).unwrap_or([0.0, 0.0, 0.0, 1.0])
    }
}

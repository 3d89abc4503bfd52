//! What a measurement found, against its bar.

/// The figures of a measurement and whether all of them hold.
#[derive(Clone, Debug)]
pub struct Verdict {
    figures: Vec<String>,
    holds: bool,
    stands: bool,
}

impl Verdict {
    /// Nothing found yet, nothing wrong yet.
    #[expect(clippy::new_without_default, reason = "a verdict without a figure is not a sensible default")]
    pub fn new() -> Self {
        Self { figures: Vec::new(), holds: true, stands: true }
    }

    /// A figure the bar is about, and whether it holds. Those that don't are marked.
    pub fn check(&mut self, figure: impl AsRef<str>, holds: bool) {
        let figure = figure.as_ref();
        self.figures.push(if holds { figure.into() } else { format!("**{figure}**") });
        self.holds &= holds;
        self.stands &= holds;
    }

    /// A figure that is known to miss its bar: marked like any other, but no failure as long as it is within what has been
    /// `reached`.
    pub fn short(&mut self, figure: impl AsRef<str>, holds: bool, reached: bool) {
        let stands = self.stands;
        self.check(figure, holds);
        self.stands = stands && (holds || reached);
    }

    /// A figure the bar asks to be told without bounding it.
    pub fn tell(&mut self, figure: impl Into<String>) {
        self.figures.push(figure.into());
    }

    /// All figures in a line.
    pub fn figure(&self) -> String {
        self.figures.join(", ")
    }

    /// Whether nothing is worse than what has been reached.
    pub fn stands(&self) -> bool {
        self.stands && !self.figures.is_empty()
    }

    /// Whether every figure holds.
    pub fn holds(&self) -> bool {
        self.holds && !self.figures.is_empty()
    }
}

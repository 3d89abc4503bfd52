//! What a measurement found, against its bar.

/// The figures of a measurement and whether all of them hold.
#[derive(Clone, Debug)]
pub struct Verdict {
    figures: Vec<String>,
    holds: bool,
    stands: bool,
    /// Whether all the bar is about could be measured.
    measured: bool,
}

impl Verdict {
    /// Nothing found yet, nothing wrong yet.
    #[expect(clippy::new_without_default, reason = "a verdict without a figure is not a sensible default")]
    pub fn new() -> Self {
        Self { figures: Vec::new(), holds: true, stands: true, measured: true }
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

    /// What the bar is about and this machine cannot show: no failure, and no bar that holds.
    pub fn unmeasured(&mut self, what: impl AsRef<str>) {
        self.figures.push(format!("not measured here: {}", what.as_ref()));
        self.measured = false;
    }

    /// What came of it, in words.
    pub fn word(&self) -> &'static str {
        match (self.stands(), self.measured, self.holds()) {
            (false, ..) => "falls short",
            (true, false, _) => "not measured here",
            (true, true, true) => "holds",
            (true, true, false) => "falls short, no further than is known",
        }
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
        self.holds && self.measured && !self.figures.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_measured_does_not_hold_and_is_no_failure() {
        let mut verdict = Verdict::new();
        assert_eq!(verdict.word(), "falls short");
        verdict.check("1", true);
        assert_eq!(verdict.word(), "holds");
        verdict.unmeasured("2");
        assert_eq!((verdict.word(), verdict.holds(), verdict.stands()), ("not measured here", false, true));
        verdict.short("3", false, true);
        assert_eq!(verdict.word(), "not measured here");
        verdict.check("4", false);
        assert_eq!((verdict.word(), verdict.stands()), ("falls short", false));
    }
}

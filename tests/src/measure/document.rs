//! docs/measurements.md: a section for every measurement, in the order of [`super::ALL`].

use super::Measurement;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the file begins with.
const HEAD: &str = "\
# Measurements

What the solver does, measured. Made by

```sh
cargo run --release -p cloth-tests --bin measure -- --markdown
```

which writes the sections of the measurements it runs anew, all of them without names; don't edit it. A figure in bold falls short of its bar. Strains and energies are
computed in f64 from positions and velocities. Instruction counts depend on the compiler, and the skirts on the platform's
sine and cosine; every other figure is the same on every machine. What is marked (oracle) shows the vertex solver of `tests/src/oracle`, which the
record was measured on, and not the product's step. Rn is a case of the record's list (`tests/cases/README.md`, `tests/tests/cases.rs` and
`tests/tests/scene_cases.rs` hold those of this version). The workloads are described in `tests/src/workload/`.
";

/// Sections by the names of their measurements.
#[derive(Debug, Default)]
pub struct Document {
    sections: BTreeMap<String, String>,
}

impl Document {
    /// Reads a file that [`Document::text`] wrote.
    pub fn parse(text: &str) -> Self {
        let sections = text.split("\n## ").skip(1).filter_map(|section| {
            let (name, body) = section.split_once('\n')?;
            Some((name.to_owned(), body.trim().to_owned()))
        });
        Self { sections: sections.collect() }
    }

    /// Takes what a measurement said in place of what it said before.
    pub fn set(&mut self, measurement: &Measurement, said: &str, verdict: &str) {
        let body = format!("{}.\n\n{}\n\n{verdict}", measurement.about, said.trim());
        self.sections.insert(measurement.name.to_owned(), body);
    }

    /// The file: sections of measurements that are no more are left out.
    pub fn text(&self, order: &[Measurement]) -> String {
        let mut text = String::from(HEAD);
        for name in order.iter().map(|m| m.name) {
            if let Some(body) = self.sections.get(name) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\n## {name}\n\n{body}\n");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use super::*;

    #[test]
    fn what_is_measured_anew_is_replaced_and_the_rest_stays_in_order() {
        let [first, second, third] = [&ALL[0], &ALL[1], &ALL[2]];
        let mut document = Document::default();
        document.set(third, "| a |\n|---|\n| 1 |\n", "three");
        document.set(first, "text", "one");
        let written = document.text(ALL);
        let mut again = Document::parse(&written);
        assert_eq!(again.text(ALL), written);
        again.set(second, "new", "two");
        again.set(third, "other", "three");
        again.sections.insert("gone".into(), "long ago".into());
        let text = again.text(ALL);
        let places = [first, second, third].map(|m| text.find(&format!("\n## {}\n", m.name)));
        assert!(places.is_sorted() && places.iter().all(Option::is_some));
        assert!(text.contains("other\n\nthree\n") && !text.contains("| 1 |") && !text.contains("gone"));
    }
}

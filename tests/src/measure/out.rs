//! Where a measurement writes: the terminal as it goes, and a text to be kept.

use std::fmt::Write as _;
use std::io::Write;

/// Tables and lines of one measurement.
pub struct Out<'s> {
    sink: &'s mut dyn Write,
    text: String,
}

impl<'s> Out<'s> {
    /// Writes to `sink` and keeps the text.
    pub fn new(sink: &'s mut dyn Write) -> Self {
        Self { sink, text: String::new() }
    }

    /// A line.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        // A terminal that went away is no reason to fail a measurement; the kept text is whole either way.
        let _ = writeln!(self.sink, "{line}");
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A table, followed by an empty line.
    pub fn table(&mut self, table: &Table) {
        for line in table.lines() {
            self.line(line);
        }
        self.line("");
    }

    /// Everything written.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// A table that reads well in a terminal and is Markdown.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column heads.
    pub fn new<const N: usize>(head: [&str; N]) -> Self {
        Self { rows: vec![head.map(String::from).into()] }
    }

    /// A table with these column heads.
    pub fn of(head: Vec<String>) -> Self {
        Self { rows: vec![head] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn lines(&self) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| self.rows.iter().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|c| width(c).unwrap_or(0).max(3)).collect();
        let mut lines = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::from("|");
            for (c, &width) in widths.iter().enumerate() {
                let cell = row.get(c).map_or("", String::as_str);
                let _ = if c == 0 {
                    write!(line, " {cell:<width$} |")
                } else {
                    write!(line, " {cell:>width$} |")
                };
            }
            lines.push(line);
            if number == 0 {
                let rule = |(c, &w): (usize, &usize)| {
                    if c == 0 {
                        format!("|:{}", "-".repeat(w + 1))
                    } else {
                        format!("|{}:", "-".repeat(w + 1))
                    }
                };
                lines.push(widths.iter().enumerate().map(rule).collect::<String>() + "|");
            }
        }
        lines
    }
}

/// A number with three significant digits, in scientific form outside 0.001…10,000.
pub fn sci(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if (1e-3..1e4).contains(&size) {
        // Three digits: as many decimals as the size leaves room for.
        let decimals = if size >= 100.0 {
            0
        } else if size >= 10.0 {
            1
        } else if size >= 1.0 {
            2
        } else {
            4
        };
        format!("{value:.decimals$}")
    } else {
        format!("{value:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_aligned_markdown() {
        let mut table = Table::new(["name", "x"]);
        table.row(["a".into(), "12345".into()]);
        assert_eq!(table.lines(), ["| name |     x |", "|:-----|------:|", "| a    | 12345 |"]);
    }

    #[test]
    fn numbers_keep_three_digits() {
        assert_eq!(sci(0.0), "0");
        assert_eq!(sci(1.23456), "1.23");
        assert_eq!(sci(-123.4), "-123");
        assert_eq!(sci(0.012345), "0.0123");
        assert_eq!(sci(1.5e-11), "1.50e-11");
        assert_eq!(sci(f64::INFINITY), "inf");
    }
}

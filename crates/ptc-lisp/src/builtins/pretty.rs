//! `pprint` and `print-table`, which lay values out over several lines as `clojure.pprint` does.

use super::print::print_line;
use super::text::text_of;
use crate::bounded::Bounded;
use crate::builtins::prelude::*;
use crate::print::{Printer, pr_str};

/// Width of a line, with its break.
const WIDTH: usize = 72;
/// Largest number of bytes of a character.
const MAX_CHARACTER: usize = 4;

builtins! {
    pub(super) static ROWS;

    "pprint" = pprint;
    "print-table" = print_table;
}

fn pprint(cx: &mut Call, value: Value) -> Eval {
    let value = cx.realized(value)?;
    let line = cx.printed(Style::Readable, std::slice::from_ref(&value), " ")?;
    cx.tick_text(&line)?;
    if line.chars().count() <= WIDTH {
        return print_line(cx, &line);
    }
    let mut layout = Layout { out: Bounded::new(MAX_STRING), column: 0 };
    layout.write(&value, 0);
    let text = layout.out.finish();
    cx.allocate(text.len())?;
    print_line(cx, &text)
}

/// Text and the column at which it continues.
struct Layout {
    out: Bounded,
    column: usize,
}

impl Layout {
    /// Writes a value that is followed by this many characters on the same line, with the break.
    fn write(&mut self, value: &Value, closers: usize) {
        if self.out.is_full() {
            return;
        }
        if let Some(line) = self.on_line(value, closers) {
            return self.push(&line);
        }
        match value {
            Value::Vector(items) => {
                self.block(["[", "", "]"], items.len(), items.iter(), closers, Layout::write)
            }
            Value::List(items) => {
                self.block(["(", "", ")"], items.len(), items.iter(), closers, Layout::write)
            }
            Value::Set(set) => self.block(["#{", "", "}"], set.len(), set.keys(), closers, Layout::write),
            Value::Map(map) => self.block(["{", ",", "}"], map.len(), map.iter(), closers, Layout::entry),
            _ => self.push(&pr_str(value)),
        }
    }

    fn entry(&mut self, (key, value): (&Value, &Value), closers: usize) {
        let column = self.column;
        self.write(key, 0);
        match self.on_line(value, 1 + closers) {
            Some(_) => self.push(" "),
            None => self.break_line(column),
        }
        self.write(value, closers);
    }

    /// Text of a value, if it fits in the rest of the line with this many other characters.
    fn on_line(&self, value: &Value, others: usize) -> Option<EcoString> {
        let room = WIDTH.checked_sub(self.column + others)?;
        let mut printer = Printer::limited(Style::Readable, u64::MAX, room * MAX_CHARACTER);
        printer.write(value);
        let (line, _) = printer.finish();
        (line.chars().count() <= room).then_some(line)
    }

    /// Writes one item a line.
    fn block<T>(
        &mut self,
        [open, separator, close]: [&str; 3],
        count: usize,
        items: impl Iterator<Item = T>,
        closers: usize,
        write: impl Fn(&mut Layout, T, usize),
    ) {
        self.push(open);
        let column = self.column;
        for (index, item) in items.enumerate() {
            if self.out.is_full() {
                return;
            }
            if index > 0 {
                self.push(separator);
                self.break_line(column);
            }
            let after = 1 + if index + 1 == count { closers } else { separator.len() };
            guarded(|| write(self, item, after));
        }
        self.push(close);
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn break_line(&mut self, column: usize) {
        self.out.push_str("\n");
        self.out.push_str(&" ".repeat(column));
        self.column = column;
    }
}

fn print_table(cx: &mut Call, first: Value, second: Option<Value>) -> Eval {
    let (keys, rows) = match second {
        Some(rows) => (Some(first), rows),
        None => (None, first),
    };
    let rows = cx.items(rows)?;
    let keys = match (keys, rows.first()) {
        (_, None) => return Ok(Value::Nil),
        (Some(keys), _) => cx.items(keys)?,
        (None, Some(Value::Map(first))) => cx.all(Value::list(first.keys().cloned().collect::<Items>()))?,
        (None, Some(other)) => return cx.type_error("maps", other),
    };
    let mut table: Vec<Vec<EcoString>> = Vec::with_capacity(rows.len() + 1);
    table.push(keys.iter().map(|key| text_of(cx, key.clone())).collect::<Eval<_>>()?);
    for row in &rows {
        let Value::Map(_) = row else { return cx.type_error("maps", row) };
        cx.tick(keys.len())?;
        let cells = keys.iter().map(|key| {
            let cell = flexible::get(row, key).unwrap_or_default();
            text_of(cx, cell)
        });
        table.push(cells.collect::<Eval<_>>()?);
    }
    print_cells(cx, &table)
}

/// Prints right-aligned columns under a heading, after an empty line.
fn print_cells(cx: &mut Call, table: &[Vec<EcoString>]) -> Eval {
    let mut widths = vec![0; table.first().map_or(0, Vec::len)];
    for row in table {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    cx.println("")?;
    for (number, row) in table.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, width)| (" ", width - cell.chars().count(), &**cell));
        print_row(cx, ["| ", " | ", " |"], cells)?;
        if number == 0 {
            print_row(cx, ["|-", "-+-", "-|"], widths.iter().map(|width| ("-", *width, "")))?;
        }
    }
    Ok(Value::Nil)
}

/// Prints cells: a filler, the number of its repetitions and a text. Cuts lines above the limit of strings.
fn print_row<'a>(
    cx: &mut Call,
    [first, between, last]: [&str; 3],
    cells: impl Iterator<Item = (&'a str, usize, &'a str)>,
) -> Eval<()> {
    let mut line = EcoString::from(first);
    for (index, (filler, count, cell)) in cells.enumerate() {
        if line.len() > MAX_STRING {
            break;
        }
        if index > 0 {
            line.push_str(between);
        }
        line.push_str(&filler.repeat(count));
        line.push_str(cell);
    }
    line.push_str(last);
    cx.tick_text(&line)?;
    cx.println(&line)
}

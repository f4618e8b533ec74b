//! `pprint` and `print-table`: values laid out over several lines, as `clojure.pprint` lays them out.

use ecow::EcoString;

use super::text::text_of;
use super::{between, builtins, exactly, run_as};
use crate::error::{Eval, type_error};
use crate::eval::{Interpreter, infinite};
use crate::limits::MAX_STRING;
use crate::print::{Printer, Style, pr_str};
use crate::stack::guarded;
use crate::value::Value;

/// What a line may hold, its break included.
const WIDTH: usize = 72;
/// The most bytes that a character takes.
const MAX_CHARACTER: usize = 4;

builtins! {
    pub(super) static ROWS;

    /// Prints a value over as many lines as it takes.
    "pprint" [exactly(1)] = pprint => "(pprint {:a 1}) ;=> nil"
    /// Prints rows, maps, as a table of all keys or of those given first.
    "print-table" [between(1, 2)] = print_table => "(print-table [:a] [{:a 1}]) ;=> nil"
}

fn pprint(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let Some(value) = args.first() else { return Ok(Value::Nil) };
    if matches!(value, Value::Generator(_)) {
        return infinite();
    }
    let line = cx.printed(Style::Readable, args, " ")?;
    cx.tick_text(&line)?;
    let text = match args.first() {
        Some(value) if line.chars().count() > WIDTH => {
            let mut layout = Layout { out: EcoString::new(), column: 0 };
            layout.write(value, 0);
            cx.allocate(layout.out.len())?;
            layout.out
        }
        _ => line,
    };
    cx.println(&text)?;
    Ok(Value::Nil)
}

/// Text and the column at which it goes on. It ends soon after it is longer than a string may be: what is
/// nested deeply is indented deeply, and every line anew.
struct Layout {
    out: EcoString,
    column: usize,
}

impl Layout {
    /// A value after which `closers` characters stand on the same line, a break among them.
    fn write(&mut self, value: &Value, closers: usize) {
        if let Some(line) = self.on_line(value, closers) {
            return self.push(&line);
        }
        match value {
            Value::Vector(items) => self.block("[", "]", items.iter(), closers),
            Value::List(items) => self.block("(", ")", items.iter(), closers),
            Value::Set(set) => self.block("#{", "}", set.keys(), closers),
            Value::Map(map) => self.map(map, closers),
            _ => self.push(&pr_str(value)),
        }
    }

    /// The text of a value, if it fits what is left of the line beside so many other characters. No more of it
    /// is printed than it takes to tell.
    fn on_line(&self, value: &Value, others: usize) -> Option<EcoString> {
        let room = WIDTH.checked_sub(self.column + others)?;
        let mut printer = Printer::limited(Style::Readable, u64::MAX, room * MAX_CHARACTER);
        printer.write(value);
        let (line, _) = printer.finish();
        (line.chars().count() <= room).then_some(line)
    }

    /// One item a line.
    fn block<'a>(
        &mut self,
        open: &str,
        close: &str,
        items: impl ExactSizeIterator<Item = &'a Value>,
        closers: usize,
    ) {
        self.push(open);
        let (column, count) = (self.column, items.len());
        for (number, item) in items.enumerate() {
            if self.is_full() {
                return;
            }
            if number > 0 {
                self.break_line(column);
            }
            let after = if number + 1 == count { closers + 1 } else { 1 };
            guarded(|| self.write(item, after));
        }
        self.push(close);
    }

    fn map(&mut self, map: &crate::table::Map, closers: usize) {
        self.push("{");
        let (column, count) = (self.column, map.len());
        for (number, (key, value)) in map.iter().enumerate() {
            if self.is_full() {
                return;
            }
            if number > 0 {
                self.push(",");
                self.break_line(column);
            }
            let after = 1 + if number + 1 == count { closers } else { 1 };
            guarded(|| self.write(key, 0));
            match self.on_line(value, 1 + after) {
                Some(_) => self.push(" "),
                None => self.break_line(column),
            }
            guarded(|| self.write(value, after));
        }
        self.push("}");
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn break_line(&mut self, column: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', column));
        self.column = column;
    }

    fn is_full(&self) -> bool {
        self.out.len() > MAX_STRING
    }
}

fn print_table(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let Some((rows, keys)) = args.split_last_mut() else { return Ok(Value::Nil) };
    let rows = cx.items("print-table", rows.take())?;
    let Some(first) = rows.first() else { return Ok(Value::Nil) };
    let keys = match keys {
        [keys] => keys.take(),
        _ => run_as(cx, "keys", &mut [first.clone()])?,
    };
    let keys = cx.items("print-table", keys)?;
    let mut table: Vec<Vec<EcoString>> = Vec::with_capacity(rows.len() + 1);
    table.push(keys.iter().map(|key| text_of(cx, key.clone())).collect::<Eval<_>>()?);
    for row in &rows {
        let Value::Map(_) = row else { return type_error("print-table", "maps", row) };
        cx.tick(keys.len())?;
        let cells = keys.iter().map(|key| {
            let cell = crate::flexible::get(row, key).unwrap_or_default();
            text_of(cx, cell)
        });
        table.push(cells.collect::<Eval<_>>()?);
    }
    print_cells(cx, &table)
}

/// Right-aligned columns under a heading, after an empty line.
fn print_cells(cx: &mut Interpreter<'_>, table: &[Vec<EcoString>]) -> Eval {
    let width = |column: usize| {
        table.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.first().map_or(0, Vec::len)).map(width).collect();
    cx.println("")?;
    for (number, row) in table.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, width)| (" ", width - cell.chars().count(), &**cell));
        print_line(cx, ["| ", " | ", " |"], cells)?;
        if number == 0 {
            print_line(cx, ["|-", "-+-", "-|"], widths.iter().map(|width| ("-", *width, "")))?;
        }
    }
    Ok(Value::Nil)
}

/// Prints cells, each behind what it is filled up with: the filler and how often it stands there. Of a line
/// that is longer than a string may be, the rest is left out.
fn print_line<'a>(
    cx: &mut Interpreter<'_>,
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

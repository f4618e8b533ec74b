//! The program in a terminal, and what it draws there.

use std::fs::File;
use std::io::{Read, Write};

use nix::pty::{Winsize, openpty};
use nix::sys::termios::{LocalFlags, SetArg, cfmakeraw, tcgetattr, tcsetattr};

use super::suite::{Ran, SUM, Suite};

pub const ROWS: u16 = 24;
pub const COLUMNS: u16 = 80;
pub const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";

impl Suite {
    /// Runs the program in a terminal of this size in which these keys are pressed.
    pub fn run_in_terminal(&self, (rows, columns): (u16, u16), arguments: &[&str], keys: &str) -> Ran {
        self.converse((rows, columns), arguments, "xterm", &[("", keys)])
    }

    /// Runs the program in a terminal that takes whole lines and can draw nothing.
    pub fn run_by_lines(&self, arguments: &[&str], lines: &str) -> Ran {
        self.converse((ROWS, COLUMNS), arguments, "dumb", &[("", &format!("{lines}{CTRL_D}"))])
    }

    /// Runs the program in a terminal of a kind; each text that is awaited is followed by keys.
    pub fn converse(
        &self,
        (rows, columns): (u16, u16),
        arguments: &[&str],
        kind: &str,
        keys: &[(&str, &str)],
    ) -> Ran {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = openpty(&size, None).unwrap();
        // Keys are neither echoed nor made signals before the program reads them.
        let mut settings = tcgetattr(&terminal.slave).unwrap();
        cfmakeraw(&mut settings);
        if kind == "dumb" {
            settings.local_flags |= LocalFlags::ICANON;
        }
        tcsetattr(&terminal.slave, SetArg::TCSANOW, &settings).unwrap();
        let home = self.path().join("home").display().to_string();
        let mut command = self.command(arguments, &[("TERM", kind), ("HOME", &home), ("XDG_STATE_HOME", "")]);
        command.stdin(terminal.slave.try_clone().unwrap()).stdout(terminal.slave);
        let child = command.spawn().unwrap();
        drop(command);
        let mut screen = File::from(terminal.master);
        let (mut drawn, mut seen) = (Vec::new(), 0);
        for (awaited, keys) in keys {
            let mut buffer = [0; 4096];
            let found = loop {
                let text = String::from_utf8_lossy(&drawn[seen..]);
                if let Some(at) = text.find(awaited) {
                    break at + awaited.len();
                }
                let count = screen.read(&mut buffer).unwrap();
                drawn.extend_from_slice(&buffer[..count]);
            };
            seen += found;
            screen.write_all(keys.as_bytes()).unwrap();
        }
        // Linux ends the output with an error.
        let _ = screen.read_to_end(&mut drawn);
        let mut ran = child.wait_with_output().unwrap();
        ran.stdout = drawn;
        Ran::from(ran)
    }
}

/// The rows of the last screen that was drawn.
pub fn last_screen(ran: &Ran) -> Vec<String> {
    let screens = ran.out.split("\u{1b}[H").skip(1);
    let last = screens.last().and_then(|screen| screen.split_once("\u{1b}[J")).unwrap().0;
    last.split("\r\n").map(|row| row.strip_suffix("\u{1b}[K").unwrap().to_owned()).collect()
}

fn width(line: &str) -> usize {
    console::measure_text_width(line)
}

#[test]
fn columns_stand_side_by_side_and_long_lines_go_on_below() {
    let mission = "日本".repeat(30);
    let suite = Suite::with(&[("s", &SUM.replace("Add the numbers.", &mission))]);
    let arguments = ["diff", "--strategies", "full-history", "aggressive", "s", "--turn", "2"];
    let ran = suite.run_in_terminal((ROWS, 43), &arguments, "");
    ran.ends(0).says("\n日本日本日本日本日本   日本日本日本日本日本\n日本日本日本日本日本   ");
    ran.says("\nTurn 2 of 5          <\n").says(" | ;; output: seen ");
    assert!(ran.out.lines().all(|line| width(line) <= 43), "{}", ran.out);
}

#[test]
fn the_recommendation_fits_into_the_terminal() {
    let suite = Suite::with_evidence();
    for columns in [35, 44] {
        let ran = suite.run_in_terminal((ROWS, columns), &["run", "--accept"], "");
        let lines = ran.ends(0).out.lines().skip_while(|line| !line.starts_with("Try "));
        let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line) <= columns.into()), "{}", ran.out);
        let next = lines[1].split(' ').next().unwrap();
        assert!(width(lines[0]) + 1 + width(next) > columns.into(), "{}", ran.out);
    }
}

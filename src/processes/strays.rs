//! Processes that left their group, such as with `setsid`. Linux hands them to the nearest ancestor that asks for them once their parent
//! has ended.

use std::fs;
use std::time::Duration;

use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

/// Rounds of looking for children. Each ended process may hand over its own children.
const ROUNDS: usize = 100;
/// Time for the system to hand over the children of an ended process.
const STEP: Duration = Duration::from_millis(2);

/// Asks for processes whose parent ends. Returns false if the system refuses.
pub fn adopt() -> bool {
    set_child_subreaper(true).is_ok()
}

/// Kills all children of this process until there are none. Call it when each child is a stray.
pub fn end() {
    for _ in 0..ROUNDS {
        let children = children();
        if children.is_empty() {
            return;
        }
        for child in children {
            let _ = kill(child, Signal::SIGKILL);
            let _ = waitpid(child, Some(WaitPidFlag::WNOHANG));
        }
        std::thread::sleep(STEP);
    }
}

/// The children of this process, by the table of processes.
fn children() -> Vec<Pid> {
    let own = std::process::id().to_string();
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let Ok(about) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name of the program stands in brackets and may hold anything; the state and the parent follow.
        let parent = about.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        if parent == Some(own.as_str()) {
            children.push(Pid::from_raw(id));
        }
    }
    children
}

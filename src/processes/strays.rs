//! Kills strays: processes that left their group, for example with `setsid`. When the parent of a stray exits, Linux makes the nearest
//! subreaper among its ancestors the new parent.

use std::fs;
use std::time::Duration;

use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

/// Maximum rounds of killing. Each killed process may leave children to adopt.
const ROUNDS: usize = 100;
/// Time until the system reparents the children of a killed process.
const STEP: Duration = Duration::from_millis(2);

/// Makes this process a subreaper. Returns false if the system refuses.
pub fn adopt() -> bool {
    set_child_subreaper(true).is_ok()
}

/// Kills all children of this process until there are none. Call it only when all children are strays.
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

/// The children of this process, from `/proc`.
fn children() -> Vec<Pid> {
    let own = std::process::id().to_string();
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let Ok(about) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The program name is in parentheses and may contain anything. State and parent follow.
        let parent = about.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        if parent == Some(own.as_str()) {
            children.push(Pid::from_raw(id));
        }
    }
    children
}

//! The inputs that fuzzing found, which `packed.py` packs into a file for each target.

use std::fs;
use std::path::Path;

/// The inputs of a target; `root` is the folder of the workspace.
pub fn inputs(root: &str, target: &str) -> Vec<Vec<u8>> {
    let packed = fs::read(Path::new(root).join("fuzz/corpus").join(target)).unwrap();
    let (mut rest, mut inputs) = (&packed[..], Vec::new());
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
        let length: usize = std::str::from_utf8(&rest[..end]).unwrap().parse().unwrap();
        let (input, after) = rest[end + 1..].split_at(length);
        inputs.push(input.to_vec());
        rest = after.strip_prefix(b"\n").unwrap();
    }
    inputs
}

//! Programs of a shell that only read, and the options with which they write.

use history_evidence::refetches::only_reads;

fn words(command: &str) -> Vec<String> {
    command.split(' ').map(str::to_owned).collect()
}

/// Each of these counted as reading, because any argument with the name of a reading command was enough.
#[test]
fn programs_that_write_are_no_readers() {
    for command in [
        "git rm show",
        "git branch -D log",
        "git -C repo checkout status",
        "git log --output=log.txt",
        "git diff --outp diff.txt",
        "git grep -Ovim name",
        "git -c core.pager=tee log",
        "gh pr merge list",
        "gh issue close status",
        "xargs rm cat",
        "xargs -n 1 sed -i s/a/b/ ls",
        "xargs uniq",
        "sort -o out in",
        "sort -uo out in",
        "sort --output=out in",
        "sort --out out in",
        "uniq in out",
        "uniq -f 1 in out",
        "tree -o listing.txt",
        "tree -R -L 2",
        "xargs --replace rm cat",
        "xargs --max-lines rm cat",
        "git --exec-path=bin log",
        "gh pr view 12 --web",
        "less -o log.txt in",
        "fd -e rs -x rm",
        "fd --exec rm",
        "rg --pre ./convert name",
        "file -C -m magic",
        "find . -okdir rm ;",
        "find . -fprintf out %p",
        "find . -fls out",
        "sed -n -i 1,2p file",
        "sed -ni 1,2p file",
        "sed -n --in-place 1,2p file",
        "sed -n wout file",
        "sed -n s/a/b/w file",
        "sed -n s/a/b/e file",
        "sed -n -f script file",
        "rm file",
    ] {
        assert!(!only_reads(&words(command)), "{command}");
    }
}

#[test]
fn programs_that_only_read_are_readers() {
    for command in [
        "git show HEAD:src/main.rs",
        "git --no-pager -C repo log --oneline -5",
        "git diff -- --output",
        "git diff -Oorder",
        "gh pr view 12 --comments",
        "gh -R owner/name pr diff 12",
        "gh search issues output",
        "xargs -0 -n 1 grep -n name",
        "xargs -I {} sed -n 1,5p {}",
        "xargs -r cat",
        "xargs --replace=X grep X",
        "xargs --max-args 1 cat",
        "xargs",
        "sort -k 2 -t : file",
        "sort -- -o",
        "uniq -c in",
        "uniq -f 1 in",
        "tree -L 2 src",
        "grep -o name file",
        "ls -o",
        "fd -e rs name",
        "find . -name *.rs -print",
        "sed -n 12,40p file",
        "sed -n /from/,/to/p file",
        "sed -n s/wide/w/p file",
        "sed -nE -e /a|b/p file",
    ] {
        assert!(only_reads(&words(command)), "{command}");
    }
}

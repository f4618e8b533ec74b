//! Rules of evidence one by one: each test fails if one condition of a rule is left out.

use serde_json::json;

use crate::evidence::needed_after;

const LINE: &str = "take the sum of all old orders there";
const NEW: &str = "here is a line that nobody has written";

/// The evidence of the last answer, whose call has this text.
fn needed_by_text(told: &str, text: &str) -> Vec<String> {
    needed_after(told, &[json!({ "text": text })])
}

#[test]
fn a_patch_keeps_lines_by_each_of_its_marks() {
    for mark in ["*** Begin Patch\n", "short\n@@ 1\n", "short\n+++ b\n"] {
        let patch = |sign: &str| needed_by_text(LINE, &format!("{mark}{sign}{LINE}\n+{NEW}"));
        assert_eq!(patch("-"), [LINE], "{mark:?}");
        assert_eq!(patch("+"), [""; 0], "{mark:?}");
    }
}

#[test]
fn rows_of_new_lines_are_not_copied() {
    let new: Vec<String> = (1..=3).map(|row| format!("take the row of item {row} from there")).collect();
    let told: String = new.iter().map(|line| format!("then {line}, please\n")).collect();
    assert_eq!(needed_by_text(&told, &[new.join("\n"), LINE.to_owned()].join("\n")), [""; 0]);
}

#[test]
fn a_result_has_the_line_behind_its_number_and_not_behind_words() {
    // A text of one line is a fact as a whole.
    let twice = format!("{LINE}\n{LINE}");
    for told in [format!("12: {LINE}"), format!("src/a.rs:12:{LINE}"), format!("+{LINE}")] {
        assert_eq!(needed_by_text(&told, &twice), [LINE], "{told}");
    }
    for told in [format!("see the file: 12: {LINE}"), format!("| {LINE}")] {
        assert_eq!(needed_by_text(&told, &twice), [""; 0], "{told}");
    }
}

#[test]
fn a_result_has_the_lines_inside_its_json_strings() {
    let lines = [
        r#"print("the sum of all old orders:", total)"#,
        r#"write(file, "take the next row\n", rows)"#,
        "take the sum\tof all old orders there",
    ];
    for line in lines {
        for file in [format!("first\n{line}\nlast"), format!("first\n  12\t{line}\n  13\tlast")] {
            let told = json!({ "output": file }).to_string();
            let needed = needed_by_text(&told, &format!("{line}\n{line}"));
            assert!(needed.contains(&line.to_owned()), "{told}: {needed:?}");
        }
    }
}

#[test]
fn short_lines_of_earlier_texts_define_names_again() {
    let short = "let row_8 = 1;";
    for told in [format!("row_8\n{short}"), format!("row_8\n\"{NEW}\\n{short}\"")] {
        let long = "let all = add_everything(orders);";
        let mut needed = needed_by_text(&told, &[long, short].join("\n"));
        needed.retain(|name| name == "row_8");
        assert_eq!(needed, [""; 0], "{told}");
    }
    let [first, second] = [NEW.to_owned(), format!("{NEW} yet")].map(|new| format!("{new}\n{short}"));
    let answers = [json!({ "text": first }), json!({ "text": second })];
    assert!(!needed_after("row_8", &answers).contains(&"row_8".to_owned()));
}

#[test]
fn code_defines_names_behind_each_declaration() {
    for word in ["let", "let mut", "const", "var", "val"] {
        let code = |word: &str| needed_by_text("row_8", &format!("{NEW}\n{word} row_8 = 1;"));
        assert_eq!(code(word), [""; 0], "{word}");
        assert_eq!(code("use"), ["row_8"]);
    }
}

#[test]
fn a_line_with_a_mark_of_code_has_no_names() {
    assert_eq!(needed_by_text("Mei Lin", "We saw Mei Lin there."), ["Mei Lin"]);
    for mark in ["(", ")", "{", "}", "[", "]", "=", "<", ">", "_", "\\"] {
        assert_eq!(
            needed_by_text("Mei Lin", &format!("We saw Mei Lin there {mark} now.")),
            [""; 0],
            "{mark}"
        );
    }
}

#[test]
fn an_amount_of_money_counts_however_small_it_is() {
    let says = |told: &str, sentence: &str| needed_after(told, &[format!("SAYS {sentence}").into()]);
    assert_eq!(says("it is 12.50", "It costs $12.50."), ["12.5"]);
    assert_eq!(says("it is 64", "It costs $64 now."), ["64"]);
    assert_eq!(says("it is 64", "It costs 64 now."), [""; 0]);
}

#[test]
fn a_heading_has_no_names() {
    let says = |line: &str| needed_after("Mei Lin", &[format!("SAYS So:\n{line}\nDone.").into()]);
    for heading in ["## Mei Lin", "**Mei Lin**", "**Mei Lin:**", "  **Mei Lin**:"] {
        assert_eq!(says(heading), [""; 0], "{heading}");
    }
    for line in ["**Mei Lin** and **Bo**", "**Mei Lin** came", "Mei Lin", "- **Mei Lin**", "so **Mei Lin**"] {
        assert_eq!(says(line), ["Mei Lin"], "{line}");
    }
}

/// The evidence of a call, after another one has said a text.
fn needed_again(said: &str, call: serde_json::Value) -> Vec<String> {
    needed_after("so", &[json!({ "text": said }), call])
}

#[test]
fn a_search_for_what_only_the_model_has_said_is_a_guess() {
    let tool = |name: &str| needed_again("row_8", json!([name, { "name": "row_8" }]));
    for name in ["search_code", "find_name", "grep_files", "glob_paths", "reGrep"] {
        assert_eq!(tool(name), [""; 0], "{name}");
    }
    assert_eq!(tool("read"), ["row_8"]);
    let command = |text: &str| needed_again("row_8", json!(["sh", { "command": text }]));
    for search in
        ["grep", "rg", "egrep", "fgrep", "ag", "ack", "find", "fd", "find_file", "locate", "git grep"]
    {
        assert_eq!(command(&format!("{search} row_8")), [""; 0], "{search}");
    }
    for beside in ["head", "tail", "sort", "uniq", "wc", "cut", "xargs", "echo", "cat"] {
        assert_eq!(command(&format!("grep row_8 | {beside}")), [""; 0], "{beside}");
    }
    assert_eq!(command("cd src && grep row_8"), [""; 0]);
    for other in ["mend row_8", "grep row_8 | mend", "mend && grep row_8", "cat row_8"] {
        assert_eq!(command(other), ["row_8"], "{other}");
    }
}

#[test]
fn a_search_for_lines_that_only_the_model_has_said_is_a_guess() {
    let twice = format!("{LINE}\n{LINE}");
    let search = format!("grep {LINE}\ngrep {LINE}");
    assert_eq!(needed_again(&twice, json!(["grep_files", { "text": twice }])), [""; 0]);
    assert_eq!(needed_again(&search, json!(["sh", { "text": search }])), [""; 0]);
    assert_eq!(needed_again(&twice, json!(["sh", { "text": twice }])), [LINE]);
}

#[test]
fn a_command_of_one_line_is_copied_from_another_parameter() {
    assert_eq!(needed_again(LINE, json!(["sh", { "command": LINE }])), [LINE]);
    assert_eq!(needed_again(LINE, json!(["pick", { "text": LINE }])), [""; 0]);
    let twice = format!("{LINE}\n{LINE}");
    assert_eq!(needed_again(&twice, json!(["sh", { "command": twice }])), [""; 0]);
}

#[test]
fn numbers_in_calls_that_are_code_count_if_they_are_not_round() {
    let told = "1200 1234 row_8 tools.row_9";
    let code = |text: &str| needed_after(told, &[json!(["exec", text])]);
    assert_eq!(code("use(1200, row_8)"), ["row_8"]);
    assert_eq!(code("use(1234, row_8)"), ["1234", "row_8"]);
    assert_eq!(code("let row_8 = compute_all(of, these, things);"), [""; 0]);
    assert_eq!(code("tools.row_9()"), [""; 0]);
}

#[test]
fn bounds_are_chosen_and_sums_are_not() {
    let call = |arguments: serde_json::Value| needed_after("1234 and 37 and 41", &[arguments]);
    for name in ["wait_ms", "max_rows", "limit", "Offset", "page", "timeout", "lines"] {
        assert_eq!(call(json!({ name: 1234 })), [""; 0], "{name}");
    }
    assert_eq!(call(json!({ "cost": 1234 })), ["1234"]);
    assert_eq!(call(json!({ "sum": "37 + 41" })).len(), 2);
    for chosen in ["+37", "37 41", "37 plus 41"] {
        assert_eq!(call(json!({ "sum": chosen })), [""; 0], "{chosen}");
    }
}

#[test]
fn a_place_in_a_file_is_told_as_a_place() {
    let read = |told: &str| {
        let needed = needed_after(told, &[json!({ "path": "src/row_8.ts", "offset": 1234 })]);
        needed.contains(&"1234".to_owned())
    };
    for place in [
        "src/row_8.ts:1234: sum()",
        "src/row_8.ts(1234,9): error",
        "row src/row_8.ts, lines 1234 to 1240",
        "src/row_8.ts\n1234: sum()",
        "src/row_8.ts\n  1234→sum()",
        "src/row_8.ts [use offset=1234 to go on]",
        "{\"path\": \"src/row_8.ts\", \"startLine\": 1234}",
        "--- src/row_8.ts\n@@ -1234,7 +1234,9 @@",
    ] {
        assert!(read(place), "{place}");
    }
    for other in
        ["Changed 1234 characters in src/row_8.ts", "src/row_8.ts (1234%)", "src/row_8.ts 1234 bytes"]
    {
        assert!(!read(other), "{other}");
    }
}

#[test]
fn a_program_documents_the_fields_it_prints() {
    let told = "closedAt mergeStateStatus row_8 order_417";
    let command = |text: &str| needed_after(told, &[json!({ "command": text })]);
    for known in [
        "gh issue view row_8 --json closedAt,mergeStateStatus",
        "gh issue view row_8 --json=closedAt",
        "gh issue view row_8 --json \"closedAt\" --jq .closedAt",
        "run({cmd: \"gh pr view row_8 --json state,closedAt\",\nlimit: 9})",
    ] {
        assert_eq!(command(known), ["row_8"], "{known}");
    }
    assert_eq!(command("list closedAt row_8"), ["closedAt", "row_8"]);
    assert_eq!(command("list --json order_417"), ["order_417"]);
    assert_eq!(command("list --json row_8"), ["row_8"]);
}

#[test]
fn a_percentage_and_an_example_of_lines_are_chosen() {
    let says = |text: &str| {
        needed_after("100 rows, 200 rows, lines 1-10 and 19-222", &[json!(format!("SAYS {text}"))])
    };
    assert_eq!(says("share = own / all * 100, as lines 1-10 show"), [""; 0]);
    assert_eq!(says("It has 200 rows."), ["200"]);
    assert_eq!(says("It has lines 19-222."), ["19-222"]);
}

#[test]
fn the_number_of_a_heading_is_no_source_of_a_count() {
    let says = |told: &str| {
        let needed = needed_after(told, &[json!("SAYS The file src/row_8.ts changes 10 times.")]);
        needed.contains(&"10".to_owned())
    };
    assert!(!says("### 10. Setup\nsee src/row_8.ts"));
    assert!(!says("## **10. Setup**\nsee src/row_8.ts"));
    for count in ["10. Setup", "### 10 changes", "### Setup 10.", "10 changes"] {
        assert!(says(&format!("{count}\nsee src/row_8.ts")), "{count}");
    }
}

#[test]
fn parts_of_a_known_address_are_known() {
    let told = "https://claude.com/claude-code https://vexel.io/a_8";
    assert_eq!(needed_after(told, &[json!("SAYS by https://claude.com/claude-code")]), [""; 0]);
    assert!(!needed_after(told, &[json!("SAYS by https://vexel.io/a_8")]).is_empty());
}

//! Output. Nothing is written anywhere: prints are captured by the interpreter.

use ecow::EcoString;

use super::format::format_arguments;
use super::{Builtin, at_least, exactly, row};
use crate::error::Eval;
use crate::eval::{Interpreter, infinite};
use crate::print::Style;
use crate::value::Value;

pub(super) static ROWS: &[Builtin] = &[
    row("flush", exactly(0), |_, _| Ok(Value::Nil), "Does nothing: output is captured.", "(flush) ;=> nil"),
    Builtin {
        name: "newline",
        arity: exactly(0),
        run: newline,
        doc: "Ends the pending line of output.",
        example: "(newline) ;=> nil",
    },
    Builtin {
        name: "pr",
        arity: at_least(0),
        run: pr,
        doc: "Appends values, as the reader reads them, to the pending line of output.",
        example: r#"(pr "a" :b) ;=> nil"#,
    },
    Builtin {
        name: "print",
        arity: at_least(0),
        run: print,
        doc: "Appends values to the pending line of output.",
        example: r#"(print "a" :b) ;=> nil"#,
    },
    Builtin {
        name: "print-str",
        arity: at_least(0),
        run: print_str,
        doc: "What print would print, as a string.",
        example: r#"(print-str "a" [:b "c"]) ;=> "a [:b c]""#,
    },
    Builtin {
        name: "printf",
        arity: at_least(1),
        run: printf,
        doc: "Appends a formatted text to the pending line of output; see format.",
        example: r#"(printf "%d items" 3) ;=> nil"#,
    },
    Builtin {
        name: "println",
        arity: at_least(0),
        run: println,
        doc: "Prints values, with spaces between them, as one line of output.",
        example: r#"(println "total:" 3) ;=> nil"#,
    },
    row(
        "println-str",
        at_least(0),
        println_str,
        "What println would print, as a string with a line break at its end.",
        r#"(println-str "a" :b) ;=> "a :b\n""#,
    ),
    Builtin {
        name: "prn",
        arity: at_least(0),
        run: prn,
        doc: "Prints values, as the reader reads them, as one line of output.",
        example: r#"(prn "a" :b) ;=> nil"#,
    },
    Builtin {
        name: "prn-str",
        arity: at_least(0),
        run: prn_str,
        doc: "What prn would print, as a string with a line break at its end.",
        example: r#"(prn-str "a" :b) ;=> "\"a\" :b\n""#,
    },
];

/// `(with-out-str body…)`, reached through a special form with its body as a function.
pub static WITH_OUT_STR: Builtin = Builtin {
    name: "with-out-str",
    arity: exactly(1),
    run: |cx, args| {
        let text = cx.printed_by(|cx| cx.call(args.first().unwrap_or(&Value::Nil), &mut []))?;
        cx.string(text)
    },
    doc: "",
    example: "",
};

/// The values with a space between each two.
pub(super) fn printed(cx: &mut Interpreter<'_>, style: Style, values: &[Value]) -> Eval<EcoString> {
    if values.iter().any(|value| matches!(value, Value::Generator(_))) {
        return infinite();
    }
    let text = cx.printed(style, values, " ")?;
    cx.tick_text(&text)?;
    Ok(text)
}

fn println(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Plain, args)?;
    cx.println(&text)?;
    Ok(Value::Nil)
}

fn prn(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Readable, args)?;
    cx.println(&text)?;
    Ok(Value::Nil)
}

fn newline(cx: &mut Interpreter<'_>, _: &mut [Value]) -> Eval {
    cx.println("")?;
    Ok(Value::Nil)
}

fn print(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Plain, args)?;
    cx.print(&text)?;
    Ok(Value::Nil)
}

fn pr(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Readable, args)?;
    cx.print(&text)?;
    Ok(Value::Nil)
}

fn printf(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = format_arguments(cx, "printf", args)?;
    cx.print(&text)?;
    Ok(Value::Nil)
}

fn print_str(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Plain, args)?;
    cx.string(text)
}

fn println_str(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut text = printed(cx, Style::Plain, args)?;
    text.push('\n');
    cx.string(text)
}

fn prn_str(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut text = printed(cx, Style::Readable, args)?;
    text.push('\n');
    cx.string(text)
}

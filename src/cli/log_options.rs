//! Options for reading logs: the format, and the user messages that count as output.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use agent_logs::{FORMATS, LogFormat, Observations, ReadOptions};

#[derive(Args, Clone, Debug, Default)]
pub(super) struct LogOptions {
    /// Format of the logs; default: detected from the content
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FORMATS.iter().map(|format| format.name)))]
    from: Option<String>,
    /// The user messages that count as tool results
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    observations: Observed,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Observed {
    /// Messages after a call written as text
    #[default]
    Auto,
    /// All messages after the first answer
    User,
    /// Only messages that the log marks as such
    None,
}

impl LogOptions {
    /// The given options for a shell, each with a blank before it: ` --from codex`. Empty if none was given.
    pub(super) fn arguments(&self) -> String {
        let mut arguments = String::new();
        if let Some(from) = &self.from {
            arguments += &format!(" --from {from}");
        }
        match self.observations {
            Observed::Auto => {}
            Observed::User => arguments += " --observations user",
            Observed::None => arguments += " --observations none",
        }
        arguments
    }

    pub(super) fn read_options(&self) -> ReadOptions {
        ReadOptions {
            from: self.from.as_deref().and_then(LogFormat::named),
            observations: match self.observations {
                Observed::Auto => Observations::Auto,
                Observed::User => Observations::User,
                Observed::None => Observations::None,
            },
        }
    }
}

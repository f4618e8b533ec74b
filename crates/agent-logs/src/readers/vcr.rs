//! VCR cassettes (Python and Ruby) and HAR files (Polly.JS and browsers): requests to any provider with their responses. The bodies
//! are read by the formats of the providers.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};
use serde_json::{Value, json};

use super::event_stream::whole_of_frames;
use super::inner::Inner;
use super::interactions::as_responses;
use super::prompts::as_chat;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::stream::{whole_of_lines, whole_response};
use crate::time::LogTime;

const NAME: &str = "vcr";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "cassettes of VCR and pytest-recording (YAML or JSON) and HAR files, with requests to any provider and their responses",
    recognises: |object| find_interactions(object).is_some_and(|list| !list.is_empty()),
    reader: || Box::new(Cassettes(Inner::for_format(NAME))),
};

/// Fields with lists of interactions, by kind of file.
const LISTS: [&str; 2] = ["interactions", "http_interactions"];

/// URL parts of provider endpoints without a model's message in the response.
const OTHER_PATHS: [&str; 12] = [
    "embedding",
    "embedContent",
    "EmbedContents",
    "moderations",
    "count_tokens",
    "countTokens",
    "input_tokens",
    "/images",
    "/audio",
    "/rerank",
    "/files",
    "/uploads",
];

/// Note for an interaction other than a model call.
const OTHER: &str = "requests for something else than an answer of a model, left out";

/// Maximum size of a decompressed body, in bytes.
const MAX_BODY: u64 = 256 << 20;

struct Cassettes(Inner);

impl Reader for Cassettes {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let object = value.object();
        let Some(list) = object.as_ref().and_then(find_interactions) else {
            return sink.notes.lost("values without interactions", place);
        };
        for interaction in list {
            let place = place.item(interaction.list, interaction.index);
            match interaction.exchange {
                Some(exchange) => self.read_exchange(&exchange, place, sink),
                None => sink.notes.lost("interactions without a request and a response", place),
            }
        }
    }
}

impl Cassettes {
    fn read_exchange(&mut self, exchange: &Exchange, place: LogPlace, sink: &mut Sink) {
        let Exchange { asked, told, times } = exchange;
        let request = read_body(asked).map(|body| body.text);
        let request =
            request.as_deref().and_then(|text| Json::parse(text).ok()).filter(|json| json.object().is_some());
        // LangChain's cassettes may have no URL; then only the bodies identify the request.
        let address = asked.first(&["uri", "url"]).and_then(Json::text).unwrap_or_default();
        let Some(request) = request.filter(|_| OTHER_PATHS.iter().all(|part| !address.contains(part))) else {
            return sink.notes.note(OTHER, place);
        };
        let Some(mut request) = request.read::<Value>() else {
            return sink.notes.lost("requests that are nested too deeply", place);
        };
        let response = read_body(told);
        if response.as_ref().is_some_and(|body| body.is_packed) {
            let kind = "responses in an encoding that is not read; record with decode_compressed_response";
            sink.notes.lost(kind, place.key("response"));
        }
        let mut response =
            response.and_then(|body| as_json(&body.text, &place.key("response"), &mut sink.notes));
        if let Some(response) = &mut response {
            // Other forms of responses become those of chats, without unknown fields.
            sink.conserved.search_bills(&response.to_string(), &place);
            as_chat(&mut request, response, &address);
            as_responses(&mut request, response);
        }
        let both = json!({"request": request, "response": response});
        if !self.0.read_exchange(&both, *times, &place, sink) {
            sink.notes.note(OTHER, place);
        }
    }
}

/// An element in the list of interactions.
struct Interaction<'a> {
    /// Field name of the list.
    list: &'static str,
    /// Index in the list.
    index: usize,
    /// `None` if the request or the response is missing.
    exchange: Option<Exchange<'a>>,
}

/// A request and its response, with the times of both.
struct Exchange<'a> {
    asked: Object<'a>,
    told: Object<'a>,
    times: (Option<LogTime>, Option<LogTime>),
}

/// The interactions of a cassette.
fn find_interactions<'a>(object: &Object<'a>) -> Option<Vec<Interaction<'a>>> {
    let Some((list, values)) = single_list(object) else { return of_two_lists(object) };
    let mut all = Vec::with_capacity(values.len());
    for (index, value) in values.into_iter().enumerate() {
        all.push(Interaction { list, index, exchange: parse_exchange(value) });
    }
    is_cassette(&all).then_some(all)
}

/// The list of interactions of a cassette or of a HAR file, with its key.
fn single_list<'a>(object: &Object<'a>) -> Option<(&'static str, Vec<Json<'a>>)> {
    for key in LISTS {
        if let Some(list) = object.list(key) {
            return Some((key, list));
        }
    }
    Some(("log.entries", object.object("log")?.list("entries")?))
}

fn parse_exchange<'a>(interaction: Json<'a>) -> Option<Exchange<'a>> {
    let interaction = interaction.object()?;
    let (asked, told) = (interaction.object("request")?, interaction.object("response")?);
    Some(Exchange { asked, told, times: read_times(&interaction) })
}

/// Returns false for lists with the same field names in other logs.
fn is_cassette(all: &[Interaction]) -> bool {
    all.is_empty() || all.iter().any(|interaction| interaction.exchange.is_some())
}

/// Interactions of LangChain's cassettes, with requests and responses in separate lists.
fn of_two_lists<'a>(object: &Object<'a>) -> Option<Vec<Interaction<'a>>> {
    let (requests, responses) = (object.list("requests")?, object.list("responses")?);
    let mut all = Vec::new();
    for index in 0..requests.len().max(responses.len()) {
        let asked = requests.get(index).and_then(|request| request.object());
        let told = responses.get(index).and_then(|response| response.object());
        let exchange = asked.zip(told).map(|(asked, told)| Exchange { asked, told, times: (None, None) });
        all.push(Interaction { list: "requests", index, exchange });
    }
    is_cassette(&all).then_some(all)
}

/// Times of the request and the response, from HAR. Ruby cassettes only have `recorded_at`.
fn read_times(interaction: &Object) -> (Option<LogTime>, Option<LogTime>) {
    let sent = interaction.get("startedDateTime").and_then(LogTime::read);
    let took = interaction.get("time").and_then(Json::read::<f64>).filter(|took| *took >= 0.0);
    let ended = sent.zip(took).map(|(sent, took)| sent.after(took));
    (sent.or_else(|| interaction.get("recorded_at").and_then(LogTime::read)), ended)
}

struct Body {
    text: String,
    /// True if the encoding isn't supported.
    is_packed: bool,
}

/// Reads a body: text, JSON, base64 bytes, or an object with one of these.
fn read_body(object: &Object) -> Option<Body> {
    const BELOW: [&str; 3] = ["body", "postData", "content"];
    let given = object.get("parsed_body").or_else(|| object.first(&BELOW))?;
    let inside = given.object();
    let below = inside.as_ref().and_then(|inside| inside.first(&["string", "base64_string", "text"]));
    match below.unwrap_or(given).text() {
        Some(text) => Some(unpack_body(text)),
        // Some serializers keep a JSON body as JSON.
        None => Some(Body { text: given.raw().to_owned(), is_packed: false }),
    }
}

/// Decodes base64 and decompresses it if needed. Any other text is returned unchanged.
fn unpack_body(text: String) -> Body {
    let base64: String = text.split_ascii_whitespace().collect();
    // Objects, lists, texts and events are no base64.
    let Ok(bytes) = STANDARD.decode(base64) else { return Body { text, is_packed: false } };
    let mut unpacked = Vec::new();
    let is_read = match bytes.as_slice() {
        [0x1f, 0x8b, ..] => {
            GzDecoder::new(bytes.as_slice()).take(MAX_BODY).read_to_end(&mut unpacked).is_ok()
        }
        [0x78, ..] => ZlibDecoder::new(bytes.as_slice()).take(MAX_BODY).read_to_end(&mut unpacked).is_ok(),
        _ => false,
    };
    if let Some(whole) = whole_of_frames(&bytes) {
        return Body { text: whole.to_string(), is_packed: false };
    }
    match String::from_utf8(if is_read { unpacked } else { bytes }) {
        Ok(text) => Body { text, is_packed: false },
        Err(_) => Body { text: String::new(), is_packed: true },
    }
}

/// Parses the JSON of a response, assembling a streamed one; `null` if the events belong to no known provider.
fn as_json(text: &str, place: &LogPlace, notes: &mut Notes) -> Option<Value> {
    let text = text.trim_start();
    whole_response(text, place, notes)
        .or_else(|| serde_json::from_str(text).ok())
        .or_else(|| whole_of_lines(text))
}

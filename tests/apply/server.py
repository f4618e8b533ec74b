"""A server of this machine that answers as the script says, and keeps the requests."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from script import ANSWERS, anthropic, openai, responses


def completion(answer: dict) -> dict:
    reason = "tool_calls" if answer["calls"] else "stop"
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "fake",
        "choices": [{"index": 0, "message": openai(answer), "finish_reason": reason}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def message(answer: dict) -> dict:
    return {
        "id": "msg_1",
        "type": "message",
        "model": "fake",
        **anthropic(answer),
        "stop_reason": "tool_use" if answer["calls"] else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def response(answer: dict) -> dict:
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "fake",
        "output": responses(answer),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, **details},
    }


FORMS = {"/v1/responses": response, "/v1/chat/completions": completion, "/v1/messages": message}


SUMMARY = "All so far was looked at."


class Server:
    """Gives the answers of the script in order, and a summary to a request without tools."""

    def __init__(self):
        self.requests: list[dict] = []
        self.summaries: list[dict] = []
        kept, summarized = self.requests, self.summaries

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                request = json.loads(body) | {"headers": dict(self.headers)}
                (kept if request.get("tools") else summarized).append(request)
                answer = ANSWERS[len(kept) - 1] if request.get("tools") else {"text": SUMMARY, "calls": []}
                said = FORMS[self.path.split("?")[0]](answer)
                text = json.dumps(said).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *arguments):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_port}"

    def close(self):
        self.http.shutdown()
        self.http.server_close()

"""A program that takes tensorflow_model_server's flags, and does what BEHAVIOUR says.

`answer` serves; the others are the ways in which a server can fail. It notes its process id.
"""

import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

BEHAVIOUR = os.environ["BEHAVIOUR"]
NOTES = Path(os.environ["NOTES"])
flags = dict(argument.removeprefix("--").split("=", 1) for argument in sys.argv[1:])
(versions,) = os.listdir(flags["model_base_path"])
assert Path(flags["model_base_path"], versions, "saved_model.pb").is_file()
assert int(flags["port"]) != int(flags["rest_api_port"])
STATES = {"load": "LOADING", "cannot_load": "END"}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        assert self.path == f"/v1/models/{flags['model_name']}"
        status = {"error_code": "OK", "error_message": ""}
        if BEHAVIOUR == "cannot_load":
            status = {"error_code": "NOT_FOUND", "error_message": "Op type not registered 'Foo'"}
        state = STATES.get(BEHAVIOUR, "AVAILABLE")
        version = {"version": versions, "state": state, "status": status}
        self.answer(200, {"model_version_status": [version]})

    def do_POST(self):
        document = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with NOTES.open("a") as notes:
            notes.write(json.dumps({"path": self.path, **document}) + "\n")
        if BEHAVIOUR == "refuse":
            self.answer(400, {"error": "Could not parse example input"})
        elif BEHAVIOUR == "fail":
            self.answer(500, {"error": "out of luck"})
        elif BEHAVIOUR == "die_when_asked":
            print("a check failed", file=sys.stderr, flush=True)
            os._exit(3)
        else:
            self.answer(200, {"predictions": [1.0]})

    def answer(self, code, document):
        body = json.dumps(document).encode()
        self.send_response(code)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *unused):
        pass


with NOTES.open("a") as notes:
    notes.write(json.dumps({"pid": os.getpid()}) + "\n")
attempts = sum('"pid"' in line for line in NOTES.read_text().splitlines())
if BEHAVIOUR == "die" or (BEHAVIOUR == "port_taken_once" and attempts == 1):
    print("Failed to start server. Error: Address already in use", file=sys.stderr)
    sys.exit(3)
if BEHAVIOUR == "hang":
    time.sleep(600)
HTTPServer(("127.0.0.1", int(flags["rest_api_port"])), Handler).serve_forever()

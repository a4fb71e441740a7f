"""A client of a language server over stdio."""

import json
import queue
import subprocess
import threading
import time


class Client:
    def __init__(self, command, root, options, env=None, log=None):
        errors = open(log, "w") if log else subprocess.DEVNULL
        self.server = subprocess.Popen(
            [command], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=env
        )
        self.received, self.number, self.options = queue.Queue(), 0, options
        self.diagnostics, self.status = {}, None
        threading.Thread(target=self._read, daemon=True).start()
        capabilities = {
            "textDocument": {
                "definition": {"linkSupport": False},
                "hover": {"contentFormat": ["plaintext"]},
                "completion": {"completionItem": {"snippetSupport": False}},
            },
            "workspace": {"configuration": True},
            "experimental": {"serverStatusNotification": True},
        }
        self.request("initialize", {
            "processId": None,
            "rootUri": root.as_uri(),
            "workspaceFolders": [{"uri": root.as_uri(), "name": "editor"}],
            "capabilities": capabilities,
            "initializationOptions": options,
        })
        self.notify("initialized", {})

    def _read(self):
        while True:
            length = None
            while line := self.server.stdout.readline().strip():
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.received.put(None)
                return
            self.received.put(json.loads(self.server.stdout.read(length)))

    def _send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.server.stdin.flush()

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def _next(self, timeout):
        message = self.received.get(timeout=timeout)
        if message is None:
            raise RuntimeError("the server has ended")
        match message.get("method"):
            case "textDocument/publishDiagnostics":
                self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
            case "experimental/serverStatus":
                self.status = message["params"]
            case "workspace/configuration":
                result = [self.options for _ in message["params"]["items"]]
                self._send({"id": message["id"], "result": result})
            case method if method and "id" in message:
                self._send({"id": message["id"], "result": None})
        return message

    def request(self, method, params, timeout=120):
        for _ in range(20):
            self.number += 1
            self._send({"id": self.number, "method": method, "params": params})
            while True:
                message = self._next(timeout)
                if message.get("id") == self.number and "method" not in message:
                    break
            if "error" not in message:
                return message["result"]
            # The content was modified, or the server is still busy with an edit.
            if message["error"]["code"] not in (-32801, -32802):
                raise RuntimeError(f"{method}: {message['error']['message']}")
            time.sleep(0.2)
        raise RuntimeError(f"{method}: cancelled 20 times")

    def wait_until_ready(self, timeout):
        end = time.monotonic() + timeout
        while not (self.status and self.status.get("quiescent")):
            self._next(max(end - time.monotonic(), 0.001))
        return self.status

    def end(self):
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self.server.wait(10)
        except (RuntimeError, queue.Empty, subprocess.TimeoutExpired, OSError):
            self.server.kill()

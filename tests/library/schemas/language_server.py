"""The YAML language server, which editors ask.

It is installed by npm, and spoken to over its standard input and output.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

__all__ = ["VERSION", "LanguageServer", "installed"]

VERSION = "1.19.2"
"""The version the tests ask; one that is known keeps an answer from changing overnight."""
SETTINGS = {"validate": True, "schemaStore": {"enable": False}, "yamlVersion": "1.2"}


def installed(folder: Path) -> Path:
    """Return the server's program, put into a folder where it is not there yet.

    Raises:
        OSError, subprocess.SubprocessError: where it cannot be had.
    """
    program = folder / "node_modules" / ".bin" / "yaml-language-server"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--prefix", str(folder), f"yaml-language-server@{VERSION}"]
        subprocess.run(command, check=True, capture_output=True, timeout=180)
    return program


class LanguageServer:
    """A running server, for files in one folder."""

    def __init__(self, program: Path, folder: Path) -> None:
        self._folder, self._asked = folder, 0
        self._process = subprocess.Popen([program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        capabilities = {"textDocument": {"publishDiagnostics": {}}, "workspace": {"configuration": True}}
        whole = {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities}
        self._send({"id": 0, "method": "initialize", "params": whole})
        self._until(lambda said: said.get("id") == 0 and "result" in said)
        self._send({"method": "initialized", "params": {}})
        self._send({"method": "workspace/didChangeConfiguration", "params": {"settings": {"yaml": SETTINGS}}})

    def diagnose(self, path: Path, text: str | None = None) -> list[str]:
        """Return what the server says of a file, with the lines."""
        written = path.read_text("utf-8") if text is None else text
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": written}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

        def about(said: dict[str, Any]) -> bool:
            known = said.get("method") == "textDocument/publishDiagnostics"
            return known and said["params"]["uri"] == document["uri"]

        found = self._until(about)["params"]["diagnostics"]
        self._send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": document["uri"]}}})
        self._until(about)  # closing clears what was said
        return [f"{path.name}:{each['range']['start']['line'] + 1}: {each['message']}" for each in found]

    def close(self) -> None:
        """End the server."""
        self._process.kill()
        self._process.communicate()

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self._process.stdin.flush()

    def _until(self, wanted: Any) -> dict[str, Any]:
        """Read until the message that is wanted, and answer what the server asks meanwhile."""
        while True:
            said = self._message()
            if wanted(said):
                return said
            if "method" in said and "id" in said:
                items = said.get("params", {}).get("items", [])
                settings = [SETTINGS if item.get("section") == "yaml" else {} for item in items]
                self._send({"id": said["id"], "result": settings or None})

    def _message(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while (line := stream.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        assert length, "the server has gone"
        found: dict[str, Any] = json.loads(stream.read(length))
        return found

"""Ask Proffer before a tool call runs. One file, standard library only, over the HTTP API.

    from proffer import Gate

    gate = Gate("billing-bot")
    gate.run("refund", {"order": 4711}, lambda args: refund(**args), call_id="call-1")

The call waits in the inbox. Approved, it runs once, with the arguments that were approved. Rejected, expired, cancelled,
or without a gateway, it does not run: `run` raises `NotRun`, whose text is for the model. A restarted process that asks
about the same call (session, call id, tool, arguments) finds its own proposal instead of asking twice.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import socket
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

MAY_HAVE_RUN = (
    "Nobody knows whether this call ran: it was approved and started, but no result was recorded. "
    "It was not run again. Check its effects before you repeat it."
)
CANCELLED = "Not run: the agent stopped waiting before the call was decided."
NOBODY_WAITS = "Nothing was run: the agent is no longer waiting for this call."
LONGEST_OUTPUT = 200_000


class NotRun(Exception):
    """The call was not run. `kind`: rejected, expired, cancelled, refused, unreachable or unknown."""

    def __init__(self, kind, reason, proposal=None):
        super().__init__(reason)
        self.kind = kind
        self.proposal = proposal


class Refused(Exception):
    """The gateway refused a message. Decide by `code`."""

    def __init__(self, problem):
        super().__init__(problem.get("detail") or problem.get("code"))
        self.code = problem.get("code")
        self.retryable = problem.get("retryable", False)


class Gate:
    """Asks about the calls of one agent. Threads may share it."""

    def __init__(self, agent, *, url=None, token=None, space=None, session=None, folder=None, ttl=None, timeout=10, waiting=None):
        """`session`: using the same one after a restart finds earlier calls. `ttl`: how long a call waits for a
        decision, in milliseconds. `timeout`: how long the gateway may take to accept a call, in seconds. `waiting`: called with
        one sentence when a call waits: where, and how to open the inbox. By default it is printed on stderr."""
        env = os.environ
        url = url or env.get("PROFFER_URL")
        token = token or env.get("PROFFER_TOKEN")
        space = space or env.get("PROFFER_SPACE")
        inbox = None
        if not (url or token or space):
            url, token = _shared_gateway(agent)
            inbox = "npx proffer inbox --guard --open" if url else None
        # Gateways that share a journal are separated by commas.
        urls = [re.sub("^ws", "http", one.strip()).rstrip("/") for one in (url or "http://127.0.0.1:7420").split(",")]
        # Local addresses bypass the proxy.
        is_local = all(urllib.parse.urlsplit(one).hostname in ("127.0.0.1", "localhost", "::1") for one in urls)
        self._opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if is_local else []))
        self.agent = agent
        self.token = token or agent
        self.session = session or str(uuid.uuid4())
        self.folder = folder or os.getcwd()
        self.ttl = ttl
        self.timeout = timeout
        self._urls = urls
        self._space = f"/spaces/{urllib.parse.quote(space or 'main', safe='')}"
        self._name = None
        self._waiting = waiting or (lambda sentence: print(sentence, file=sys.stderr, flush=True))
        self._inbox = inbox or f"{urls[0]}/console/{urllib.parse.quote(space or 'main', safe='')}/inbox"

    def run(self, tool, arguments, execute, *, call_id, session=None, reason=None, cancelled=None):
        """Asks, waits, runs `execute(arguments)`, records the result and returns it.

        `cancelled`: a threading.Event; setting it withdraws the proposal."""
        asked = self._ask(tool, arguments, call_id, session or self.session, reason)
        # Followed until it is settled: this makes it approvable, and others notice if this process dies.
        with self._following(asked) as changed:
            approval = self._wait(asked, changed, cancelled or threading.Event())
            if "output" in approval:
                return approval["output"]
            if not self._claim(asked):
                self._answer(approval, {"error": _error(MAY_HAVE_RUN, {"outcome": "unknown"})})
                raise NotRun("unknown", MAY_HAVE_RUN, asked)
            try:
                output = execute(approval["params"].get("arguments", {}))
            except BaseException as error:
                self._answer(approval, {"error": _error(str(error) or type(error).__name__)})
                raise
            self._answer(approval, {"result": _recorded(output)})
            return output

    def _ask(self, tool, arguments, call_id, session, reason):
        deadline = time.monotonic() + self.timeout
        try:
            self._name = self._name or self._until(deadline, "GET", "/whoami")["participant"]
            about = {"proposer": self._name, "session": session, "callId": call_id, "tool": tool, "arguments": arguments}
            text = json.dumps(about, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            asked = "ask-" + hashlib.sha256(text.encode()).hexdigest()[:32]
            payload = {
                "method": "tools/call",
                "params": {"name": tool, "arguments": arguments},
                "executor": self._name,
                "origin": {"client": self.agent[:200], "session": session[:200], "folder": self.folder[:1000]},
                **({"ttl": self.ttl} if self.ttl else {}),
                **({"reason": reason[:1000]} if reason else {}),
            }
            self._send({"id": asked, "kind": "mcp.proposal.tools/call", "payload": payload}, deadline)
            return asked
        except Refused as error:
            raise NotRun("refused", f"Not run: the gateway did not accept the proposal. {error}") from error
        except OSError as error:
            raise NotRun("unreachable", f"Not run: the gateway could not be asked. {error}") from error

    def _wait(self, asked, changed, cancelled):
        """Waits for the decision. Returns the approval, or an earlier process's recorded result; raises NotRun."""
        is_told = False
        try:
            while True:
                changed.clear()
                decided = self._decided(asked)
                if decided:
                    return decided
                if not is_told:
                    is_told = True
                    self._waiting(f"Waiting for a decision at {self._urls[0]}. To open the inbox: {self._inbox}")
                for _ in range(50):
                    if cancelled.is_set():
                        self._give_up(asked)
                        raise NotRun("cancelled", CANCELLED, asked)
                    if changed.wait(0.1):
                        break
        except KeyboardInterrupt:
            self._give_up(asked)
            raise

    def _decided(self, asked):
        """What is known so far: nothing, the approval, or the recorded result. Raises NotRun."""
        try:
            view = self._request("GET", f"{self._space}/proposals/{asked}")
        except OSError:
            return None  # The gateway is away for a while; the question is in its journal.
        except Refused as error:
            if error.retryable:
                return None
            raise NotRun("refused", f"Not run: the gateway refused to say what was decided. {error}", asked) from error
        proposal, history = view["proposal"], [entry["message"] for entry in view["history"]]
        phase, outcome = proposal["phase"], proposal.get("outcome")
        if phase == "settled" and outcome.get("result") != "unknown":
            result = view.get("response", {}).get("result")
            kept = (result or {}).get("structuredContent", {})
            if "output" in kept:
                return {"output": kept["output"]}
            error = view.get("response", {}).get("error", {}).get("message")
            if error:
                raise RuntimeError(error)
            raise NotRun("unknown", "This call ran, but its output was not kept.", asked)
        if outcome or phase == "settled":
            raise NotRun("unknown", MAY_HAVE_RUN, asked)
        if phase == "expired":
            raise NotRun("expired", "Not run: it was not decided in time.", asked)
        if phase == "withdrawn":
            raise NotRun("cancelled", CANCELLED, asked)
        if phase in ("allowed", "fulfilled"):
            request = next(m for m in history if m["kind"].startswith("mcp.request.") and m["correlationId"] == asked)
            approval = {"request": request["id"], "by": request["from"], "params": request["payload"]["params"]}
            if any(m["kind"] == "mcpx.status.proposal" and m["from"] == self._name for m in history):
                self._answer(approval, {"error": _error(MAY_HAVE_RUN, {"outcome": "unknown"})})
                raise NotRun("unknown", MAY_HAVE_RUN, asked)
            return approval
        said = [m for m in history if m["kind"] == "mcpx.reject.proposal"]
        if phase == "declined" or (view["done"] and said):
            why = "; ".join(f"{m['from']}: {m['payload'].get('message') or m['payload']['reason']}" for m in said)
            # If it was approved in the meantime, it cannot be withdrawn, and the approval counts.
            if phase == "declined" or self._withdraw(asked):
                raise NotRun("rejected", f"Not run: {f'rejected. {why}' if why else 'declined.'}", asked)
        return None

    def _give_up(self, asked):
        """Withdraws it. If it was approved first, the approver learns that nothing ran."""
        if self._withdraw(asked):
            return
        try:
            approval = self._decided(asked) or {}
            if "request" in approval and self._claim(asked, "Given up"):
                self._answer(approval, {"error": _error(NOBODY_WAITS, {"proffer/notRun": {"outcome": "withdrawn", "reason": NOBODY_WAITS}})})
        except NotRun:
            pass

    def _claim(self, asked, what="Started"):
        """Whether this process runs it: the journal accepts the id of a claim once."""
        message = f"{what} by {self._name} (process {os.getpid()}, claim {uuid.uuid4()})."
        payload = {"status": "processing", "message": message}
        claim = {"id": f"{asked}-began", "kind": "mcpx.status.proposal", "correlationId": asked, "payload": payload}
        try:
            return self._send(claim)["status"] in ("accepted", "duplicate")
        except Refused as error:
            if error.code == "id_conflict":
                return False
            raise NotRun("refused", f"Not run: the gateway refused to begin it. {error}", asked) from error
        except OSError as error:
            raise NotRun("unreachable", f"Not run: the gateway could not be told that it begins. {error}", asked) from error

    def _answer(self, approval, said):
        payload = {"jsonrpc": "2.0", "id": approval["request"], **said}
        kind, request = "mcp.response.tools/call", approval["request"]
        try:
            self._send({"id": str(uuid.uuid4()), "kind": kind, "to": [approval["by"]], "correlationId": request, "payload": payload})
        except (OSError, Refused):
            pass  # It ran; who approved it hears that the outcome is unknown.

    def _withdraw(self, asked):
        """Whether it can no longer run."""
        try:
            self._request("POST", f"{self._space}/proposals/{asked}/withdraw", {})
            return True
        except (OSError, Refused):
            return False

    def _following(self, asked):
        return _Following(lambda: self._open("GET", f"{self._space}/proposals/{asked}?onRejection=wait", stream=True))

    def _send(self, message, deadline=None):
        """Sends a message and retries with the same id, so that it counts once."""
        return self._until(deadline or time.monotonic() + self.timeout, "POST", f"{self._space}/messages", message)

    def _until(self, deadline, method, path, body=None):
        while True:
            try:
                return self._request(method, path, body)
            except OSError:
                if time.monotonic() + 0.2 > deadline:
                    raise
                time.sleep(0.2)

    def _request(self, method, path, body=None):
        with self._open(method, path, body) as response:
            return json.load(response)

    def _open(self, method, path, body=None, stream=False):
        """Sends a request to the gateway; if it does not answer, to the others. Messages have ids, so they count once."""
        for left in reversed(range(len(self._urls))):
            url = self._urls[0]
            try:
                return self._open_at(url + path, method, body, stream)
            except OSError:
                if self._urls[0] == url:
                    self._urls = [*self._urls[1:], url]
                if left == 0:
                    raise

    def _open_at(self, url, method, body, stream):
        token = self.token() if callable(self.token) else self.token
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        if stream:
            headers["Accept"] = "text/event-stream"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            return self._opener.open(request, timeout=None if stream else self.timeout)
        except urllib.error.HTTPError as error:
            text = error.read()
            if error.code >= 500:
                raise OSError(f"The gateway answered {error.code}.") from error
            try:
                raise Refused(json.loads(text)) from error
            except ValueError:
                raise Refused({"detail": f"HTTP status {error.code}"}) from error


class _Following:
    """Follows a proposal in a thread while it is open, so that its executor counts as connected."""

    def __init__(self, open_stream):
        self._open_stream = open_stream
        self._changed = threading.Event()
        self._over = False
        self._response = None

    def __enter__(self):
        threading.Thread(target=self._follow, daemon=True).start()
        return self._changed

    def __exit__(self, *_):
        self._over = True
        if self._response is not None:
            _hang_up(self._response)

    def _follow(self):
        while not self._over:
            try:
                self._response = self._open_stream()
                self._changed.set()
                for line in self._response:
                    if self._over:
                        break
                    if line.startswith(b"data:"):
                        self._changed.set()
            except (OSError, ValueError, AttributeError, Refused):
                pass
            self._changed.set()
            if not self._over:
                time.sleep(0.2)


def _hang_up(response):
    """Ends a stream that another thread is reading: closing would wait for that thread."""
    try:
        response.fp.raw._sock.shutdown(2)
    except (OSError, AttributeError):
        pass


def _error(message, data=None):
    return {"code": -32603, "message": message, **({"data": data} if data else {})}


def _shared_gateway(agent):
    """The gateway shared by the guards and hooks on this machine, if it is running: its address and its token key."""
    env, home = os.environ, os.path.expanduser("~")
    data = os.path.join(env.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share"), "proffer")
    folder = os.path.join(env.get("PROFFER_HOME") or data, "guard")
    # Names reserved for reviewers.
    if not re.fullmatch(r"[A-Za-z0-9_][\w.-]{0,63}", agent, re.ASCII) or agent.lower() in ("reviewer", "steward"):
        return None, None
    try:
        with open(os.path.join(folder, "port")) as port_file, open(os.path.join(folder, "guards.key")) as key_file:
            port, key = int(port_file.read()), key_file.read().strip()
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except (OSError, ValueError, OverflowError):
        return None, None
    return f"http://127.0.0.1:{port}", lambda: _signed_token(key, agent)


def _signed_token(key, agent):
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    now = int(time.time())
    whom = {"iss": "proffer-guard", "aud": "proffer-guard", "sub": agent}
    claims = {**whom, "iat": now, "exp": now + 86_400, "role": "guard"}
    signed = b".".join(part(json.dumps(each).encode()) for each in ({"alg": "HS256", "typ": "JWT"}, claims))
    secret = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    return (signed + b"." + part(hmac.new(secret, signed, hashlib.sha256).digest())).decode()


def _recorded(output):
    text = output if isinstance(output, str) else json.dumps(output, default=str)
    if len(text) > LONGEST_OUTPUT:
        return {"content": [{"type": "text", "text": text[:1000] + "…\nThe output was too long to be recorded."}]}
    kept = output if isinstance(output, str) else json.loads(text)
    return {"content": [{"type": "text", "text": text}], "structuredContent": {"output": kept}}

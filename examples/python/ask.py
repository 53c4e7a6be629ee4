"""An agent with one call: asks, runs it, and prints the result.

    python3 ask.py refund '{"order": 4711}' --session job-1
"""

import argparse
import json
import signal
import sys
import threading

from proffer import Gate, NotRun


def json_object(text):
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f'{text!r} is not a JSON object, such as {{"order": 4711}}')
    return value


parser = argparse.ArgumentParser(description="Asks Proffer about one call, and runs it if it is approved.")
parser.add_argument("tool")
parser.add_argument("arguments", nargs="?", default="{}", type=json_object, help="a JSON object")
parser.add_argument("--agent", default="python-agent")
parser.add_argument("--session", help="the same after a restart finds what was asked before")
parser.add_argument("--ttl", type=int, help="milliseconds that it waits for a decision")
parser.add_argument("--timeout", type=float, default=10, help="seconds in which the gateway must have answered")
options = parser.parse_args()

cancelled = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: cancelled.set())


def execute(arguments):
    print(f"running {options.tool} {json.dumps(arguments)}", flush=True)
    return {"done": arguments}


gate = Gate(options.agent, session=options.session, ttl=options.ttl, timeout=options.timeout)
try:
    print(json.dumps(gate.run(options.tool, options.arguments, execute, call_id="call-1", cancelled=cancelled)))
except NotRun as error:
    print(f"{error.kind}: {error}")
    sys.exit(1)

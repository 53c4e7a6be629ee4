"""Agents of the OpenAI Agents SDK ask Proffer before a function tool runs.

    gate = Gate("billing-bot")
    Agent(name="Billing", tools=approved(gate, [refund, search]))

A call that is not approved gives the model the reason. Cancelling the run withdraws what waits. To survive a restart,
name the session (`Gate(..., session=job.id)`), mark the tools `needs_approval=True`, save the run's state at the
interruption, and approve each: the tool itself asks, and finds what it asked before.
"""

import asyncio
import copy
import json
import threading

from proffer import NotRun


def approved(gate, tools):
    return [_approved(gate, tool) for tool in tools]


def _approved(gate, tool):
    async def on_invoke_tool(context, arguments):
        loop, cancelled = asyncio.get_running_loop(), threading.Event()
        asked = json.loads(arguments or "{}")

        def execute(args):
            text = arguments if args == asked else json.dumps(args)
            return asyncio.run_coroutine_threadsafe(tool.on_invoke_tool(context, text), loop).result()

        def run():
            return gate.run(tool.name, asked, execute, call_id=context.tool_call_id, cancelled=cancelled)

        try:
            return await asyncio.to_thread(run)
        except NotRun as error:
            return str(error)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    asking = copy.copy(tool)
    asking.on_invoke_tool = on_invoke_tool
    return asking

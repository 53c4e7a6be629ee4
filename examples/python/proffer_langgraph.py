"""LangGraph and LangChain agents ask Proffer before a tool runs.

    gate = Gate("billing-bot")
    ToolNode(tools, wrap_tool_call=approved(gate))

The thread is the session: with a checkpointer, a restarted process that goes on with the thread finds what it asked
before. A call that is not approved gives the model the reason.
"""

from langchain_core.messages import ToolMessage

from proffer import NotRun


def approved(gate):
    def wrap_tool_call(request, handler):
        call = request.tool_call
        config = (request.runtime.config if request.runtime else None) or {}
        results = []

        def execute(args):
            results.append(handler(request.override(tool_call={**call, "args": args})))
            return getattr(results[0], "content", "Done.")

        session = (config.get("configurable") or {}).get("thread_id")
        try:
            output = gate.run(call["name"], call["args"], execute, call_id=call["id"], session=session)
        except NotRun as error:
            return ToolMessage(str(error), name=call["name"], tool_call_id=call["id"], status="error")
        # Without a local result, an earlier process ran the call and recorded this one.
        return results[0] if results else ToolMessage(output, name=call["name"], tool_call_id=call["id"])

    return wrap_tool_call

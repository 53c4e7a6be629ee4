"""A LangGraph agent with a scripted model that calls each tool once: `python3 langgraph_agent.py TOOL…`.

A tool called `down` uses an address without a gateway."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from proffer import Gate
from proffer_langgraph import approved


def pay(amount: int) -> str:
    """Pays."""
    print(f"running {amount}", flush=True)
    return f"paid {amount}"


def converse(name):
    def model(state):
        return {"messages": [AIMessage("", tool_calls=[{"name": name, "args": {"amount": 5}, "id": "call-1"}])]}

    gate = Gate("langgraph-agent", **({"url": "http://127.0.0.1:9", "timeout": 0.3} if name == "down" else {}))
    graph = StateGraph(MessagesState)
    graph.add_node("model", model)
    graph.add_node("tools", ToolNode([StructuredTool.from_function(pay, name=name)], wrap_tool_call=approved(gate)))
    graph.add_edge(START, "model")
    graph.add_edge("model", "tools")
    state = graph.compile().invoke({"messages": [("user", "Pay.")]}, {"configurable": {"thread_id": name}})
    print(f"heard {state['messages'][-1].content}", flush=True)


for tool in sys.argv[1:]:
    converse(tool)

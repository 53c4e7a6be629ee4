"""An agent of the OpenAI Agents SDK with a scripted model that calls each tool once: `python3 openai_agent.py TOOL…`.

A tool called `down` uses an address without a gateway."""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from proffer import Gate
from proffer_openai_agents import approved


class ScriptedModel(Model):
    def __init__(self, tool):
        self.tool = tool

    async def get_response(self, system_instructions, input, *args, **kwargs):
        results = [] if isinstance(input, str) else [item for item in input if item.get("type") == "function_call_output"]
        if results:
            text = ResponseOutputText(type="output_text", text=f"heard {results[0]['output']}", annotations=[])
            said = {"id": "m", "type": "message", "role": "assistant", "status": "completed"}
            output = [ResponseOutputMessage(content=[text], **said)]
        else:
            call = {"call_id": "call-1", "name": self.tool, "arguments": '{"amount": 5}'}
            output = [ResponseFunctionToolCall(type="function_call", **call)]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


async def converse(name):
    @function_tool(name_override=name)
    def pay(amount: int) -> str:
        """Pays."""
        print(f"running {amount}", flush=True)
        return f"paid {amount}"

    gate = Gate("openai-agent", **({"url": "http://127.0.0.1:9", "timeout": 0.3} if name == "down" else {}))
    agent = Agent(name="payer", model=ScriptedModel(name), tools=approved(gate, [pay]))
    result = await Runner.run(agent, "Pay.", run_config=RunConfig(tracing_disabled=True))
    print(result.final_output, flush=True)


for tool in sys.argv[1:]:
    asyncio.run(converse(tool))

import {
  Agent,
  type AgentInputItem,
  type Model,
  type ModelResponse,
  Runner,
  RunState,
  tool,
  Usage,
} from '@openai/agents';
import { defined } from '@proffer/core/json';
import type { Conversation, Driver } from '../../testing/driver.js';
import { approvedTools, decideInterruptions } from '../index.js';

/** A model that calls the tool until it has seen the result. */
function scriptedModel({ tool: name, arguments: args }: Conversation, received: string[]): Model {
  return {
    async getResponse({ input }): Promise<ModelResponse> {
      const items: AgentInputItem[] = typeof input === 'string' ? [] : input;
      const results = items.filter(({ type }) => type === 'function_call_result');
      received.push(...results.map((result) => JSON.stringify(result)));
      const usage = new Usage();
      if (results.length > 0) {
        const content = [{ type: 'output_text' as const, text: 'done' }];
        return { usage, output: [{ type: 'message', role: 'assistant', status: 'completed', content }] };
      }
      const call = { callId: `call-${name}`, name, arguments: JSON.stringify(args) };
      return { usage, output: [{ type: 'function_call', status: 'completed', ...call }] };
    },
    getStreamedResponse(): never {
      throw new Error('This model does not stream.');
    },
  };
}

function agentOf(conversation: Conversation, needsApproval: boolean, received: string[]): Agent {
  const { tool: name, gate, execute } = conversation;
  const pay = tool({
    name,
    description: 'Pays.',
    parameters: {
      type: 'object',
      properties: { amount: { type: 'number' } },
      required: ['amount'],
      additionalProperties: false,
    },
    needsApproval,
    execute: async (args) => execute(args),
  });
  return new Agent({
    name: 'payer',
    model: scriptedModel(conversation, received),
    tools: approvedTools(gate, [pay]),
  });
}

const runner = new Runner({ tracingDisabled: true });

/** Waits in the tool itself. */
export const inPlace: Driver = {
  name: 'OpenAI Agents, in place',
  resumes: false,
  async converse(conversation) {
    const received: string[] = [];
    const { signal } = conversation;
    await runner.run(agentOf(conversation, false, received), 'Pay.', defined({ signal }));
    return received.join();
  },
};

/** Stops at an interruption, and resumes with the saved state. */
export const byInterruptions: Driver = {
  name: 'OpenAI Agents, interruptions',
  resumes: true,
  async converse(conversation) {
    const { gate, saved, signal } = conversation;
    const received: string[] = [];
    const agent = agentOf(conversation, true, received);
    const options = defined({ signal });
    const start = async () => (await runner.run(agent, 'Pay.', options)).state;
    let state =
      saved.text === undefined
        ? await start()
        : await RunState.fromString<undefined, Agent>(agent, saved.text);
    while (state.getInterruptions().length > 0) {
      saved.text = state.toString();
      ({ state } = await runner.run(agent, await decideInterruptions(gate, state, options), options));
    }
    return received.join();
  },
};

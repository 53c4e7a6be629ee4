import { defined } from '@proffer/core/json';
import { jsonSchema, type ModelMessage, ToolLoopAgent, type ToolSet, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import type { Conversation, Driver } from '../../testing/driver.js';
import { approvalResponses, approvedTools } from '../index.js';

type Generate = MockLanguageModelV4['doGenerate'];
type Generated = Awaited<ReturnType<Generate>>;

const USAGE: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that calls the tool until it has seen the result. */
function scriptedModel(
  { tool: toolName, arguments: input }: Conversation,
  received: string[],
): MockLanguageModelV4 {
  const answer = (content: Generated['content'], reason: 'stop' | 'tool-calls'): Generated => ({
    content,
    finishReason: { unified: reason, raw: reason },
    usage: USAGE,
    warnings: [],
  });
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const results = prompt.flatMap(({ role, content }) =>
        role === 'tool' ? content.filter(({ type }) => type === 'tool-result') : [],
      );
      received.push(...results.map((result) => JSON.stringify(result)));
      if (results.length > 0) return answer([{ type: 'text', text: 'done' }], 'stop');
      const call = { toolCallId: `call-${toolName}`, toolName, input: JSON.stringify(input) };
      return answer([{ type: 'tool-call', ...call }], 'tool-calls');
    },
  });
}

function toolsOf({ tool: name, execute }: Conversation): ToolSet {
  const inputSchema = jsonSchema<{ amount: number }>({
    type: 'object',
    properties: { amount: { type: 'number' } },
  });
  return { [name]: tool({ inputSchema, execute: async (input) => execute(input) }) };
}

/** Waits in the tool itself. */
export const inPlace: Driver = {
  name: 'AI SDK, in place',
  resumes: false,
  async converse(conversation) {
    const received: string[] = [];
    const agent = new ToolLoopAgent({
      model: scriptedModel(conversation, received),
      tools: approvedTools(conversation.gate, toolsOf(conversation)),
    });
    const { signal } = conversation;
    await agent.generate({ prompt: 'Pay.', ...defined({ abortSignal: signal }) });
    return received.join();
  },
};

/** Stops at an approval request, and resumes once it was answered. */
export const byMessages: Driver = {
  name: 'AI SDK, approval messages',
  resumes: true,
  async converse(conversation) {
    const { gate, tool: name, saved, signal } = conversation;
    const received: string[] = [];
    const agent = new ToolLoopAgent({
      model: scriptedModel(conversation, received),
      tools: approvedTools(gate, toolsOf(conversation)),
      toolApproval: { [name]: 'user-approval' },
    });
    const messages: ModelMessage[] =
      saved.text === undefined ? [{ role: 'user', content: 'Pay.' }] : JSON.parse(saved.text);
    for (;;) {
      const answers = await approvalResponses(gate, messages, defined({ signal }));
      if (answers !== undefined) messages.push(answers);
      const { responseMessages, finishReason } = await agent.generate({ messages });
      messages.push(...responseMessages);
      saved.text = JSON.stringify(messages);
      if (finishReason === 'stop') return received.join();
    }
  },
};

import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { MemorySaver } from '@langchain/langgraph';
import { defined } from '@proffer/core/json';
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { z } from 'zod';
import type { Conversation, Driver } from '../../testing/driver.js';
import { approvalMiddleware, decideInterrupts } from '../index.js';

/** A model that calls the tool until it has seen the result. */
class ScriptedModel extends BaseChatModel {
  readonly #conversation: Conversation;
  readonly #received: string[];

  constructor(conversation: Conversation, received: string[]) {
    super({});
    this.#conversation = conversation;
    this.#received = received;
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const { tool: name, arguments: args } = this.#conversation;
    const results = messages.filter((message) => ToolMessage.isInstance(message));
    this.#received.push(...results.map(({ content }) => JSON.stringify(content)));
    const message =
      results.length > 0
        ? new AIMessage('done')
        : new AIMessage({ content: '', tool_calls: [{ id: `call-${name}`, name, args: { ...args } }] });
    return { generations: [{ text: '', message }] };
  }
}

/** Stores what a checkpointer in a database would. */
class KeptSaver extends MemorySaver {
  readonly #saved: Conversation['saved'];

  constructor(saved: Conversation['saved']) {
    super();
    this.#saved = saved;
    if (saved.text === undefined) return;
    const { storage, writes } = JSON.parse(saved.text, revive);
    Object.assign(this.storage, storage);
    Object.assign(this.writes, writes);
  }

  override async put(...args: Parameters<MemorySaver['put']>): ReturnType<MemorySaver['put']> {
    const config = await super.put(...args);
    this.#keep();
    return config;
  }

  override async putWrites(...args: Parameters<MemorySaver['putWrites']>): Promise<void> {
    await super.putWrites(...args);
    this.#keep();
  }

  #keep(): void {
    const { storage, writes } = this;
    this.#saved.text = JSON.stringify({ storage, writes }, (_, value) =>
      value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value,
    );
  }
}

function revive(_: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'bytes' in value;
  return isBytes ? new Uint8Array(Buffer.from(String(value.bytes), 'base64')) : value;
}

function agentOf(conversation: Conversation, middleware: AgentMiddleware, received: string[]) {
  const { tool: name, execute, saved } = conversation;
  const schema = z.object({ amount: z.number() });
  const pay = tool((args) => execute(args), { name, description: 'Pays.', schema });
  const model = new ScriptedModel(conversation, received);
  return createAgent({ model, tools: [pay], middleware: [middleware], checkpointer: new KeptSaver(saved) });
}

const START = { messages: [new HumanMessage('Pay.')] };

function configOf({ tool: thread_id, signal }: Conversation) {
  return { configurable: { thread_id }, ...defined({ signal }) };
}

/** Waits in the tool's node; a new process resumes from the last checkpoint. */
export const inPlace: Driver = {
  name: 'LangChain, in place',
  resumes: true,
  async converse(conversation) {
    const received: string[] = [];
    const isNew = conversation.saved.text === undefined;
    const agent = agentOf(conversation, approvalMiddleware(conversation.gate), received);
    await agent.invoke(isNew ? START : (null as never), configOf(conversation));
    return received.join();
  },
};

/** Stops at an interrupt, from our middleware or LangChain's own, and resumes with a command. */
function byInterrupts(name: string, middleware: (conversation: Conversation) => AgentMiddleware): Driver {
  return {
    name,
    resumes: true,
    async converse(conversation) {
      const { gate, saved, signal, tool: thread } = conversation;
      const received: string[] = [];
      const isNew = saved.text === undefined;
      const agent = agentOf(conversation, middleware(conversation), received);
      const config = configOf(conversation);
      let result = isNew ? await agent.invoke(START, config) : await lastOf(agent, config);
      for (;;) {
        const command = await decideInterrupts(gate, result, { session: thread, ...defined({ signal }) });
        if (command === undefined) return received.join();
        result = await agent.invoke(command, config);
      }
    },
  };
}

async function lastOf(agent: ReturnType<typeof agentOf>, config: ReturnType<typeof configOf>) {
  const { values, tasks } = await agent.graph.getState(config);
  return { ...values, __interrupt__: tasks.flatMap(({ interrupts }) => interrupts) };
}

export const byOwnInterrupts = byInterrupts('LangGraph, interrupts', ({ gate }) =>
  approvalMiddleware(gate, { interrupt: true }),
);

export const byHumanInTheLoop: Driver = {
  ...byInterrupts('LangChain, human in the loop', ({ tool: name }) =>
    // Its options are inferred from a schema of another zod version, and come out as `never`.
    humanInTheLoopMiddleware({ interruptOn: { [name]: true } } as never),
  ),
  reports: false,
};

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import type { RequestTaskStore } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CreateMessageRequestSchema,
  type CreateMessageResult,
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** A client of the 2025 revisions with every capability that a server may use. */
export interface EverythingClient {
  readonly client: Client;
  /** The server's notifications, each once. */
  readonly heard: ReadonlySet<string>;
  /** How often the server asked for the roots. */
  readonly timesAskedForRoots: () => number;
  readonly close: () => Promise<void>;
}

const CAPABILITIES = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  tasks: { requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
};

/** @param onAsked - called with what the server asks of its client */
export function createEverythingClient(onAsked: (what: string, about: unknown) => void): EverythingClient {
  const heard = new Set<string>();
  const taskStore = new InMemoryTaskStore();
  const options = { capabilities: CAPABILITIES, taskStore };
  const client = new Client({ name: 'parity', version: '1.0.0' }, options);
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, extra) => {
    onAsked('to sample', params);
    return await give(
      { model: 'none', role: 'assistant', content: { type: 'text', text: 'sampled' } },
      {
        ...params,
        ...extra,
      },
    );
  });
  // Ends a repeated question.
  const elicited = new Set<string>();
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, extra) => {
    onAsked('to elicit', params);
    const isNew = !elicited.has(params.message);
    elicited.add(params.message);
    const content = params.mode === 'url' ? {} : { content: { name: 'Ann', interpretation: 'green' } };
    return await give(isNew ? { action: 'accept', ...content } : { action: 'decline' }, {
      ...params,
      ...extra,
    });
  });
  let times = 0;
  client.setRequestHandler(ListRootsRequestSchema, () => {
    times++;
    return { roots: [{ uri: 'file:///tmp', name: 'tmp' }] };
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.add('tools changed'));
  client.setNotificationHandler(
    ResourceListChangedNotificationSchema,
    () => void heard.add('resources changed'),
  );
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => void heard.add('resource updated'));
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => void heard.add('logged'));
  return {
    client,
    heard,
    timesAskedForRoots: () => times,
    async close() {
      await client.close();
      taskStore.cleanup();
    },
  };
}

/** Answers the server: at once, or as a task of the client's, if it wants one. */
async function give<Given extends CreateMessageResult | ElicitResult>(
  result: Given,
  {
    task: wanted,
    taskStore,
  }: {
    readonly task?: { readonly ttl?: number | undefined } | undefined;
    readonly taskStore?: RequestTaskStore | undefined;
  },
) {
  if (wanted === undefined || taskStore === undefined) return result;
  const task = await taskStore.createTask({ ttl: wanted.ttl ?? null });
  // Afterwards, so that the server has to ask for it.
  setImmediate(() => void taskStore.storeTaskResult(task.taskId, 'completed', result));
  return { task };
}

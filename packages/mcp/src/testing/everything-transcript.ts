import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { WAIT_TOOL } from '../guard/wait-tool.js';

const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['echo', { message: 'hello' }],
  ['echo', { message: 42 }],
  ['no-such-tool', {}],
  ['get-sum', { a: 2, b: 3 }],
  ['get-env', {}],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-resource-links', { count: 3 }],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
  ['get-structured-content', { location: 'New York' }],
  ['get-tiny-image', {}],
  ['get-roots-list', {}],
  ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' }],
  ['trigger-sampling-request', { prompt: 'hello', maxTokens: 10 }],
  ['trigger-elicitation-request', {}],
  ['trigger-url-elicitation', { url: 'https://example.com/', message: 'Go there.', elicitationId: 'one' }],
  [
    'trigger-url-elicitation',
    { url: 'https://example.com/', message: 'Go there.', elicitationId: 'two', errorPath: true },
  ],
];

/** Uses every feature of the reference server that tests everything, and writes down all that comes of it. */
export async function everythingTranscript(transport: Transport): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  const heard = new Set<string>();
  const client = new Client(
    { name: 'parity', version: '1.0.0' },
    { capabilities: { sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } } },
  );
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    lines.push(['asked to sample', params.messages]);
    return { model: 'none', role: 'assistant', content: { type: 'text', text: 'sampled' } };
  });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    lines.push(['asked to elicit', params.message]);
    return { action: 'decline' };
  });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///tmp', name: 'tmp' }] }));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.add('tools changed'));
  client.setNotificationHandler(
    ResourceListChangedNotificationSchema,
    () => void heard.add('resources changed'),
  );
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => void heard.add('resource updated'));
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => void heard.add('logged'));
  const note = async (what: string, outcome: Promise<unknown>): Promise<void> => {
    lines.push([what, await outcome.catch((error: Error) => ['failed', error.name, error.message])]);
  };

  await client.connect(transport);
  lines.push(['server', client.getServerVersion(), client.getServerCapabilities(), client.getInstructions()]);
  await note('ping', client.ping());
  // The server registers some tools only when it has seen what the client can do.
  await settled(async () =>
    (await client.listTools()).tools.some(({ name }) => name === 'trigger-sampling-request'),
  );
  const { tools } = await client.listTools();
  lines.push(['tools', tools.filter(({ name }) => name !== WAIT_TOOL)]);
  for (const [name, args] of CALLS) {
    await note(
      `call ${name}`,
      client.callTool({ name, arguments: args }).then(withoutTimes).then(withoutSurroundings),
    );
  }
  const slow = [progress(client), cancel(client), task(client)];
  for (const outcome of slow) outcome.catch(() => {});
  await note('prompts', client.listPrompts());
  await note('prompt', client.getPrompt({ name: 'args-prompt', arguments: { city: 'Bonn' } }));
  await note(
    'complete',
    client.complete({
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
      argument: { name: 'department', value: 'E' },
    }),
  );
  await note('resources', client.listResources());
  await note('templates', client.listResourceTemplates());
  const uri = 'demo://resource/static/document/features.md';
  await note('resource', client.readResource({ uri }));
  await note('no resource', client.readResource({ uri: 'demo://nothing' }));
  await note('subscribe', client.subscribeResource({ uri }));
  await note('level', client.setLoggingLevel('debug'));
  await note(
    'updates',
    client.callTool({ name: 'toggle-subscriber-updates', arguments: {} }).then(withoutSession),
  );
  await note(
    'logging',
    client.callTool({ name: 'toggle-simulated-logging', arguments: {} }).then(withoutSession),
  );
  await settled(async () => heard.has('logged') && heard.has('resource updated'));
  for (const [index, outcome] of slow.entries())
    await note(['progress', 'cancel', 'task'][index] ?? '', outcome);
  await note('unsubscribe', client.unsubscribeResource({ uri }));
  lines.push(['heard', [...heard].sort()]);
  await client.close();
  return lines;
}

async function progress(client: Client): Promise<unknown> {
  const told: unknown[] = [];
  const result = await client.callTool(
    { name: 'trigger-long-running-operation', arguments: { duration: 2, steps: 4 } },
    CallToolResultSchema,
    { onprogress: (update) => void told.push(update.message === undefined ? update.progress : 'waits') },
  );
  // The client itself loses the last one now and then, since it comes together with the result, and over
  // HTTP without a guard the same value is seen twice now and then. While a call waits for approval the guard has something to say
  // too, and what the server counts is added to that.
  const steps = [...new Set(told)].filter((step) => step !== 'waits').slice(0, 2) as number[];
  return [steps.map((step) => step - (steps[0] ?? 0)), result];
}

async function cancel(client: Client): Promise<unknown> {
  const calling = new AbortController();
  const call = client.callTool(
    { name: 'trigger-long-running-operation', arguments: { duration: 30, steps: 300 } },
    CallToolResultSchema,
    { signal: calling.signal, onprogress: () => calling.abort('enough') },
  );
  return await call;
}

/** A task of 2025-11-25, which the server itself runs. */
async function task(client: Client): Promise<unknown> {
  const seen: string[] = [];
  const params = { name: 'simulate-research-query', arguments: { topic: 'tea', ambiguous: false } };
  for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, {
    task: { ttl: 60_000 },
  })) {
    if (seen.at(-1) !== message.type) seen.push(message.type);
    if (message.type === 'result') return [seen, message.result.content];
    if (message.type === 'error') return [seen, message.error.message];
  }
  return seen;
}

function withoutTimes(result: unknown): unknown {
  return JSON.parse(
    JSON.stringify(result).replace(/\d\d?:\d\d:\d\d [AP]M|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
  ) as unknown;
}

/** What depends on how a process was started is left out of its environment. */
function withoutSurroundings(result: unknown): unknown {
  const { content } = result as { readonly content?: readonly { readonly text?: string }[] };
  const path = /^\{[^]*("PATH": "[^"]*")/.exec(content?.[0]?.text ?? '')?.[1];
  return path ?? result;
}

function withoutSession(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result).replace(/[0-9a-f-]{36}|undefined/g, 'SESSION')) as unknown;
}

/** Waits until something is so; a server does it within ten seconds. */
async function settled(isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 15_000;
  while (!(await isSo()) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
}

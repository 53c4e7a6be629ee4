import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { OWN_TOOLS } from '../../guard/wait-tool.js';
import { createEverythingClient } from './everything-client.js';
import {
  ASYNC_CALLS,
  CALLS,
  COMPLETIONS,
  checkUsed,
  LONG_TOOL,
  PROMPTS,
  TASK_TOOL,
  TOGGLES,
} from './everything-uses.js';

type Note = (what: string, outcome: Promise<unknown>) => Promise<void>;

/**
 * Uses every feature of the reference server, and records all results. Fails if the server lists a tool, a
 * prompt or a template that is not used.
 */
export async function everythingTranscript(transport: Transport): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  // Each once: over HTTP, with or without a guard, messages of a broken stream come again on the next.
  const asked = new Set<string>();
  const { client, heard, timesAskedForRoots, close } = createEverythingClient((what, about) =>
    asked.add(JSON.stringify([what, lasting(about)])),
  );
  const note: Note = async (what, outcome) => {
    const said = await outcome.catch((error: Error) => ['failed', error.name, error.message]);
    lines.push([what, lasting(said)]);
  };

  await client.connect(transport);
  lines.push(['server', client.getServerVersion(), client.getServerCapabilities(), client.getInstructions()]);
  await note('ping', client.ping());
  await noteTools(client, lines);
  for (const [name, args] of CALLS) await note(`call ${name}`, call(client, name, args));
  const slow: readonly (readonly [string, Promise<unknown>])[] = [
    ['progress', progress(client)],
    ['cancel', cancel(client)],
    ['task', task(client, { topic: 'tea', ambiguous: false })],
    ['task that asks', task(client, { topic: 'java', ambiguous: true })],
    ...ASYNC_CALLS.map(([name, args]) => [`call ${name}`, call(client, name, args)] as const),
  ];
  for (const [, outcome] of slow) outcome.catch(() => {});
  await notePrompts(client, note, lines);
  const uri = await noteResources(client, note, lines);
  await note('subscribe', client.subscribeResource({ uri }));
  await note('level', client.setLoggingLevel('debug'));
  for (const name of TOGGLES) await note(name, call(client, name, {}));
  await settled(async () => heard.has('logged') && heard.has('resource updated'));
  const before = timesAskedForRoots();
  await client.sendRootsListChanged();
  await settled(async () => timesAskedForRoots() > before);
  lines.push(['asked for roots again', timesAskedForRoots() > before]);
  for (const [what, outcome] of slow) await note(what, outcome);
  await note('unsubscribe', client.unsubscribeResource({ uri }));
  lines.push(['heard', [...heard].sort()], ['asked', [...asked].sort()]);
  await close();
  return lines;
}

async function noteTools(client: Client, lines: unknown[]): Promise<void> {
  // The server registers some tools only after it has seen the client's capabilities.
  await settled(async () =>
    (await client.listTools()).tools.some(({ name }) => name === 'trigger-elicitation-request-async'),
  );
  const tools = (await client.listTools()).tools.filter(({ name }) => !OWN_TOOLS.has(name));
  const used = [...CALLS, ...ASYNC_CALLS].map(([name]) => name);
  checkUsed(
    'tools',
    tools.map(({ name }) => name),
    [...used, LONG_TOOL, TASK_TOOL, ...TOGGLES],
  );
  lines.push(['tools', tools]);
}

async function notePrompts(client: Client, note: Note, lines: unknown[]): Promise<void> {
  const { prompts } = await client.listPrompts();
  checkUsed(
    'prompts',
    prompts.map(({ name }) => name),
    PROMPTS.map(([name]) => name),
  );
  lines.push(['prompts', prompts]);
  for (const [name, args] of PROMPTS)
    await note(`prompt ${name}`, client.getPrompt({ name, arguments: args }));
  for (const { of, ...about } of COMPLETIONS) {
    const ref = of.includes(':')
      ? ({ type: 'ref/resource', uri: of } as const)
      : ({ type: 'ref/prompt', name: of } as const);
    await note(`complete ${of}`, client.complete({ ref, ...about }));
  }
}

/** Resolves with a resource that stays. */
async function noteResources(client: Client, note: Note, lines: unknown[]): Promise<string> {
  const { resources } = await client.listResources();
  lines.push(['resources', resources]);
  for (const { uri } of resources) await note(`resource ${uri}`, client.readResource({ uri }));
  const { resourceTemplates } = await client.listResourceTemplates();
  lines.push(['templates', resourceTemplates]);
  checkUsed(
    'templates',
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    COMPLETIONS.map(({ of }) => of),
  );
  for (const { uriTemplate } of resourceTemplates) {
    const uri = uriTemplate.replace(/\{\w+\}/, '7');
    await note(`resource ${uri}`, client.readResource({ uri }));
  }
  await note('no resource', client.readResource({ uri: 'demo://nothing' }));
  return resources[0]?.uri ?? '';
}

function call(client: Client, name: string, args: Record<string, unknown>): Promise<unknown> {
  return client.callTool({ name, arguments: args }).then(withoutSurroundings);
}

async function progress(client: Client): Promise<unknown> {
  const told: unknown[] = [];
  const result = await client.callTool(
    { name: LONG_TOOL, arguments: { duration: 2, steps: 4 } },
    CallToolResultSchema,
    { onprogress: (update) => void told.push(update.message === undefined ? update.progress : 'waits') },
  );
  // The client itself occasionally loses the last one, since it arrives with the result, and over HTTP
  // without a guard the same value is occasionally seen twice. While a call waits for approval, the guard
  // reports progress too, and the server's values are added to that.
  const steps = [...new Set(told)].filter((step) => step !== 'waits').slice(0, 2) as number[];
  return [steps.map((step) => step - (steps[0] ?? 0)), result];
}

async function cancel(client: Client): Promise<unknown> {
  const calling = new AbortController();
  return await client.callTool(
    { name: LONG_TOOL, arguments: { duration: 30, steps: 300 } },
    CallToolResultSchema,
    { signal: calling.signal, onprogress: () => calling.abort('enough') },
  );
}

/** A 2025-11-25 task, run by the server itself. */
async function task(client: Client, args: Record<string, unknown>): Promise<unknown> {
  const seen: string[] = [];
  const params = { name: TASK_TOOL, arguments: args };
  for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, {
    task: { ttl: 60_000 },
  })) {
    if (seen.at(-1) !== message.type) seen.push(message.type);
    if (message.type === 'result') return [seen, message.result.content];
    if (message.type === 'error') return [seen, message.error.message];
  }
  return seen;
}

/** The reproducible part: without times, also in contents, and without session and task ids. */
function lasting(said: unknown): unknown {
  const readable = JSON.stringify(said).replace(/"blob":"(UmVzb3VyY2[^"]+)"/g, (_, blob: string) => {
    return `"blob":${JSON.stringify(Buffer.from(blob, 'base64').toString())}`;
  });
  const text = readable
    .replace(/\d\d?:\d\d:\d\d [AP]M|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/call-[0-9a-z-]{40,}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|undefined/g, 'ID');
  return JSON.parse(text) as unknown;
}

/** Variables that depend on how a process was started are left out of its environment. */
function withoutSurroundings(result: unknown): unknown {
  const { content } = result as { readonly content?: readonly { readonly text?: string }[] };
  const path = /^\{[^]*("PATH": "[^"]*")/.exec(content?.[0]?.text ?? '')?.[1];
  return path ?? result;
}

/** Waits until a condition holds; a server manages within ten seconds. */
async function settled(isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 15_000;
  while (!(await isSo()) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
}

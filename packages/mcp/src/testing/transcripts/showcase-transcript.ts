import {
  type CallToolRequestOptions,
  Client,
  LOG_LEVEL_META_KEY,
  type Transport,
} from '@modelcontextprotocol/client';
import { OWN_TOOLS } from '../../guard/wait-tool.js';
import { TASKS_KEY } from '../../revision.js';
import { DOCUMENT } from '../servers/showcase-server.js';
import { checkUsed } from './everything-uses.js';

type Note = (what: string, outcome: Promise<unknown>) => Promise<void>;

const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['echo', { said: 'hello' }],
  ['echo', { said: 42 }],
  ['no-such-tool', {}],
  ['sum', { a: 2, b: 3 }],
  ['picture', {}],
  ['fail', {}],
  ['throw', {}],
  ['regional', { region: 'north' }],
  ['regional', { region: 'süd' }],
  ['ask-elicit', {}],
  ['ask-elicit', {}],
  ['ask-visit', {}],
  ['ask-sample', {}],
  ['ask-roots', {}],
  ['ask-rounds', {}],
];

/** Used separately, for what they send besides their results. */
const TELLING = ['slow', 'log', 'endless', 'counts', 'change'];

/**
 * Uses every 2026-07-28 feature of the showcase, and records all results. Fails if it lists a tool that is
 * not used.
 *
 * @param isAsked - leaves out what differs when calls are approved: a started call is not cancelled then
 */
export async function showcaseTranscript(
  transport: Transport,
  { isAsked = false }: { readonly isAsked?: boolean } = {},
): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  const { client, heard } = createClient((what, about) => lines.push([`asked ${what}`, about]));
  const note: Note = async (what, outcome) => {
    lines.push([what, await outcome.catch((error: Error) => ['failed', error.name, error.message])]);
  };
  await client.connect(transport);
  lines.push(['era', client.getProtocolEra(), client.getNegotiatedProtocolVersion()]);
  lines.push(['server', client.getServerVersion(), client.getInstructions()]);
  lines.push(['can', withoutTasks(client.getServerCapabilities())]);
  await note('ping', client.ping());
  await noteTools(client, lines, [...CALLS.map(([name]) => name), ...TELLING]);
  for (const [name, args] of CALLS) await note(`call ${name}`, client.callTool({ name, arguments: args }));
  await note('progress', progress(client));
  const meta = { _meta: { [LOG_LEVEL_META_KEY]: 'debug' as const } };
  await note('log', client.callTool({ name: 'log', arguments: {} }));
  lines.push(['logged', heard.splice(0)]);
  await note('log all', client.callTool({ name: 'log', arguments: {}, ...meta }));
  lines.push(['logged', heard.splice(0)]);
  if (!isAsked) await note('cancel', cancel(client));
  await noteReading(client, note, lines);
  await noteChanges(client, note, { lines, heard });
  await client.close();
  return lines;
}

function createClient(onAsked: (what: string, about: unknown) => void) {
  const heard: unknown[] = [];
  const client = new Client(
    { name: 'parity', version: '1.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} },
      defaultCacheTtlMs: 0,
    },
  );
  let times = 0;
  client.setRequestHandler('elicitation/create', ({ params }) => {
    onAsked('to elicit', params);
    if (params.mode === 'url') return { action: 'accept' };
    return ++times === 2 ? { action: 'decline' } : { action: 'accept', content: { name: 'Ann' } };
  });
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    onAsked('to sample', params);
    return { model: 'none', role: 'assistant', content: { type: 'text', text: 'sampled' } };
  });
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///tmp', name: 'tmp' }] }));
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params));
  for (const what of ['tools', 'prompts', 'resources'] as const) {
    client.setNotificationHandler(
      `notifications/${what}/list_changed`,
      () => void heard.push(`${what} changed`),
    );
  }
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(params.uri),
  );
  return { client, heard };
}

async function noteTools(client: Client, lines: unknown[], used: readonly string[]): Promise<void> {
  const tools = (await client.listTools()).tools.filter(({ name }) => !OWN_TOOLS.has(name));
  checkUsed(
    'tools',
    tools.map(({ name }) => name),
    used,
  );
  lines.push(['tools', tools]);
}

async function noteReading(client: Client, note: Note, lines: unknown[]): Promise<void> {
  const { prompts } = await client.listPrompts();
  lines.push(['prompts', prompts]);
  for (const { name } of prompts) {
    const args = name === 'greet' ? { arguments: { who: 'Ann' } } : {};
    await note(`prompt ${name}`, client.getPrompt({ name, ...args }));
  }
  await note('prompt without arguments', client.getPrompt({ name: 'greet' }));
  await note('no prompt', client.getPrompt({ name: 'none' }));
  const { resources } = await client.listResources();
  lines.push(['resources', resources]);
  for (const { uri } of resources) await note(`resource ${uri}`, client.readResource({ uri }));
  await note('no resource', client.readResource({ uri: 'showcase://nothing' }));
  const { resourceTemplates } = await client.listResourceTemplates();
  lines.push(['templates', resourceTemplates]);
  for (const { uriTemplate: uri } of resourceTemplates) {
    await note(`resource of ${uri}`, client.readResource({ uri: uri.replace(/\{\w+\}/, '12') }));
    const ref = { type: 'ref/resource', uri } as const;
    await note(`complete ${uri}`, client.complete({ ref, argument: { name: 'number', value: '1' } }));
  }
}

async function noteChanges(
  client: Client,
  note: Note,
  { lines, heard }: { readonly lines: unknown[]; readonly heard: unknown[] },
): Promise<void> {
  const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const subscription = await client.listen({ ...all, resourceSubscriptions: [DOCUMENT] });
  const prompts = await client.listen({ promptsListChanged: true });
  lines.push(['listens', subscription.honoredFilter, prompts.honoredFilter]);
  await note('change', client.callTool({ name: 'change', arguments: {} }));
  // Prompt changes are reported twice, since there are two listeners.
  await settled(() => heard.length >= 5);
  lines.push(['heard', heard.splice(0).map(String).sort()]);
  await note(
    'tools after',
    client
      .listTools()
      .then(({ tools }) => tools.map(({ name }) => name).filter((name) => !OWN_TOOLS.has(name))),
  );
  await note('call added', client.callTool({ name: 'added', arguments: {} }));
  await note('prompts after', client.listPrompts());
  await note('document after', client.readResource({ uri: DOCUMENT }, { cacheMode: 'refresh' }));
  await subscription.close();
  await prompts.close();
  lines.push(['closed', await subscription.closed, await prompts.closed]);
}

/**
 * While a call waits for approval, the guard reports progress too, and the server's values are added to that.
 */
async function progress(client: Client): Promise<unknown> {
  const told: { readonly progress: number; readonly total?: number | undefined }[] = [];
  const options: CallToolRequestOptions = {
    onprogress: ({ message, ...update }) => void (message === undefined && told.push(update)),
  };
  const result = await client.callTool({ name: 'slow', arguments: {} }, options);
  const start = (told[0]?.progress ?? 1) - 1;
  return [told.map(({ progress: done, total = 0 }) => [done - start, total - start]), result];
}

/** Also the effect on the other side, which may take a moment. */
async function cancel(client: Client): Promise<unknown> {
  const calling = new AbortController();
  const call = client.callTool(
    { name: 'endless', arguments: {} },
    { signal: calling.signal, onprogress: () => calling.abort('enough') },
  );
  const outcome = await call.catch((error: Error) => [error.name, error.message]);
  let counts: unknown;
  await settled(async () => {
    counts = (await client.callTool({ name: 'counts', arguments: {} })).content;
    return JSON.stringify(counts).includes('1 off');
  });
  return [outcome, counts];
}

/** The guard can make tasks of calls, whether or not the server can. */
function withoutTasks(capabilities: object | undefined): unknown {
  const { extensions = {}, ...rest } = { ...capabilities } as { extensions?: Record<string, unknown> };
  const others = Object.entries(extensions).filter(([name]) => name !== TASKS_KEY);
  return { ...rest, extensions: Object.fromEntries(others) };
}

async function settled(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const until = Date.now() + 5_000;
  while (!(await isSo()) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}

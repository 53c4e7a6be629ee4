import { fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { registerAsking } from './showcase-asking.js';

/**
 * State shared by the instances of one server: over HTTP without sessions each request has its own instance.
 */
export interface Showcase {
  /** Whether it has what `change` adds. */
  isChanged: boolean;
  /** Calls of `endless` that started, and those that were cancelled. */
  begun: number;
  calledOff: number;
  /** Notifies listeners that tools, prompts, resources and the document changed. */
  tellOfChange: (server: McpServer) => void;
}

/** The document of the showcase, which `change` changes. */
export const DOCUMENT = 'showcase://document';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

/** A server with every feature of 2026-07-28 that the official library serves. */
export function createShowcaseServer(showcase: Showcase): McpServer {
  const server = new McpServer(
    { name: 'showcase', title: 'Showcase', version: '1.0.0' },
    {
      instructions: 'Look at everything.',
      capabilities: {
        logging: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
    },
  );
  registerPlain(server);
  registerTelling(server, showcase);
  registerAsking(server);
  registerReading(server, showcase);
  if (showcase.isChanged) registerAdded(server);
  return server;
}

function registerPlain(server: McpServer): void {
  server.registerTool(
    'echo',
    {
      title: 'Echo',
      description: 'Says it again.',
      inputSchema: shape<{ said: string }>({ said: 'string' }),
    },
    async ({ said }) => ({ ...text(said), _meta: { 'example.com/kept': true } }),
  );
  server.registerTool(
    'sum',
    {
      inputSchema: shape<{ a: number; b: number }>({ a: 'number', b: 'number' }),
      outputSchema: shape<{ sum: number }>({ sum: 'number' }),
      annotations: { readOnlyHint: true },
    },
    async ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool('picture', {}, async () => ({
    content: [
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png', annotations: { priority: 1 } },
      { type: 'resource_link', uri: DOCUMENT, name: 'document' },
      { type: 'resource', resource: { uri: DOCUMENT, text: 'inside' } },
    ],
  }));
  server.registerTool('fail', {}, async () => ({ ...text('It failed.'), isError: true }));
  server.registerTool('throw', {}, async () => {
    throw new Error('It was thrown.');
  });
  // Over HTTP the client also sends the region as a header, and the server requires it.
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  server.registerTool(
    'regional',
    { inputSchema: fromJsonSchema<{ region: string }>({ type: 'object', properties: { region } }) },
    async (args) => text(`in ${args.region}`),
  );
}

function registerTelling(server: McpServer, showcase: Showcase): void {
  server.registerTool('slow', {}, async (context) => {
    const { progressToken } = context.mcpReq['_meta'] ?? {};
    for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
      const params = { progressToken, progress, total: 3 };
      await context.mcpReq.notify({ method: 'notifications/progress', params });
      // A client that reads the last one together with the result no longer reports it.
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return text('done');
  });
  server.registerTool('log', {}, async (context) => {
    await context.mcpReq.log('debug', { detail: 1 }, 'showcase');
    await context.mcpReq.log('error', 'It is serious.');
    return text('logged');
  });
  server.registerTool('endless', {}, async (context) => {
    const { signal } = context.mcpReq;
    showcase.begun++;
    const { progressToken } = context.mcpReq['_meta'] ?? {};
    const params = { progressToken, progress: 1 };
    if (progressToken !== undefined)
      await context.mcpReq.notify({ method: 'notifications/progress', params });
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    showcase.calledOff++;
    return text('over');
  });
  server.registerTool('counts', {}, async () => text(`${showcase.begun} begun, ${showcase.calledOff} off`));
  server.registerTool('change', {}, async () => {
    showcase.isChanged = true;
    showcase.tellOfChange(server);
    return text('changed');
  });
}

function registerReading(server: McpServer, showcase: Showcase): void {
  server.registerResource(
    'document',
    DOCUMENT,
    { mimeType: 'text/plain', description: 'A text.' },
    (uri) => ({
      contents: [{ uri: uri.href, text: showcase.isChanged ? 'after' : 'before' }],
    }),
  );
  server.registerResource(
    'page',
    new ResourceTemplate('showcase://page/{number}', {
      list: () => ({ resources: [{ uri: 'showcase://page/1', name: 'page 1' }] }),
      complete: { number: (value) => ['1', '12', '2'].filter((number) => number.startsWith(value)) },
    }),
    {},
    (uri, { number }) => ({
      contents: [{ uri: uri.href, blob: Buffer.from(`page ${String(number)}`).toString('base64') }],
    }),
  );
  server.registerPrompt(
    'greet',
    { description: 'Greets.', argsSchema: shape<{ who: string }>({ who: 'string' }) },
    ({ who }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}.` } }] }),
  );
}

/** What `change` adds, in an existing instance or in new ones. */
export function registerAdded(server: McpServer): void {
  server.registerTool('added', {}, async () => text('new'));
  server.registerPrompt('added', {}, () => ({ messages: [] }));
  server.registerResource('added', 'showcase://added', {}, (uri) => ({
    contents: [{ uri: uri.href, text: '' }],
  }));
}

/** An object schema whose properties are all required. */
export function shape<Value>(properties: Readonly<Record<string, string>>) {
  const typed = Object.entries(properties).map(([key, type]) => [key, { type }]);
  return fromJsonSchema<Value>({
    type: 'object',
    properties: Object.fromEntries(typed),
    required: Object.keys(properties),
  });
}

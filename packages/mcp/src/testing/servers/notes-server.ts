import { appendFile, readFile } from 'node:fs/promises';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

/** What a test may want to observe and to delay. */
export interface NotesServerOptions {
  /** The file that `append` writes to. */
  readonly file: string;
  /** Called when `append` is about to write; it writes when this resolves. */
  readonly beforeWriting?: () => Promise<void>;
  /** Added to the description of `append`. */
  readonly variant?: string;
  /** Receives a function that changes the description of `append`, which the server reports to its client. */
  readonly onChangeable?: (change: (description: string) => void) => void;
}

/** A small MCP server with countable effects: one line in a file per executed call. */
export function createNotesServer(options: NotesServerOptions): McpServer {
  const { file, beforeWriting, variant = '', onChangeable } = options;
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  const appending = server.registerTool(
    'append',
    {
      description: `Adds a line.${variant}`,
      inputSchema: shape<{ line: string }>({ line: 'string' }),
      annotations: { destructiveHint: false },
    },
    async ({ line }) => {
      await beforeWriting?.();
      await appendFile(file, `${line}\n`);
      return text(`appended ${line}`);
    },
  );
  onChangeable?.((description) => appending.update({ description }));
  server.registerTool(
    'read',
    { description: 'Reads all lines.', inputSchema: shape<object>({}), annotations: { readOnlyHint: true } },
    async () => text(await readFile(file, 'utf8').catch(() => '')),
  );
  server.registerTool(
    'count',
    {
      description: 'Counts characters, slowly.',
      inputSchema: shape<{ text: string }>({ text: 'string' }),
      outputSchema: shape<{ count: number }>({ count: 'number' }),
    },
    async ({ text: counted }, context) => {
      const { progressToken } = context.mcpReq['_meta'] ?? {};
      for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 3 },
        });
      }
      return {
        content: [{ type: 'text', text: String(counted.length) }],
        structuredContent: { count: counted.length },
      };
    },
  );
  server.registerTool(
    'large',
    {
      description: 'Answers with that many characters.',
      inputSchema: shape<{ size: number }>({ size: 'number' }),
    },
    async ({ size }) => text('x'.repeat(size)),
  );
  server.registerTool('fail', { description: 'Fails.', inputSchema: shape<object>({}) }, async () => ({
    ...text('It failed.'),
    isError: true,
  }));
  return server;
}

function shape<Value>(properties: Readonly<Record<string, string>>) {
  const typed = Object.entries(properties).map(([key, type]) => [key, { type }]);
  return fromJsonSchema<Value>({
    type: 'object',
    properties: Object.fromEntries(typed),
    required: Object.keys(properties),
  });
}

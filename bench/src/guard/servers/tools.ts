import process from 'node:process';
import { createInterface } from 'node:readline';

/** A tool that needs no approval, and one that does. */
export const READS = 'read';
export const WRITES = 'write';

const TOOLS = [
  { name: READS, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: WRITES, inputSchema: { type: 'object' } },
];

/** A minimal MCP server over stdio: it answers at once, so that only the path to it is measured. */
export function serveTools(): true {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method?: string };
      if (id !== undefined) {
        process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method) })}\n`);
      }
    })
    .on('close', () => process.exit());
  return true;
}

function resultOf(method: string | undefined): object {
  if (method === 'tools/list') return { tools: TOOLS };
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'done' }] };
  const serverInfo = { name: 'tools', version: '1.0.0' };
  return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
}

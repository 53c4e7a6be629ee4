import { createInterface } from 'node:readline';
import type { Companion } from '../../processes/companion.js';

/** A minimal MCP client over stdio. */
export interface McpClient {
  /** Calls a tool. Resolves with the answer; fails if that is not a tool result. */
  call(tool: string, args: object): Promise<void>;
}

type Answer = { readonly id?: number; readonly result?: { readonly isError?: boolean } };

/**
 * Performs the MCP handshake with a process whose stdin and stdout are piped.
 *
 * @param onInitialized - called when `initialize` is answered
 */
export async function connectMcp(
  { input, output }: Pick<Companion<unknown>, 'input' | 'output'>,
  onInitialized: () => void = () => {},
): Promise<McpClient> {
  if (input === null || output === null) throw new Error('The process cannot be spoken with.');
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: output }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let count = 0;
  const ask = (method: string, params: object): Promise<void> =>
    new Promise((resolve, reject) => {
      const id = ++count;
      waiting.set(id, (answer) => {
        if (answer.result === undefined || answer.result.isError === true) {
          reject(new Error(`${method} failed: ${JSON.stringify(answer)}`));
        } else resolve();
      });
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  onInitialized();
  input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  await ask('tools/list', {});
  return { call: (name, args) => ask('tools/call', { name, arguments: args }) };
}

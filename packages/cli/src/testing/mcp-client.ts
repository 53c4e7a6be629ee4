import { createInterface } from 'node:readline';
import type { Running } from './cli.js';

/** A minimal MCP client over a process's stdin and stdout. */
export interface McpClient {
  /** Resolves with the result; rejects with the error's message. */
  request(method: string, params?: object): Promise<unknown>;
  notify(method: string): void;
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Connects to an MCP server process, and performs the handshake. */
export async function connectMcp({ child }: Running): Promise<McpClient> {
  const waiting = new Map<unknown, (message: Answer) => void>();
  if (child.stdout === null) throw new Error('The process has no standard output.');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Answer;
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const send = (message: object): void => {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const request = (method: string, params: object = {}): Promise<unknown> => {
    const own = ++id;
    return new Promise((resolve, reject) => {
      waiting.set(own, ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(error.message));
      });
      send({ id: own, method, params });
    });
  };
  const clientInfo = { name: 'test', version: '1.0.0' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return { request, notify: (method) => send({ method }) };
}

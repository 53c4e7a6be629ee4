import { fileURLToPath } from 'node:url';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@proffer/core/json';
import { createTransportChannel } from '../channel/transport-channel.js';
import { createUpstreamStdio } from '../channel/upstream-stdio.js';
import type { Guard } from '../guard/guard.js';

const EVERYTHING = fileURLToPath(
  new URL('../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);

/** The official client of 2025-11-25 in front of a guard in front of the reference server. */
export async function connectEarlier(guard: Guard): Promise<Client> {
  const [toClient, front] = InMemoryTransport.createLinkedPair();
  const back = createUpstreamStdio({ command: process.execPath, args: [EVERYTHING, 'stdio'] });
  await guard.connect(createTransportChannel(front), back);
  const capabilities = { elicitation: { form: {} }, tasks: {} };
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: 'accept',
    content: { interpretation: 'programming' },
  }));
  await client.connect(toClient);
  await client.listTools();
  return client;
}

/** Calls the reference server's tool that runs as a task; returns the client's final result. */
export async function research(
  client: Client,
  args: JsonObject,
  { ttl = 60_000 }: { readonly ttl?: number } = {},
): Promise<JsonObject> {
  const params = { name: 'simulate-research-query', arguments: args };
  const told = client.experimental.tasks.callToolStream(params, CallToolResultSchema, {
    task: { ttl },
  });
  const types: string[] = [];
  for await (const message of told) {
    if (types.at(-1) !== message.type) types.push(message.type);
    if (message.type === 'result') return { types, result: message.result as JsonObject };
    if (message.type === 'error') return { types, error: message.error.message };
  }
  return { types };
}

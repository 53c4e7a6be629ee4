import type { Client, Transport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type RawClientDispatch,
  type TaskEnabledSession,
  type V2RequestFraming,
  type WithTasksOptions,
} from '@modelcontextprotocol/ext-tasks/client';

type Result = Awaited<ReturnType<RawClientDispatch>>;

export interface TaskSessionOptions extends WithTasksOptions {
  /** The client's capabilities; default: none. */
  readonly capabilities?: V2RequestFraming['clientCapabilities'];
}

/** A 2026-07-28 task session over the transport of a client connected in that revision. */
export function taskSession(
  client: Client,
  transport: Transport,
  { capabilities = {}, ...options }: TaskSessionOptions = {},
): TaskEnabledSession {
  const waiting = new Map<string, (answer: Result) => void>();
  const { onmessage } = transport;
  Object.assign(transport, {
    onmessage(...[message, extra]: Parameters<NonNullable<typeof onmessage>>) {
      const id = 'id' in message ? String(message.id) : '';
      const settle = waiting.get(id);
      if (settle === undefined) return onmessage?.(message, extra);
      waiting.delete(id);
      if ('result' in message) settle({ kind: 'result', result: message.result as never });
      else if ('error' in message) settle({ kind: 'error', error: message.error as never });
    },
  });
  let count = 0;
  return createTaskSessionFromClient(client, {
    ...options,
    endpointId: 'guard',
    rawDispatch: (request) =>
      new Promise((resolve, reject) => {
        const id = `task-${++count}`;
        waiting.set(id, resolve);
        transport.send({ ...(request as object), jsonrpc: '2.0', id } as never).catch(reject);
      }),
    v2RequestFraming: {
      protocolVersion: '2026-07-28',
      clientInfo: { name: 'test', version: '1.0.0' },
      clientCapabilities: capabilities,
    },
  });
}

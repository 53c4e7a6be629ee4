import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { type ConnectOptions, connect, type Participant } from '@proffer/client';
import { type Gateway, startOnLoopback } from '@proffer/gateway';

/** A real gateway with a real journal, which can be killed and restarted at the same address. */
export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const QUICK = { delay: 20, maxDelay: 100 } as const;

export async function startTestGateway(yaml = 'dev: true'): Promise<TestGateway> {
  const folder = await mkdtemp(path(tmpdir(), 'proffer-adapters-'));
  let gateway: Gateway | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    ({ gateway, port } = await startOnLoopback(yaml, { folder, port }));
  };
  const stop = async (): Promise<void> => {
    await gateway?.close();
    gateway = undefined;
  };
  await start();
  return {
    url: `ws://127.0.0.1:${port}`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Connects as a dev-mode participant, whose token is its name. */
export function join(
  { url }: TestGateway,
  token: string,
  options: Partial<ConnectOptions> = {},
): Promise<Participant> {
  return connect({ url, token, space: 'main', retry: QUICK, ...options });
}

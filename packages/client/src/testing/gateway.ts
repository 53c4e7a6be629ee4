import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, loopbackConfig, startOnLoopback } from '@proffer/gateway';
import { freePorts } from '@proffer/journal/testing';

/** A real gateway with a real journal in a new folder, which can be stopped and restarted. */
export interface TestGateway extends AsyncDisposable {
  /** Stays the same across restarts. */
  readonly url: string;
  readonly port: number;
  /** Where gRPC is served; stays the same across restarts. */
  readonly grpcPort: number;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Replaces the capabilities, without a restart. */
  reload(yaml: string): void;
}

/** @param yaml - the configuration; dev mode by default */
export async function startTestGateway(yaml = 'dev: true'): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-client-'));
  let gateway: Gateway | undefined;
  // Nobody else gets them while the gateway is stopped.
  const [port = 0, grpcPort = 0] = await freePorts(2);

  async function start(): Promise<void> {
    ({ gateway } = await startOnLoopback(yaml, { folder, port, grpcPort }));
  }

  async function stop(): Promise<void> {
    await gateway?.close();
    gateway = undefined;
  }

  await start();
  return {
    url: `ws://127.0.0.1:${port}`,
    port,
    grpcPort,
    start,
    reload: (next) => gateway?.reload(loopbackConfig(next)),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

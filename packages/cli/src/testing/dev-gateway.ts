import { join } from 'node:path';
import { startOnLoopback } from '@proffer/gateway';
import { freePorts } from '@proffer/journal/testing';
import { notifyCompanion } from '@proffer/notify';
import { rulesCompanion } from '@proffer/steward/companion';
import { afterAll, beforeAll } from 'vitest';
import { sampleTools, startExecutor } from '../up/sample-tools.js';
import { type Ended, temporaryFolder } from './cli.js';
import { runHere, type StartedHere, startHere } from './in-process.js';

/** A gateway like that of `proffer up --dev`, in this process, on a free port with a new journal. */
export interface DevGateway extends AsyncDisposable {
  readonly url: string;
  /** The journal's folder. */
  readonly data: string;
  /** Runs a command against it. */
  run(...args: readonly string[]): Promise<Ended>;
  /** Starts a long-running command against it. */
  start(...args: readonly string[]): StartedHere;
  stop(): Promise<void>;
  /** Starts it again, on the same port and journal. */
  restart(): Promise<void>;
}

export async function startDevGateway(): Promise<DevGateway> {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'journal');
  // Nobody else gets it while the gateway is stopped.
  const [port = 0] = await freePorts(1);
  let stop = async (): Promise<void> => {};
  async function restart(): Promise<void> {
    const companions = [notifyCompanion, rulesCompanion];
    const started = await startOnLoopback('dev: true', { folder: data, port, companions });
    const tools = sampleTools(folder.path, Date.now);
    const executor = await startExecutor({ url: `http://127.0.0.1:${port}`, space: 'main', tools });
    stop = async () => {
      stop = async () => {};
      await executor.close();
      await started.gateway.close();
    };
  }
  await restart();
  const url = `http://127.0.0.1:${port}`;
  const env = { PROFFER_URL: url };
  return {
    url,
    data,
    run: (...args) => runHere(args, env),
    start: (...args) => startHere(args, env),
    stop: () => stop(),
    restart,
    async [Symbol.asyncDispose]() {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** One for all tests of a file: started before the first, and stopped after the last. */
export interface UsedDevGateway
  extends Pick<DevGateway, 'url' | 'data' | 'run' | 'start' | 'stop' | 'restart'> {
  /** Proposes that `echo` returns the id, without waiting. */
  readonly propose: (id: string, ...args: readonly string[]) => Promise<Ended>;
}

export function useDevGateway(): UsedDevGateway {
  let started: DevGateway | undefined;
  const gateway = (): DevGateway => {
    if (started === undefined) throw new Error('The gateway runs while the tests run.');
    return started;
  };
  beforeAll(async () => {
    started = await startDevGateway();
  });
  afterAll(async () => {
    await started?.[Symbol.asyncDispose]();
  });
  const run: DevGateway['run'] = (...args) => gateway().run(...args);
  return {
    get url() {
      return gateway().url;
    },
    get data() {
      return gateway().data;
    },
    run,
    start: (...args) => gateway().start(...args),
    stop: () => gateway().stop(),
    restart: () => gateway().restart(),
    propose: (id, ...args) => run('propose', 'echo', '--arg', `text=${id}`, '--id', id, '--no-wait', ...args),
  };
}

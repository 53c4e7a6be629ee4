import { join } from 'node:path';
import { type Ended, proffer, type Running, start, temporaryFolder } from './cli.js';
import { runHere } from './in-process.js';

/** `proffer up --dev` on a free port with a new journal. */
export interface DevGateway extends AsyncDisposable {
  readonly url: string;
  /** The journal's folder. */
  readonly data: string;
  readonly greeting: string;
  readonly process: Running;
  /** Runs a command against it, in this process. */
  run(...args: readonly string[]): Promise<Ended>;
  /** Runs a command against it, in a separate process. */
  proffer(...args: readonly string[]): Promise<Ended>;
  /** Starts a long-running command against it. */
  start(...args: readonly string[]): Running;
  /** Stops it and waits. */
  stop(): Promise<Ended>;
}

export async function startDevGateway(): Promise<DevGateway> {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'journal');
  const up = start(['up', '--dev', '--port', '0', '--data', data], { cwd: folder.path });
  const greeting = await up.until(/Ctrl-C stops it/);
  const [, url = ''] = /HTTP +(http:\S+)/.exec(greeting) ?? [];
  const env = { PROFFER_URL: url };
  const stop = async (): Promise<Ended> => {
    up.child.kill('SIGTERM');
    return await up.ended;
  };
  return {
    url,
    data,
    greeting,
    process: up,
    run: (...args) => runHere(args, env),
    proffer: (...args) => proffer(args, { cwd: folder.path, env }),
    start: (...args) => start(args, { cwd: folder.path, env }),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

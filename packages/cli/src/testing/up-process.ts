import { join } from 'node:path';
import { type Ended, type Running, start, temporaryFolder } from './cli.js';
import { runHere } from './in-process.js';

/** `proffer up --dev` in a separate process, on a free port with a new journal. */
export interface UpProcess extends AsyncDisposable {
  readonly url: string;
  /** The journal's folder. */
  readonly data: string;
  readonly greeting: string;
  readonly process: Running;
  /** Runs a command against it, in this process. */
  run(...args: readonly string[]): Promise<Ended>;
  /** Stops it and waits. */
  stop(): Promise<Ended>;
}

/** For tests of `up` itself, or of a gateway that is killed; all others use `startDevGateway`. */
export async function startUp(): Promise<UpProcess> {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'journal');
  // If it is killed, it leaves its own temporary files there.
  const env = { TMPDIR: folder.path };
  const up = start(['up', '--dev', '--port', '0', '--data', data], { cwd: folder.path, env });
  const greeting = await up.until(/Ctrl-C stops it/);
  const [, url = ''] = /HTTP +(http:\S+)/.exec(greeting) ?? [];
  const stop = async (): Promise<Ended> => {
    up.child.kill('SIGTERM');
    return await up.ended;
  };
  return {
    url,
    data,
    greeting,
    process: up,
    run: (...args) => runHere(args, { PROFFER_URL: url }),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

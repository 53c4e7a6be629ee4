import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { atEnd, temporaryFolder } from '../../cleanup.js';
import { freePort } from '../../processes/free-port.js';
import { processorTime } from '../../processes/processor-time.js';
import type { Usage } from '../../processes/usage.js';
import { connectGrpc } from '../driver/connection.js';

/** The reference runtime of MACP, as a process of its own. */
export interface ReferenceServer extends AsyncDisposable {
  readonly port: number;
  /** Absent where the system does not tell. */
  usage(): Promise<Pick<Usage, 'cpu'> | undefined>;
}

/** Says in the report that the peer was not there. */
export const NOT_MEASURED =
  'macp-runtime, the reference runtime, was not measured: it is not on the PATH, and PROFFER_BENCH_MACP_RUNTIME does not name it.';

/** So high that no load here meets one. */
const UNLIMITED = {
  MACP_SESSION_START_LIMIT_PER_MINUTE: '1000000000',
  MACP_MESSAGE_LIMIT_PER_MINUTE: '1000000000',
  MACP_MAX_CONCURRENT_STREAMS: '1000',
  MACP_CONCURRENCY_LIMIT_PER_CONNECTION: '1000',
  MACP_REQUEST_TIMEOUT_SECS: '3600',
};

/**
 * Starts the peer if PROFFER_BENCH_MACP_RUNTIME names its file (empty: do without), or else `macp-runtime` is
 * on the PATH. It keeps everything in files of its own, syncs each message, takes any name for a token as ours
 * does in dev mode, and logs errors only. Throws when it does not answer within half a minute.
 */
export async function startReference(): Promise<ReferenceServer | undefined> {
  const command = process.env['PROFFER_BENCH_MACP_RUNTIME'] ?? (await findOnPath('macp-runtime'));
  if (command === undefined || command === '') return undefined;
  const folder = await temporaryFolder();
  const port = await freePort();
  const child = spawn(command, [], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      ...withoutMacp(process.env),
      ...UNLIMITED,
      MACP_BIND_ADDR: `127.0.0.1:${port}`,
      MACP_ALLOW_INSECURE: '1',
      MACP_STORAGE_BACKEND: 'file',
      MACP_DATA_DIR: folder.path,
      RUST_LOG: 'error',
    },
  });
  const forget = atEnd(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const server = {
    port,
    usage: () => processorTime(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited.catch(() => {});
      forget();
      await folder[Symbol.asyncDispose]();
    },
  };
  try {
    await Promise.race([
      answers(port),
      exited.then(() => Promise.reject(new Error(`${command} ended by itself: it is not macp-runtime`))),
    ]);
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
  return server;
}

async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of process.env['PATH']?.split(delimiter) ?? []) {
    const file = join(folder, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return undefined;
}

/** What an operator set for a runtime of its own is not for this one. */
function withoutMacp(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('MACP_')));
}

async function answers(port: number): Promise<void> {
  for (const giveUp = performance.now() + 30_000; performance.now() < giveUp; ) {
    const connection = await connectGrpc(port, 'nobody').catch(() => undefined);
    if (connection !== undefined) return connection.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('macp-runtime did not answer within 30 s');
}

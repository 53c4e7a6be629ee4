import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { onExit, temporaryFolder } from '../../cleanup.js';
import { freePort } from '../../processes/free-port.js';
import { processorTime } from '../../processes/processor-time.js';
import type { Usage } from '../../processes/usage.js';
import { connectGrpc } from '../driver/connection.js';

/** The MACP reference runtime in a separate process. */
export interface ReferenceServer extends AsyncDisposable {
  readonly port: number;
  /** Absent if the system does not report it. */
  usage(): Promise<Pick<Usage, 'cpu'> | undefined>;
}

/** The note for the report if the peer is not available. */
export const NOT_MEASURED =
  'macp-runtime, the reference runtime, was not measured: add it to the PATH or set PROFFER_BENCH_MACP_RUNTIME.';

/** Too high for any load here to reach. */
const UNLIMITED = {
  MACP_SESSION_START_LIMIT_PER_MINUTE: '1000000000',
  MACP_MESSAGE_LIMIT_PER_MINUTE: '1000000000',
  MACP_MAX_CONCURRENT_STREAMS: '1000',
  MACP_CONCURRENCY_LIMIT_PER_CONNECTION: '1000',
  MACP_REQUEST_TIMEOUT_SECS: '3600',
};

/**
 * Starts the peer if PROFFER_BENCH_MACP_RUNTIME names its program (empty: skip it), or if `macp-runtime` is
 * on the PATH. It stores everything in its own files, syncs each message, accepts any name as a token like
 * our dev mode, and logs only errors. Throws if it does not respond within 30 seconds.
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
  const forget = onExit(() => child.kill('SIGKILL'));
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

/** Settings that an operator made for another runtime must not apply to this one. */
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

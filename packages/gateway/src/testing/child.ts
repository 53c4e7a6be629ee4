import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const TOP = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * The gateway's sources as one file that node runs, so that a process of its own needs no build of the
 * packages. What they depend on is in it, since one file is read sooner than a few hundred; all but the
 * logger, which reads files of its own and is found from where it lies. Removed with `await using`.
 */
export async function bundleGateway(): Promise<AsyncDisposable & { readonly file: string }> {
  const folder = await mkdtemp(join(TOP, 'node_modules/.proffer-child-'));
  await build({
    root: TOP,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@proffer/source', 'node'] },
    ssr: {
      noExternal: true,
      external: ['pino'],
      resolve: { conditions: ['@proffer/source', 'node'] },
    },
    build: {
      ssr: fileURLToPath(new URL('child-main.ts', import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'gateway.mjs' } },
    },
  });
  return {
    file: join(folder, 'gateway.mjs'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A gateway in a process of its own. */
export interface Child extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly port: number;
  readonly http: string;
  readonly ws: string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

export interface ChildOptions {
  readonly file: string;
  readonly folder: string;
  readonly port?: number;
  readonly yaml?: string;
  readonly flags?: readonly string[];
}

/** Starts one and waits until it is ready. Fails with what it said if it ends before. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { file, folder, port = 0, yaml = 'dev: true', flags = [] } = options;
  const child = spawn(process.execPath, [...flags, file, folder, String(port), yaml], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  let complained = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString();
  });
  const exited = once(child, 'exit');
  const ready = new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /ready (\d+)\n/.exec(said);
      if (found !== null) resolve(Number(found[1]));
    });
    void exited.then(() => reject(new Error(`The gateway ended: ${complained}`)));
  });
  const chosen = await ready;
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    process: child,
    port: chosen,
    http: `http://127.0.0.1:${chosen}`,
    ws: `ws://127.0.0.1:${chosen}/ws`,
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

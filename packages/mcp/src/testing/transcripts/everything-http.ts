import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { said } from '../guard-process.js';

const EVERYTHING = fileURLToPath(
  new URL(
    '../../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    import.meta.url,
  ),
);
/** The official server with sessions (2025), in a separate process. */
export async function startEverything(port: number): Promise<ChildProcess> {
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], { env });
  await said(child, /listening on port/i);
  return child;
}

/** Kills it as a power cut would. */
export async function killEverything(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { GuardMainOptions } from './guard-main.js';
import { programs } from './programs.js';

/** A process that serves over HTTP. */
export interface HttpProcess extends AsyncDisposable {
  readonly address: string;
  readonly process: ChildProcess;
}

/** A guard over HTTP in a separate process. */
export async function startGuard(options: GuardMainOptions): Promise<HttpProcess> {
  const args = [programs.guard, JSON.stringify({ ...options, http: true })];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  const [, address = ''] = await said(child, /ready (\S+)/);
  return {
    address,
    process: child,
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    },
  };
}

/** The showcase server over HTTP in a separate process. */
export async function startShowcase(): Promise<HttpProcess> {
  const child = spawn(process.execPath, [programs.showcase, 'http']);
  const [, address = ''] = await said(child, /listening (\S+)/);
  return {
    address,
    process: child,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'close');
    },
  };
}

/** Resolves when a process has printed something; rejects if it exits before. */
export function said(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (chunk: Buffer): void => {
      text += chunk.toString();
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', () => reject(new Error(`It ended without ${pattern}: ${text}`)));
  });
}

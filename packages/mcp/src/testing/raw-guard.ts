import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JsonObject } from '@proffer/core/json';
import { createLineSplitter } from '../channel/lines.js';
import type { GuardMainOptions } from './guard-main.js';
import { programs } from './programs.js';

/** A guard process with a line-based client, so that either can end at any moment. */
export interface RawGuard extends AsyncDisposable {
  readonly process: ChildProcess;
  /**
   * Resolves with the whole answer.
   *
   * @param progressToken - asks for progress
   */
  call(name: string, args: JsonObject, progressToken?: string): Promise<JsonObject>;
  /** Kills the guard as a power cut would. */
  kill(): Promise<void>;
}

export async function startRawGuard(options: GuardMainOptions): Promise<RawGuard> {
  const child = spawn(process.execPath, [programs.guard, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<unknown, (answer: JsonObject) => void>();
  let id = 0;
  const split = createLineSplitter((line) => {
    const message = JSON.parse(line) as JsonObject;
    waiting.get(message['id'])?.(message);
  });
  child.stdout.on('data', split);
  child.stdin.on('error', () => {});
  const send = (message: JsonObject): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method: string, params: JsonObject): Promise<JsonObject> => {
    const own = ++id;
    return new Promise((resolve) => {
      waiting.set(own, resolve);
      send({ id: own, method, params });
    });
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'exit');
    child.kill('SIGKILL');
    await closed;
  };
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1.0.0' },
  });
  send({ method: 'notifications/initialized' });
  return {
    process: child,
    call: (name, args, progressToken) =>
      ask('tools/call', {
        name,
        arguments: args,
        ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
      }),
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

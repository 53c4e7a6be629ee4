import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import { type LaunchHeader, MAX_BYTES, VERSION_VARIABLES } from '../launch/index.js';
import type { AnswerEvent } from './answer-event.js';

/** The longest first line of a launcher, in bytes. */
const LONGEST_HEADER = 4_096;

/** Where launchers are served. */
export interface HookServer {
  close(): Promise<void>;
}

/**
 * Serves launchers on a socket that only its owner can open. To be called by the one process that
 * holds the folder's lock: a socket left by an earlier process is removed.
 *
 * @param onCall - called for every connection
 */
export async function startSocketServer(
  path: string,
  answer: AnswerEvent,
  onCall: () => void = () => {},
): Promise<HookServer> {
  if (process.platform !== 'win32') rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    onCall();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(socket, answer);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function serve(socket: Socket, answer: AnswerEvent): void {
  const gone = new AbortController();
  const parts: Buffer[] = [];
  let size = 0;
  let header: LaunchHeader | undefined;
  const take = (part: Buffer): void => {
    parts.push(part);
    size += part.length;
    if (header === undefined) {
      const all = Buffer.concat(parts);
      const end = all.indexOf(10);
      if (end === -1) {
        if (size > LONGEST_HEADER) socket.destroy();
        return;
      }
      header = readHeader(all.subarray(0, end));
      if (header === undefined) return void socket.destroy();
      parts.splice(0, parts.length, all.subarray(end + 1));
      size = all.length - end - 1;
    }
    if (size < header.length) return;
    socket.off('data', take);
    // The end of a connection, which shows that the agent is gone, is noticed only while reading.
    socket.resume();
    void respond(Buffer.concat(parts).subarray(0, header.length), header);
  };
  const respond = async (bytes: Buffer, asked: LaunchHeader): Promise<void> => {
    const { delivered, stdout, exitCode } = await answer(bytes, { ...asked, signal: gone.signal });
    if (socket.destroyed) return delivered(false);
    socket.end(JSON.stringify({ stdout, exitCode }), () => delivered(true));
    socket.once('close', () => delivered(false));
  };
  socket.on('data', take);
  socket.once('close', () => gone.abort());
}

function readHeader(line: Buffer): LaunchHeader | undefined {
  const parsed = parseJson(line.toString('utf8'));
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { agent, event, wait, otherwise, length, env, parent } = parsed.value;
  if (typeof agent !== 'string' || typeof event !== 'string') return undefined;
  if (typeof wait !== 'number' || typeof length !== 'number' || length < 0 || length > MAX_BYTES)
    return undefined;
  return {
    agent,
    event,
    wait,
    length,
    otherwise: otherwise === 'ask' ? 'ask' : 'deny',
    env: isJsonObject(env) ? textsIn(env) : {},
    ...(typeof parent === 'number' ? { parent } : {}),
  };
}

function textsIn(env: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    VERSION_VARIABLES.flatMap((name) => {
      const value = env[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

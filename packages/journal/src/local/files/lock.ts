import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure, type Result, refuse, success } from '@proffer/core';

/** A folder that belongs to this process until it is released. */
export interface Lock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly socket: string;
}

const LOCK = /^lock-(\d{8})\.json$/;
/** The longest path of a socket that every system takes, with some room. */
const LONGEST_SOCKET = 90;

/**
 * Makes a folder belong to this process. A process that holds a folder listens on a socket in it; the
 * system closes that socket when the process dies, however it dies, so a lock never outlives its holder
 * and no reused process id is mistaken for one. Who is next takes the next number: of several that try
 * at once the file system lets one create it, and the highest number is the holder.
 */
export async function lockFolder(folder: string): Promise<Result<Lock>> {
  const socket = `socket-${randomUUID().slice(0, 8)}`;
  const server = await listen(folder, socket);
  const give = async (): Promise<void> => {
    await new Promise((resolve) => server.close(resolve));
    await unlink(join(folder, socket)).catch(() => undefined);
  };
  for (;;) {
    const { number, path } = await highest(folder);
    const holder = path === undefined ? undefined : await readHolder(path);
    if (holder !== undefined && (await isAlive(folder, holder))) {
      await give();
      return failure(
        refuse('journal_locked', `The process ${holder.pid} has the journal in ${folder}.`, {
          folder,
          pid: holder.pid,
        }),
      );
    }
    const mine = join(folder, lockName(number + 1));
    if (!(await createWhole(mine, JSON.stringify({ pid: process.pid, socket } satisfies Holder)))) continue;
    if ((await highest(folder)).number > number + 1) {
      await unlink(mine).catch(() => undefined);
      continue;
    }
    await removeOlder(folder, number + 1);
    // The file stays: numbers only grow, and a socket that nobody listens on says that it is free.
    return success({ release: give });
  }
}

function lockName(number: number): string {
  return `lock-${String(number).padStart(8, '0')}.json`;
}

async function highest(folder: string): Promise<{ readonly number: number; readonly path?: string }> {
  const names = (await readdir(folder)).filter((name) => LOCK.test(name)).sort();
  const name = names.at(-1);
  if (name === undefined) return { number: 0 };
  return { number: Number(LOCK.exec(name)?.[1]), path: join(folder, name) };
}

/** Who took a lock; nobody if the file is not whole, which only a power cut leaves behind. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const { pid, socket } = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>;
    return pid === undefined || socket === undefined ? undefined : { pid, socket };
  } catch {
    return undefined;
  }
}

/** Creates a file with its content at once; false if there is one of that name. */
async function createWhole(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function removeOlder(folder: string, number: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const older = Number(LOCK.exec(name)?.[1] ?? number) < number;
    if (!older) continue;
    const holder = await readHolder(join(folder, name));
    if (holder !== undefined) await unlink(join(folder, holder.socket)).catch(() => undefined);
    await unlink(join(folder, name)).catch(() => undefined);
  }
}

async function listen(folder: string, socket: string): Promise<Server> {
  return atSocket(folder, socket, async (path) => {
    const server = createServer((connection) => connection.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, () => resolve());
    });
    // The lock must not keep a process running that is otherwise done.
    server.unref();
    return server;
  });
}

/** Whether somebody listens. Only a refused connection, or none to refuse it, means that nobody does. */
async function isAlive(folder: string, { socket }: Holder): Promise<boolean> {
  return atSocket(
    folder,
    socket,
    (path) =>
      new Promise<boolean>((resolve) => {
        const connection = connect(path);
        const done = (alive: boolean): void => {
          connection.destroy();
          resolve(alive);
        };
        connection.once('connect', () => done(true));
        connection.once('error', ({ code }: NodeJS.ErrnoException) =>
          done(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
        );
      }),
  );
}

/** Calls with a path of the socket that is short enough for the system. */
async function atSocket<Value>(
  folder: string,
  socket: string,
  use: (path: string) => Promise<Value>,
): Promise<Value> {
  if (process.platform === 'win32') return use(`\\\\.\\pipe\\proffer-${socket}`);
  const path = join(folder, socket);
  if (Buffer.byteLength(path) <= LONGEST_SOCKET) return use(path);
  if (process.platform !== 'linux') return use(join(tmpdir(), `proffer-${socket}`));
  const handle = await open(folder, 'r');
  try {
    return await use(`/proc/self/fd/${handle.fd}/${socket}`);
  } finally {
    await handle.close();
  }
}

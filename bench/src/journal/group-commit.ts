import { type FileHandle, open } from 'node:fs/promises';

/** The lower bound for a durable append: everything waiting goes into one write and one sync. */
export interface GroupCommit extends AsyncDisposable {
  /** Resolves when the bytes are on disk. */
  append(bytes: Buffer): Promise<void>;
}

interface Waiting {
  readonly bytes: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Appends to a new file. No checks, no index, no hash chain. */
export async function openGroupCommit(path: string): Promise<GroupCommit> {
  const file = await open(path, 'a');
  let waiting: Waiting[] = [];
  let writing = false;

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await writeOne(file, batch);
    }
    writing = false;
  }

  return {
    append: (bytes) =>
      new Promise((resolve, reject) => {
        waiting.push({ bytes, resolve, reject });
        if (!writing) void write();
      }),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

async function writeOne(file: FileHandle, batch: readonly Waiting[]): Promise<void> {
  try {
    await file.write(Buffer.concat(batch.map(({ bytes }) => bytes)));
    await file.datasync();
    for (const { resolve } of batch) resolve();
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

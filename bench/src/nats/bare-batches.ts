import { randomUUID } from 'node:crypto';
import { jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';

/**
 * The lower bound for durable writes from several producers on NATS: everything waiting goes into one atomic
 * batch.
 */
export interface BareBatches extends AsyncDisposable {
  /** Resolves with the sequence of the message once it is durable. */
  append(subject: string, after: number): Promise<number>;
}

interface Waiting {
  readonly subject: string;
  readonly after: number;
  readonly resolve: (seq: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Batches in flight, as in the journal. */
const MAX_IN_FLIGHT = 4;

/** Writes messages of a given size, each expecting the last one of its subject. No reads, no hash chain. */
export async function openBareBatches(
  servers: readonly string[],
  { replicas, bytes }: { readonly replicas: number; readonly bytes: number },
): Promise<BareBatches> {
  const connection = await connect({ servers: [...servers] });
  const manager = await jetstreamManager(connection);
  const config: Partial<StreamConfig> & { readonly name: string } = {
    name: 'bare',
    subjects: ['bare.>'],
    num_replicas: replicas,
    allow_atomic: true,
  };
  await manager.streams.add(config);
  const data = Buffer.alloc(bytes, 'x');
  let waiting: Waiting[] = [];
  let flying = 0;
  let isStarting = false;

  function start(): void {
    if (isStarting) return;
    isStarting = true;
    queueMicrotask(() => {
      isStarting = false;
      if (flying === MAX_IN_FLIGHT || waiting.length === 0) return;
      const batch = waiting;
      waiting = [];
      void write(batch);
    });
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    flying++;
    const id = randomUUID();
    try {
      let answer: Promise<{ string(): string }> | undefined;
      for (const [index, { subject, after }] of batch.entries()) {
        const written = headers();
        written.set('Nats-Expected-Last-Subject-Sequence', String(after));
        if (batch.length > 1) {
          written.set('Nats-Batch-Id', id);
          written.set('Nats-Batch-Sequence', String(index + 1));
        }
        if (index < batch.length - 1) {
          connection.publish(subject, data, { headers: written });
          continue;
        }
        if (batch.length > 1) written.set('Nats-Batch-Commit', '1');
        answer = connection.request(subject, data, { headers: written, timeout: 30_000 });
      }
      const text = (await answer)?.string() ?? '{}';
      const { seq, error } = JSON.parse(text) as { readonly seq?: number; readonly error?: unknown };
      if (error !== undefined || seq === undefined) throw new Error(text);
      for (const [index, { resolve }] of batch.entries()) resolve(seq - batch.length + 1 + index);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    flying--;
    start();
  }

  return {
    append: (subject, after) =>
      new Promise((resolve, reject) => {
        waiting.push({ subject, after, resolve, reject });
        start();
      }),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

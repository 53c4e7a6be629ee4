import { RUNTIME_SERVICE } from '@proffer/wire';
import { createStreamCounter, isAccepted, readable } from './answers.js';
import type { Connection } from './connection.js';
import type { Parcel, PartyName } from './stock.js';

export interface Times {
  readonly seconds: number;
  /** Milliseconds from sending a message to its answer, sorted. */
  readonly latencies: Float64Array;
}

/** The participants' connections. */
export type Cast = Readonly<Record<PartyName, Connection>>;

export interface Load {
  readonly parcels: readonly Parcel[];
  /** Messages in flight. */
  readonly inFlight: number;
}

/** Sends each message in a separate call. Rejects when one is not accepted. */
export async function sendAll(cast: Cast, { parcels, inFlight }: Load): Promise<Times> {
  const { path } = RUNTIME_SERVICE.send;
  return await timed(parcels.length, inFlight, Object.values(cast), ({ fail, answered }) => (index) => {
    const { sender, bytes } = parcels[index] as Parcel;
    let accepted = false;
    cast[sender].open(
      path,
      bytes,
      {
        data(answer) {
          accepted = isAccepted(answer);
          if (!accepted) fail(new Error(`not accepted: ${readable(answer)}`));
        },
        end() {
          if (accepted) answered(index);
          else fail(new Error('a call of the load had no answer'));
        },
      },
      true,
    );
  });
}

/**
 * Sends all messages of a session over one `StreamSession`; a message counts as answered when it comes back.
 * The first opens the stream, before the clock starts.
 */
export async function streamAll(connection: Connection, { parcels, inFlight }: Load): Promise<Times> {
  const [first, ...others] = parcels;
  if (first === undefined) throw new Error('there is nothing to send');
  const counter = createStreamCounter();
  const now: { onAnswers?: (count: number) => void; fail?: (error: Error) => void } = {};
  let stream = 0;
  await new Promise<void>((resolve, reject) => {
    now.fail = reject;
    now.onAnswers = () => resolve();
    connection.lost.catch(reject);
    const listener = {
      data(bytes: Buffer) {
        try {
          now.onAnswers?.(counter.push(bytes));
        } catch (error) {
          now.fail?.(error as Error);
        }
      },
      end: () => now.fail?.(new Error('the server ended the stream')),
    };
    stream = connection.open(RUNTIME_SERVICE.streamSession.path, first.bytes, listener, false);
  });
  return await timed(others.length, inFlight, [connection], (run) => {
    let next = 0;
    now.fail = run.fail;
    now.onAnswers = (count) => {
      // Messages are accepted in the order they were sent.
      for (const end = next + count; next < end; next++) run.answered(next);
    };
    return (index) => connection.write(stream, (others[index] as Parcel).bytes);
  });
}

interface Run {
  readonly fail: (error: Error) => void;
  /** A message was answered; sends the next one. */
  readonly answered: (index: number) => void;
}

async function timed(
  count: number,
  inFlight: number,
  connections: readonly Connection[],
  begin: (run: Run) => (index: number) => void,
): Promise<Times> {
  const latencies = new Float64Array(count);
  let start = 0;
  await new Promise<void>((resolve, reject) => {
    for (const { lost } of connections) lost.catch(reject);
    let sent = 0;
    let done = 0;
    const send = begin({
      fail: reject,
      answered(index) {
        latencies[index] = performance.now() - (latencies[index] ?? 0);
        if (sent < count) sendNext();
        if (++done === count) resolve();
      },
    });
    function sendNext(): void {
      latencies[sent] = performance.now();
      send(sent++);
    }
    start = performance.now();
    while (sent < Math.min(inFlight, count)) sendNext();
  });
  return { seconds: (performance.now() - start) / 1000, latencies: latencies.sort() };
}

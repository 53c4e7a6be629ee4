import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';

/** A message as anyone on the servers sees it. */
export interface SeenMessage {
  readonly seq: number;
  readonly data: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Somebody whom the servers let in, and who has none of the gateways' keys. Closed by `await using`. */
export interface Intruder extends AsyncDisposable {
  /** The last message on a subject of a stream. */
  last(stream: string, subject: string): Promise<SeenMessage>;
  /** Writes to a stream, and returns the sequence. */
  write(subject: string, data: string, headers: Readonly<Record<string, string>>): Promise<number>;
  /** Sends a message that is not stored. */
  say(subject: string, text: string): void;
  deleteMessage(stream: string, seq: number): Promise<void>;
  /** Deletes a stream, and creates one with the same settings. */
  replaceStream(stream: string): Promise<void>;
}

export async function openIntruder(urls: readonly string[]): Promise<Intruder> {
  const connection = await connect({ servers: [...urls] });
  const manager = await jetstreamManager(connection);
  return intruderOn(connection, manager);
}

function intruderOn(connection: NatsConnection, manager: JetStreamManager): Intruder {
  return {
    async last(stream, subject) {
      const found = await manager.streams.getMessage(stream, { last_by_subj: subject });
      if (found === null) throw new Error(`There is no message on ${subject}.`);
      const { seq, data, header } = found;
      return { seq, data: new TextDecoder().decode(data), headers: ownHeaders(header) };
    },
    async write(subject, data, written) {
      const made = headers();
      for (const [name, value] of Object.entries(written)) made.set(name, value);
      const answer = await connection.request(subject, data, { headers: made, timeout: 5_000 });
      return answer.json<{ readonly seq: number }>().seq;
    },
    say: (subject, text) => connection.publish(subject, text),
    async deleteMessage(stream, seq) {
      await manager.streams.deleteMessage(stream, seq);
    },
    async replaceStream(stream) {
      const { config } = await manager.streams.info(stream);
      await manager.streams.delete(stream);
      await manager.streams.add(config);
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

/** Without those that are for the server. */
function ownHeaders(found: MsgHdrs): Readonly<Record<string, string>> {
  const own = Array.from(found, ([name, [value = '']]) => [name, value] as const);
  return Object.fromEntries(own.filter(([name]) => name.startsWith('Proffer-')));
}

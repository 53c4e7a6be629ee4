import { objectOf, textOf } from '@proffer/core/json';
import { until } from '../metrics.js';
import { MewConnection } from '../peers/mew-connection.js';
import { DONE, type StreamEvent, type StreamsHistory } from './check-streams.js';

/** Stream owners and listeners; tokens equal names. */
const OWNERS = ['teller', 'caller'];
const LISTENERS = ['watcher', 'viewer', 'reader'];
export const STREAM_PARTICIPANTS: readonly string[] = [...OWNERS, ...LISTENERS];

/** A separate space, without other traffic. */
export const STREAM_SPACE = 'talk';

/** Open streams per owner, and the maximum number of frames per stream. */
const AT_ONCE = 2;
const MAX_FRAMES = 40;

/** The delay before a failed connection is retried at the next gateway, in milliseconds. */
const RETRY = 20;

/** Owners that open streams, send numbered frames and close them, and listeners. */
export interface StreamLoad {
  /** How many streams were opened. */
  begun(): number;
  /** Who waits for what, as text. */
  describe(): readonly string[];
  /** Resolves when everyone is connected, and starts. */
  begin(): Promise<void>;
  /** Opens no more streams, and resolves when all listeners were told that all of them are closed. */
  rest(): Promise<void>;
  stop(): void;
  history(): StreamsHistory;
}

export interface StreamLoadOptions {
  /** `ws://HOST:PORT` of the gateways. */
  readonly urls: readonly string[];
  readonly random: () => number;
  /** The maximum pause between frames, in milliseconds. */
  readonly pause: number;
}

interface Told {
  readonly id: string;
  sent: number;
  isWhole: boolean;
}

export function createStreamLoad({ urls, random, pause }: StreamLoadOptions): StreamLoad {
  const streams: Told[] = [];
  const connections = new Set<MewConnection>();
  const listened: { name: string; heard: StreamEvent[]; connection: MewConnection }[] = [];
  const state = { isOn: true, isStopped: false };
  let owning: readonly Promise<void>[] = [];

  /** Connects to one gateway after another until one lets it in. */
  async function connect(name: string, listen?: (connection: MewConnection) => void): Promise<MewConnection> {
    for (let attempt = STREAM_PARTICIPANTS.indexOf(name); ; attempt++) {
      const url = urls[attempt % urls.length] ?? '';
      const connection = new MewConnection(url, { space: STREAM_SPACE, name });
      connections.add(connection);
      connection.closed.then(
        () => connections.delete(connection),
        () => {},
      );
      listen?.(connection);
      if ((await connection.welcomed) || state.isStopped) return connection;
      await wait(RETRY);
    }
  }

  /** Sends one stream after another, on a new connection when the last one ended. */
  async function own(name: string): Promise<void> {
    while (state.isOn) {
      const connection = await connect(name);
      const lanes = Array.from({ length: AT_ONCE }, async () => {
        while (state.isOn && connection.isOpen) {
          await tellOne(connection);
          // Sometimes it leaves while the other stream is open.
          if (random() < 0.1) connection.end();
        }
      });
      await Promise.all(lanes);
      connection.end();
    }
  }

  async function tellOne(connection: MewConnection): Promise<void> {
    const id = await connection.openStream();
    if (id === undefined) return await wait(pause);
    const stream: Told = { id, sent: 0, isWhole: true };
    streams.push(stream);
    const count = Math.ceil(random() * MAX_FRAMES);
    const refused = connection.refused;
    while (stream.sent < count && connection.isOpen) {
      connection.raw(`#${id}#${++stream.sent}`);
      await wait(random() * pause);
    }
    await connection.closeStream(id, DONE);
    stream.isWhole = connection.refused === refused;
  }

  async function listen(name: string): Promise<void> {
    while (!state.isStopped) {
      const connection = await connect(name, (one) => {
        const heard: StreamEvent[] = [];
        listened.push({ name: `${name} at ${one.url}`, heard, connection: one });
        one.onMessage = ({ kind, payload }) => {
          const { stream_id, reason, active_streams } = objectOf(payload);
          if (kind === 'system/welcome' && Array.isArray(active_streams))
            for (const stream of active_streams)
              heard.push({ id: textOf(objectOf(stream)['stream_id']), type: 'open' });
          if (kind === 'stream/open') heard.push({ id: textOf(stream_id), type: 'open' });
          if (kind === 'stream/close')
            heard.push({ id: textOf(stream_id), type: 'close', reason: textOf(reason) });
        };
        one.onFrame = (frame) => {
          const [, id = '', number] = frame.split('#');
          heard.push({ id, type: 'frame', number: Number(number) });
        };
      });
      await connection.closed;
    }
  }

  /** The streams that are open for a listener. */
  function openFor(heard: readonly StreamEvent[]): readonly string[] {
    const last = new Map(heard.map((event) => [event.id, event.type]));
    return [...last].filter(([, type]) => type !== 'close').map(([id]) => id);
  }

  const listening = () => listened.filter(({ connection }) => connection.isIn);

  return {
    begun: () => streams.length,
    describe: () => [
      ...Array.from(connections, (connection) => connection.describe()),
      ...listening().map(({ name, heard }) => `${name} has open: ${openFor(heard).join(', ') || 'nothing'}`),
    ],
    async begin() {
      for (const name of LISTENERS) listen(name).catch(() => {});
      await until(() => listening().length === LISTENERS.length);
      owning = OWNERS.map((name) => own(name));
      for (const one of owning) one.catch(() => {});
    },
    async rest() {
      state.isOn = false;
      await Promise.all(owning);
      await until(
        () =>
          listening().length === LISTENERS.length &&
          listening().every(({ heard }) => openFor(heard).length === 0),
      );
    },
    stop() {
      state.isOn = false;
      state.isStopped = true;
      for (const connection of connections) connection.end();
    },
    history: () => ({
      streams,
      listeners: listened.map(({ name, heard, connection }) => ({ name, heard, stayed: connection.isIn })),
    }),
  };
}

const wait = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

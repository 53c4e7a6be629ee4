import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@proffer/core/json';
import { endingOf, sessionStream } from '@proffer/core/negotiation';
import type { AcceptedRecord } from '../../negotiation/index.js';
import { type AckAnswer, commitPayload, macpEnvelope, postEnvelope, startPayload } from '../macp.js';
import { until } from '../metrics.js';
import { readEvents } from '../peers/event-reader.js';
import { SESSION_PLAYS, type SessionPlay } from '../session-plays.js';
import type { SessionHistory, SessionsHistory } from './check-sessions.js';

/** The retry interval, in milliseconds. */
const RETRY = 20;

/** How long a gateway may be silent before the next one is used, in milliseconds. */
const SILENCE = 4_000;

/** The messages that end a session. */
const ENDS: ReadonlySet<unknown> = new Set(['Commitment', 'TtlExpired', 'SessionCancel']);

/** Parties that negotiate: they race for the acceptances and for the commitment. */
export interface SessionLoad {
  /** How many sessions were started. */
  begun(): number;
  /** How many messages were answered. */
  answered(): number;
  /** Who waits for what, as text. */
  describe(): readonly string[];
  begin(): void;
  /** Starts no more sessions, and resolves when all have ended and their followers saw it. */
  rest(): Promise<void>;
  stop(): void;
  /** What the parties were told, without the journal's records. */
  history(records: readonly AcceptedRecord[]): SessionsHistory;
}

export interface SessionLoadOptions {
  /** One gateway, or several on one journal. */
  readonly urls: readonly string[];
  readonly random: () => number;
  /** Concurrent sessions. */
  readonly atOnce: number;
  /** The maximum pause before another session, in milliseconds. Default: none. */
  readonly pause?: number;
  /**
   * The fraction of sessions that live only for seconds, so that their expiry races with the commitment.
   * Default: 0.
   */
  readonly shortLived?: number;
}

/** What a follower saw: sequence numbers and message ids. */
type Seen = (readonly [sequence: number, messageId: string])[];

interface Answered {
  readonly answer: AckAnswer;
  /** Whether it is the answer to everything that was sent. */
  readonly isCertain: boolean;
}

/** Without an answer, sends again with the same id, to the next gateway. */
export function createSessionLoad(options: SessionLoadOptions): SessionLoad {
  const { urls, random, atOnce, pause: longest = 0, shortLived = 0 } = options;
  const sessions: SessionHistory[] = [];
  const doing = new Map<string, string>();
  const stopped = new AbortController();
  let answered = 0;
  const state = { isOn: true };
  let attempts = 0;
  let running: readonly Promise<void>[] = [];

  /** Calls until it gets an answer, each time at the next gateway. */
  async function persist(token: string, envelope: JsonObject): Promise<Answered> {
    for (let isCertain = true; ; ) {
      stopped.signal.throwIfAborted();
      const http = urls[attempts % urls.length] ?? '';
      const answer = await postEnvelope(http, token, JSON.stringify(envelope), {
        signal: AbortSignal.timeout(SILENCE),
      }).catch(() => undefined);
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) {
        answered++;
        return { answer, isCertain };
      }
      // A copy of it may still be in flight.
      if (answer === undefined) isCertain = false;
      attempts++;
      await pause(RETRY);
    }
  }

  /** Follows until the last message of the session, resuming where it stopped. */
  async function follow(id: string, who: string, seen: Seen): Promise<void> {
    for (let at = attempts; ; at++) {
      stopped.signal.throwIfAborted();
      const url = `${urls[at % urls.length]}/macp/session/${id}/envelopes`;
      doing.set(`${who} follows ${id}`, `behind ${seen.length} at ${url}`);
      const reader = await readEvents(url, who, seen.at(-1)?.[0] ?? 0).catch(() => undefined);
      let late = setTimeout(() => reader?.close(), SILENCE);
      for (let event = await reader?.next(); event !== undefined; event = await reader?.next()) {
        if (event.name !== '') break;
        clearTimeout(late);
        late = setTimeout(() => reader?.close(), SILENCE);
        const envelope = event.json['envelope'] as JsonObject;
        seen.push([Number(event.json['sequence']), envelope['message_id'] as string]);
        if (ENDS.has(envelope['message_type'])) {
          clearTimeout(late);
          reader?.close();
          doing.delete(`${who} follows ${id}`);
          return;
        }
      }
      clearTimeout(late);
      reader?.close();
      await pause(RETRY);
    }
  }

  async function negotiate(): Promise<void> {
    const id = randomUUID();
    const acknowledged: [messageId: string, sequence: number][] = [];
    const refused: string[] = [];
    const seen: readonly [Seen, Seen] = [[], []];
    // In turn, so that every mode has its share however few sessions there are.
    const play = SESSION_PLAYS[sessions.length % SESSION_PLAYS.length] as SessionPlay;
    const { mode, opening, racing, settling } = play;
    // From the beginning: the messages of a session that never ends explain why.
    sessions.push({ id, mode, acknowledged, refused, seen });
    const say = async (who: string, type: string, payload: JsonObject): Promise<void> => {
      const envelope = macpEnvelope(id, who, type, payload, mode);
      const { message_id } = envelope;
      doing.set(message_id, `${who} says ${type} in ${id}`);
      const { answer, isCertain } = await persist(who, envelope);
      doing.delete(message_id);
      if (answer.ok && answer.sequence !== undefined) acknowledged.push([message_id, answer.sequence]);
      else if (isCertain) refused.push(message_id);
    };
    const ttl_ms = random() < shortLived ? Math.ceil(random() * 6_000) : 3_600_000;
    // Records of different lengths.
    const intent = 'x'.repeat(1 + Math.floor(random() * 2_000));
    await say('buyer', 'SessionStart', startPayload({ ttl_ms, intent }));
    const following = Promise.all([follow(id, 'buyer', seen[0]), follow(id, 'seller', seen[1])]);
    const over = { isSo: false };
    following.then(
      () => (over.isSo = true),
      () => {},
    );
    await Promise.all(opening.map((said) => say(...said)));
    await Promise.all([
      ...racing.map((said) => say(...said)),
      say('buyer', 'Commitment', commitPayload({ commitment_id: 'early' })),
    ]);
    // Whatever happened before, there is an outcome in the end, unless the early commitment was one. A
    // gateway that was just partitioned may refuse because of what it does not know yet, so they retry until
    // it has ended.
    for (let attempt = 1; !over.isSo; attempt += 3) {
      for (const said of settling) await say(...said);
      await Promise.all(
        [attempt, attempt + 1, attempt + 2].map((number) =>
          say(
            'buyer',
            'Commitment',
            commitPayload({ commitment_id: `c${number}`, outcome_positive: number % 3 !== 0 }),
          ),
        ),
      );
      await Promise.race([following, pause(SILENCE)]);
    }
    await following;
  }

  return {
    begun: () => sessions.length,
    answered: () => answered,
    describe: () => Array.from(doing, ([key, what]) => `${key}: ${what}`),
    begin() {
      running = Array.from({ length: atOnce }, async () => {
        while (state.isOn) {
          await negotiate();
          if (longest > 0) await pause(random() * longest);
        }
      });
      // Failures are checked at the end.
      for (const one of running) one.catch(() => {});
    },
    async rest() {
      state.isOn = false;
      await Promise.all(running);
      await until(() => doing.size === 0);
    },
    stop: () => stopped.abort(new Error('it was stopped')),
    history: (records) => ({
      sessions,
      records: records.map((record) => ({
        session: record.stream.slice(sessionStream('').length),
        version: record.version,
        messageId: record.envelope.message_id,
        isEnd: endingOf(record) !== undefined,
      })),
    }),
  };
}

const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

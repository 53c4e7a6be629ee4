import { setTimeout as delay } from 'node:timers/promises';
import { agreementOf, isAboutCall } from '@proffer/core/agreement';
import { type SessionRecord, sessionStream } from '@proffer/core/negotiation';
import type { Journal, StoredRecord } from '@proffer/journal';
import type { Logger } from 'pino';
import { createSemaphore } from '../delivery/index.js';
import type { LiveSpace } from '../operations/index.js';

export interface AgreementsOptions {
  readonly journal: Pick<Journal, 'read'>;
  /** By name. */
  readonly liveSpaces: ReadonlyMap<string, Pick<LiveSpace, 'host'>>;
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn'>;
  /** A commitment about a call was refused; not one of the past. */
  readonly onRefused: (code: string) => void;
}

/** Carries committed sessions about calls to the spaces of these calls (O-53). */
export interface Agreements {
  /** A record of a session became known, from history or live. */
  see(record: SessionRecord): void;
  /** History is read, and all spaces are open. */
  begin(): void;
  /** Whether everything that was seen has had its effect: until then, a snapshot must not leave it behind. */
  readonly isSettled: boolean;
  /** Resolves when that is so, and never once it is stopped before. */
  settled(): Promise<void>;
  stop(): void;
}

/** How many sessions are read at once, and how long until one is tried again that failed, in milliseconds. */
const AT_ONCE = 8;
const RETRY = 1_000;

/**
 * The effect of an agreement is decided by the records of its session and by the proposal's, so nothing else is stored:
 * every gateway tries, the journal accepts it once, and one that is killed in between tries again when it is back.
 */
export function followAgreements(options: AgreementsOptions): Agreements {
  const { journal, liveSpaces, log, onRefused } = options;
  const stopping = new AbortController();
  const semaphore = createSemaphore(AT_ONCE);
  const waiting = new Set<string>();
  let hasBegun = false;
  let pastWithout = 0;
  let onSettled: (() => void)[] = [];

  async function apply(session: string, isPast: boolean): Promise<void> {
    const records: SessionRecord[] = [];
    for await (const record of journal.read(sessionStream(session)))
      records.push(record as StoredRecord<SessionRecord>);
    const agreed = agreementOf(records);
    if (agreed === undefined) return;
    const space = agreed.ok ? agreed.value.call.space : undefined;
    const liveSpace = liveSpaces.get(space ?? '');
    const refusal = !agreed.ok ? agreed.refusal : await liveSpace?.host.agree(agreed.value);
    if (refusal === undefined && liveSpace !== undefined) return;
    // A field called `session` would be hidden, as if it were a cookie.
    const problem = 'a committed session about a call has no effect';
    // Most of history was reported when it happened.
    if (isPast) {
      pastWithout++;
      log.debug({ negotiation: session, space, refusal }, problem);
      return;
    }
    onRefused(refusal?.code ?? 'unknown_space');
    log.info({ negotiation: session, space, refusal }, problem);
  }

  async function settle(session: string, isPast = false): Promise<void> {
    while (!stopping.signal.aborted) {
      await semaphore.acquire();
      try {
        await apply(session, isPast);
        break;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn(
          { err: error, negotiation: session },
          'a committed session could not have its effect yet; trying again',
        );
      } finally {
        semaphore.release();
      }
      await delay(RETRY, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
    if (!stopping.signal.aborted) waiting.delete(session);
    if (waiting.size > 0) return;
    for (const go of onSettled) go();
    onSettled = [];
  }

  async function settlePast(): Promise<void> {
    await Promise.all(Array.from(waiting, (session) => settle(session, true)));
    if (pastWithout > 0)
      log.info({ count: pastWithout }, 'committed sessions of the past about calls have no effect');
  }

  return {
    see(record) {
      if (!isAboutCall(record)) return;
      const { session_id: session } = record.envelope;
      if (typeof session !== 'string' || waiting.has(session)) return;
      waiting.add(session);
      if (hasBegun) void settle(session);
    },
    begin() {
      hasBegun = true;
      void settlePast();
    },
    get isSettled() {
      return waiting.size === 0;
    },
    async settled() {
      if (waiting.size > 0 || !hasBegun) await new Promise<void>((resolve) => onSettled.push(resolve));
    },
    stop: () => stopping.abort(),
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Journal } from '@proffer/journal';
import type { Logger } from 'pino';

/** Messages that were neither accepted nor refused when the gateway closed. */
export type Undecided = {
  /** The name of the space, or the one that stands for negotiations. */
  readonly space: string;
  readonly count: number;
  /** The ids of some of them, as far as known. */
  readonly ids: readonly string[];
};

/** A part of a gateway that decides messages. */
export interface Deciding {
  /** Accepts no more messages; resolves when those it accepted are answered. */
  drain(): Promise<void>;
  /** What is not answered yet; `undefined` if nothing is. */
  undecided(): Undecided | undefined;
  /** Tells everyone to reconnect. */
  end(): void;
}

/** The parts of a gateway, in the order in which they are closed. */
export interface ClosingParts {
  readonly deciding: readonly Deciding[];
  /** Closed meanwhile, and waited for as long. */
  readonly companions: { close(): Promise<void> } | undefined;
  /** Stops listening. Busy connections are cut after this many milliseconds. */
  readonly disconnect: (grace: number) => Promise<void>;
  /** Signs what was decided until now. */
  readonly sign: () => Promise<void>;
  /** Saves what helps the next start. Only if everything was decided. */
  readonly save: () => Promise<void>;
  readonly journal: Pick<Journal, 'close'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** How long connections have for the rest of an answer, and to be told once there is no time left, in milliseconds. */
const GRACE = 3_000;
const LAST_WORDS = 250;

/** How long the journal has to let go once there is no time left, in milliseconds. */
const LAST = 1_000;

/** Closes everything within a time, in milliseconds, whatever the journal does. Logs what it left undecided. */
export async function closeParts(parts: ClosingParts, timeout: number): Promise<void> {
  const { deciding, companions, journal, log } = parts;
  const end = performance.now() + timeout;
  const left = (): number => Math.max(0, end - performance.now());
  const draining = Promise.all([...deciding.map((one) => one.drain()), companions?.close()]);
  const isDrained = await succeeds(draining, left(), log);
  const undecided = deciding.flatMap((one) => one.undecided() ?? []);
  if (undecided.length > 0)
    log.warn(
      { undecided },
      'closing with some messages undecided: the journal did not answer in time. Their senders may send them again, with the same ids, to any gateway',
    );
  for (const one of deciding) one.end();
  await parts.disconnect(isDrained ? Math.min(GRACE, left()) : LAST_WORDS);
  await succeeds(parts.sign(), left(), log);
  if (isDrained) await succeeds(parts.save(), left(), log);
  const patience = isDrained ? left() : 0;
  await succeeds(journal.close({ patience }), patience + LAST, log);
  log.info('the gateway is closed');
}

/** Whether a task succeeds in time. A failure is logged: the rest is closed all the same. */
async function succeeds(task: Promise<unknown>, time: number, log: ClosingParts['log']): Promise<boolean> {
  const over = new AbortController();
  const late = delay(time, false, { signal: over.signal }).catch(() => false);
  const ended = task.then(
    () => true,
    (error: unknown) => {
      log.warn({ err: error }, 'a part of the gateway could not be closed properly');
      return false;
    },
  );
  const isInTime = await Promise.race([ended, late]);
  over.abort();
  return isInTime;
}

import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, SYSTEM_CLOCK } from '../clock.js';

/** Where it is kept between runs which calls somebody has got the outcome of. */
export interface DeliveryStore {
  /** The ids of their proposals, the last 2,000 at least. */
  load(): ReadonlySet<string>;
  /** Somebody has got the outcome of this one. It is kept a little later, or with {@link DeliveryStore.flush}. */
  note(id: string): void;
  /** Keeps what was noted. */
  flush(): void;
}

export interface DeliveryFileOptions {
  readonly clock?: Clock;
  /** Hears, once, why the file cannot be used. */
  readonly onFault?: (error: unknown) => void;
}

/** So many are kept when the file is made shorter. */
const MOST = 2_000;

/**
 * How long after an answer was sent it counts as delivered, in milliseconds: what dies sooner may have taken
 * it along.
 */
const SETTLING = 250;

/**
 * Deliveries in one file, an id in each line, which several guards may share. Without what it should hold, an
 * outcome may be handed out twice, which its text says; so a file that cannot be used stops nothing.
 */
export function createDeliveryFile(path: string, options: DeliveryFileOptions = {}): DeliveryStore {
  const { clock = SYSTEM_CLOCK, onFault = () => {} } = options;
  let noted: string[] = [];
  let hasFailed = false;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!hasFailed) onFault(error);
      hasFailed = true;
    }
  };
  const flush = (): void => {
    if (noted.length === 0) return;
    const text = noted.map((id) => `${id}\n`).join('');
    noted = [];
    attempt(() => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      appendFileSync(path, text, { mode: 0o600 });
    });
  };
  return {
    load() {
      let text = '';
      attempt(() => {
        if (existsSync(path)) text = readFileSync(path, 'utf8');
      });
      const ids = text.split('\n').slice(0, -1);
      if (ids.length <= 2 * MOST) return new Set(ids);
      const kept = ids.slice(-MOST);
      attempt(() => {
        const draft = `${path}.${process.pid}`;
        writeFileSync(draft, kept.map((id) => `${id}\n`).join(''), { mode: 0o600 });
        renameSync(draft, path);
      });
      return new Set(kept);
    },
    note(id) {
      if (noted.push(id) === 1) clock.after(SETTLING, flush);
    },
    flush,
  };
}

/** Keeps nothing: of what an earlier run ended, nobody can say whether it was delivered. */
export const NO_DELIVERIES: DeliveryStore = { load: () => new Set(), note: () => {}, flush: () => {} };

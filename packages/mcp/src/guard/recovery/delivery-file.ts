import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, SYSTEM_CLOCK } from '../../clock.js';

/** Where it is kept between runs which calls somebody has got the outcome of. */
export interface DeliveryStore {
  /** The ids of their proposals, the last 2,000 at least. */
  load(): ReadonlySet<string>;
  /** Somebody has got the outcome of this one. It is kept a little later, or with {@link DeliveryStore.flush}. */
  note(id: string): void;
  /** Keeps what was noted, if it has left this process: there is no later. */
  flush(): void;
  /** Keeps one at once, on the disk: what must be known also if this process ends at the next instruction. */
  keep(id: string): void;
}

export interface DeliveryFileOptions {
  readonly clock?: Clock;
  /** Hears, once, why the file cannot be used. */
  readonly onFault?: (error: unknown) => void;
  /** Whether all that was sent has left this process; nothing is kept before. Default always. */
  readonly hasLeft?: () => boolean;
}

/** So many are kept when the file is made shorter, which is when it has more than twice as many. */
const MOST = 2_000;

/**
 * How long after an answer was sent it counts as delivered, in milliseconds: what dies sooner may have taken
 * it along.
 */
const SETTLING = 250;

/** For nobody but the owner. */
const MODE = 0o600;

/**
 * Deliveries in one file, an id in each line, which several guards may share. Without what it should hold, an
 * outcome may be handed out twice, which its text says; so a file that cannot be used stops nothing.
 */
export function createDeliveryFile(path: string, options: DeliveryFileOptions = {}): DeliveryStore {
  const { clock = SYSTEM_CLOCK, onFault = () => {}, hasLeft = () => true } = options;
  let noted: string[] = [];
  /** Lines in the file, as far as this process knows. */
  let lines = 0;
  let hasFailed = false;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!hasFailed) onFault(error);
      hasFailed = true;
    }
  };
  /** What is in the file, which has at most twice {@link MOST} lines afterwards. */
  const read = (): readonly string[] => {
    const ids = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    lines = ids.length;
    if (lines <= 2 * MOST) return ids;
    const kept = ids.slice(-MOST);
    attempt(() => {
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, linesOf(kept), { mode: MODE });
      renameSync(draft, path);
      lines = kept.length;
    });
    return kept;
  };
  const append = (ids: readonly string[], options: { readonly flush?: boolean }): void =>
    attempt(() => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const text = `${isCutOff(path) ? '\n' : ''}${linesOf(ids)}`;
      writeFileSync(path, text, { flag: 'a', mode: MODE, ...options });
      lines += ids.length;
      if (lines > 2 * MOST) read();
    });
  const flush = (): void => {
    if (noted.length === 0 || !hasLeft()) return;
    const ids = noted;
    noted = [];
    append(ids, {});
  };
  const settle = (): void => {
    flush();
    // A client that reads slowly may still get it.
    if (noted.length > 0) clock.after(SETTLING, settle);
  };
  return {
    load() {
      let ids: readonly string[] = [];
      attempt(() => {
        if (!existsSync(path)) return;
        ids = read();
        if ((statSync(path).mode & 0o777) !== MODE) chmodSync(path, MODE);
      });
      return new Set(ids);
    },
    note(id) {
      if (noted.push(id) === 1) clock.after(SETTLING, settle);
    },
    flush,
    keep: (id) => append([id], { flush: true }),
  };
}

function linesOf(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}

/** Whether whoever wrote last did not get to the end of a line: what follows would be taken for a part of it. */
function isCutOff(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
  } finally {
    closeSync(file);
  }
}

/** Keeps nothing: of what an earlier run ended, nobody can say whether it was delivered. */
export const NO_DELIVERIES: DeliveryStore = {
  load: () => new Set(),
  note: () => {},
  flush: () => {},
  keep: () => {},
};

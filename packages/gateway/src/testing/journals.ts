import { refuse } from '@proffer/core';
import type { Append, AppendOutcome, Journal } from '@proffer/journal';

/** The same journal with some methods replaced. */
export function journalWith(journal: Journal, other: Partial<Journal>): Journal {
  const { append, feed } = other;
  // There are two ways to append, and two to follow: replacing one means both.
  const changed: Partial<Journal> = {
    ...(append === undefined ? {} : appendingBy(append)),
    ...(feed === undefined ? {} : feedingBy(feed)),
    ...other,
  };
  return new Proxy(journal, {
    get(target, name) {
      const from = name in changed ? changed : target;
      const value: unknown = Reflect.get(from, name, target);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
}

function appendingBy(append: Journal['append']): Pick<Journal, 'appendAll'> {
  return eachAppend(({ stream, expectedVersion, records }, settle) => {
    const failed = { status: 'unavailable', refusal: refuse('unavailable', 'It failed.') } as const;
    append(stream, expectedVersion, records).then(settle, () => settle(failed));
  });
}

/** An append by itself, and who is told what became of it. */
export type OneAppend = readonly [append: Append, settle: (outcome: AppendOutcome) => void];

/** For {@link journalWith}: gets the appends of a call one by one. */
export function eachAppend(take: (...one: OneAppend) => void): Pick<Journal, 'appendAll'> {
  return {
    appendAll(appends, settle) {
      const outcomes: AppendOutcome[] = [];
      let left = appends.length;
      for (const [index, append] of appends.entries())
        take(append, (outcome) => {
          outcomes[index] = outcome;
          if (--left === 0) settle(outcomes);
        });
    },
  };
}

/** Passes one on. */
export function appendOne(journal: Journal, ...[append, settle]: OneAppend): void {
  journal.appendAll([append], ([outcome]) => settle(outcome as AppendOutcome));
}

function feedingBy(feed: Journal['feed']): Pick<Journal, 'feedPieces'> {
  return {
    async *feedPieces(...given) {
      for await (const record of feed(...given)) yield [record];
    },
  };
}

/** The same journal, for a user that must not close it. */
export const shared = (journal: Journal): Journal => journalWith(journal, { close: () => Promise.resolve() });

/** A gate to wait for. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

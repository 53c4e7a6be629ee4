import { refuse } from '@proffer/core';
import type { Journal } from '@proffer/journal';

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

function appendingBy(append: Journal['append']): Pick<Journal, 'appendThen'> {
  return {
    appendThen({ stream, expectedVersion, records }, settle) {
      const failed = { status: 'unavailable', refusal: refuse('unavailable', 'It failed.') } as const;
      append(stream, expectedVersion, records).then(settle, () => settle(failed));
    },
  };
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

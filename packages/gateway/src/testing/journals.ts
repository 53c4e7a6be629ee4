import type { Journal } from '@proffer/journal';

/** The same journal with some of it done in another way. */
export function journalWith(journal: Journal, other: Partial<Journal>): Journal {
  return new Proxy(journal, {
    get(target, name) {
      const value: unknown = Reflect.get(name in other ? other : target, name, target);
      return typeof value === 'function' ? value.bind(name in other ? other : target) : value;
    },
  });
}

/** The same journal, for somebody who must not close it. */
export const shared = (journal: Journal): Journal => journalWith(journal, { close: () => Promise.resolve() });

/** Something that can be waited for, and when it happens. */
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

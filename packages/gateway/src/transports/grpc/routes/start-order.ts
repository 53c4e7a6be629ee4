/** The work for one frame. */
type Work = () => Promise<void>;

/**
 * Runs work in order: sequentially until something is decided, and from then on each at once. Waiting work is
 * started before anything that comes later.
 */
export interface StartOrder {
  /** Whether nothing has to wait, so that work can start without {@link run}. */
  isOpen(): boolean;
  run(work: Work): Promise<void>;
}

export function createStartOrder(isDecided: () => boolean): StartOrder {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  async function begin(work: Work): Promise<void> {
    if (isDecided()) return await work();
    isBusy = true;
    try {
      await work();
    } finally {
      isBusy = false;
      // Each makes it busy again as long as nothing is decided.
      for (let next = waiting.shift(); next !== undefined; next = isBusy ? undefined : waiting.shift())
        next();
    }
  }

  return {
    isOpen: () => !isBusy && isDecided(),
    run(work) {
      if (!isBusy) return begin(work);
      return new Promise((resolve, reject) => {
        waiting.push(() => void begin(work).then(resolve, reject));
      });
    },
  };
}

/** Something to do for one frame. */
type Work = () => Promise<void>;

/**
 * Runs work in the order in which it came: one after another until something is decided, and from then
 * on each at once. What waits is started before anything that comes later.
 */
export function createTurns(isDecided: () => boolean): (work: Work) => Promise<void> {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  async function run(work: Work): Promise<void> {
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

  return (work) => {
    if (!isBusy) return run(work);
    return new Promise((resolve, reject) => {
      waiting.push(() => void run(work).then(resolve, reject));
    });
  };
}

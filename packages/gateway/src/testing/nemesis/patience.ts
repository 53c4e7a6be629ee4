/**
 * Waits for a promise with a timeout: a run that hangs has failed, and reports who waits for what.
 *
 * @param describe - the state when the timeout is over
 */
export async function within<Value>(
  seconds: number,
  what: string,
  { doing, describe }: { readonly doing: Promise<Value>; readonly describe: () => Promise<string> },
): Promise<Value> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<'late'>((resolve) => {
    late = setTimeout(() => resolve('late'), seconds * 1_000);
  });
  const outcome = await Promise.race([doing.then((value) => ({ value })), tooLate]);
  clearTimeout(late);
  if (outcome !== 'late') return outcome.value;
  throw new Error(`${what} took more than ${seconds} s.\n${await describe()}`);
}

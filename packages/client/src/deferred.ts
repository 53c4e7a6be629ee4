/** A promise with its resolvers. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly settle: (value: Value) => void;
  readonly fail: (reason: unknown) => void;
}

export function createDeferred<Value>(): Deferred<Value> {
  const settlers: Partial<Pick<Deferred<Value>, 'settle' | 'fail'>>[] = [];
  const promise = new Promise<Value>((settle, fail) => {
    settlers.push({ settle, fail });
  });
  const [{ settle, fail } = {}] = settlers;
  if (settle === undefined || fail === undefined) throw new Error('A promise calls its executor at once.');
  return { promise, settle, fail };
}

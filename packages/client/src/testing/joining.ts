import { type ConnectOptions, connect, type Participant } from '../node.js';

/** Short waits: the machine under test is its own network. */
export const QUICK = { retry: { delay: 20, maxDelay: 100 } } as const;

/** Connects as a participant of dev mode, whose token is its name. */
export function join(
  { url }: { readonly url: string },
  token: string,
  options: Partial<ConnectOptions> = {},
): Promise<Participant> {
  return connect({ url, token, space: 'main', ...QUICK, ...options });
}

/** Settles with the first value that a subscription brings and that fits. */
export function first<Value>(
  subscribe: (listener: (value: Value) => void) => () => void,
  fits: (value: Value) => boolean = () => true,
): Promise<Value> {
  return new Promise((resolve) => {
    const stop = subscribe((value) => {
      if (!fits(value)) return;
      queueMicrotask(() => stop());
      resolve(value);
    });
  });
}

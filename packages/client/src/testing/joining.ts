import { type ConnectOptions, connect, type Participant } from '../node.js';

/** Short waits: everything runs on this machine. */
export const QUICK = { retry: { delay: 20, maxDelay: 100 } } as const;

/** Connects as a dev-mode participant, whose token is its name. */
export function join(
  { url }: { readonly url: string },
  token: string,
  options: Partial<ConnectOptions> = {},
): Promise<Participant> {
  return connect({ url, token, space: 'main', ...QUICK, ...options });
}

/** Settles with the first matching value of a subscription. */
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

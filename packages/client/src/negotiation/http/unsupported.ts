import { MacpError } from '../macp-error.js';
import type { MacpTransport } from '../transport.js';

/** Calls without a route over HTTP. */
type Unsupported = Pick<
  MacpTransport,
  | 'listExtModes'
  | 'registerExtMode'
  | 'unregisterExtMode'
  | 'promoteMode'
  | 'watchModeRegistry'
  | 'watchRoots'
>;

const refuse = (call: string): MacpError =>
  new MacpError('UNSUPPORTED', `${call} is not served over HTTP; use grpcTransport.`);

/** Each fails at once with `UNSUPPORTED`. */
export const unsupported: Unsupported = {
  listExtModes: () => fail(refuse('ListExtModes')),
  registerExtMode: () => fail(refuse('RegisterExtMode')),
  unregisterExtMode: () => fail(refuse('UnregisterExtMode')),
  promoteMode: () => fail(refuse('PromoteMode')),
  watchModeRegistry: () => failing(refuse('WatchModeRegistry')),
  watchRoots: () => failing(refuse('WatchRoots')),
};

function failing(error: MacpError): AsyncIterable<never> {
  const next = (): Promise<never> => fail(error);
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

function fail(error: MacpError): Promise<never> {
  return Promise.reject(error);
}

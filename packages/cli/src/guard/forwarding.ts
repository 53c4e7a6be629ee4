import { usageFailure } from '../command-failure.js';
import type { ServerOptions } from './server-behind.js';

/** Options that affect whose credentials the server sees. */
export interface ForwardingOptions extends ServerOptions {
  readonly forwardAuthorization?: boolean;
  readonly http?: number;
  readonly httpToken?: readonly string[];
}

/** Fails if clients' credentials cannot be forwarded, or are only for the guard. */
export function checkForwarding(options: ForwardingOptions): void {
  const { forwardAuthorization = false, http, httpToken, serverUrl, header = [] } = options;
  if (!forwardAuthorization) return;
  if (http === undefined || serverUrl === undefined)
    throw usageFailure('--forward-authorization needs --http and --server-url: only HTTP has that header.');
  if (httpToken !== undefined)
    throw usageFailure(
      '--forward-authorization and --http-token cannot be used together: a token for the guard must not reach the server.',
    );
  if (header.some((one) => /^\s*authorization\s*=/i.test(one)))
    throw usageFailure(
      '--forward-authorization and --header authorization=… cannot be used together: the server gets one or the other.',
    );
}

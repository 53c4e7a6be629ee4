/// <reference types="node" preserve="true" />
/** Everything about operations. */

import { type ConnectOptions, connectWith } from './connect.js';
import { openNodeSocket, trustingSocket } from './connection/node-socket.js';
import type { TrustOptions } from './connection/trust.js';
import { trustingFetch } from './connection/trusting-fetch.js';
import type { Participant } from './participant.js';

export type { TrustOptions } from './connection/trust.js';
export {
  type KeyRegistration,
  makeSigningKey,
  registration,
  type SigningKey,
  signerWith,
} from './operations/signing-key.js';
export * from './participation.js';

/** Connects as a participant, with the `ws` package. See {@link connectWith}. */
export function connect({ ca, ...options }: ConnectOptions & TrustOptions): Promise<Participant> {
  return ca === undefined
    ? connectWith(openNodeSocket, options)
    : connectWith(trustingSocket(ca), options, trustingFetch(ca));
}

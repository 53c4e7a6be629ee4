import { defined } from '@proffer/core/json';
import { createAddresses, type Destination, socketAddress } from './connection/addresses.js';
import type { RetryOptions } from './connection/backoff.js';
import type { TokenSource } from './connection/connection.js';
import { Exchange } from './connection/exchange.js';
import type { Fetch } from './connection/fetch.js';
import { newId } from './connection/new-id.js';
import type { OutboxLimits } from './connection/outbox.js';
import { readProposalHistory } from './connection/proposal-history.js';
import type { OpenSocket } from './connection/socket.js';
import { ConnectionClosedError } from './connection-errors.js';
import { Feed } from './feed/feed.js';
import { throwLater } from './listeners.js';
import type { DecisionSigner } from './operations/signing.js';
import { Participant } from './participant.js';

export interface ConnectOptions extends Destination {
  /** The token, or a function that returns one for each connection. */
  readonly token: TokenSource;
  /** The last `seq` seen, to get what was missed since; by default only new messages. */
  readonly after?: number;
  /** Stops connecting, or closes an open connection. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the first welcome. Default 15 000; `Infinity` to try for ever. */
  readonly timeout?: number;
  readonly retry?: RetryOptions;
  /** How much may wait for acknowledgement. */
  readonly outbox?: OutboxLimits;
  /**
   * Milliseconds after which a withdrawal, rejection or status without an answer counts as late, since
   * the gateway answers those with silence (O-16). Default 2000.
   */
  readonly silence?: number;
  /** Whether a proposal that names us and has no handler is rejected at once. Default true. */
  readonly quickReject?: boolean;
  /** Signs our approvals where the space demands that (O-49). Default: they are refused there. */
  readonly signer?: DecisionSigner;
}

/**
 * Connects as a participant of a space; settles with the first welcome. From then on a lost
 * connection is re-established automatically. Fails with a ConnectionClosedError if the gateway
 * refuses us or there is no welcome in time, with the signal's reason if it is aborted, with a
 * TypeError for a bad address.
 *
 * @param request - how the gateway is asked over HTTP
 */
export async function connectWith(
  openSocket: OpenSocket,
  options: ConnectOptions,
  request: Fetch = fetch,
): Promise<Participant> {
  const { url, space, routing, records, token, after, signal, retry, outbox } = options;
  signal?.throwIfAborted();
  const addresses = createAddresses(url);
  const destination = { space, instance: newId(), ...defined({ routing, records }) };
  for (const address of addresses.all) socketAddress(address, destination, after);
  const connection = { destination, addresses, token, openSocket, ...defined({ retry }) };
  const exchange = new Exchange({ ...connection, ...defined({ outbox, after }), onFault: throwLater });
  const onAbort = (): void => void exchange.close();
  signal?.addEventListener('abort', onAbort);
  exchange.endings.add(() => signal?.removeEventListener('abort', onAbort));
  if (exchange.isOver) throw await exchange.over;
  return await firstWelcome(exchange, options, () => {
    return new Participant(exchange, {
      silence: options.silence ?? 2_000,
      quickReject: options.quickReject ?? true,
      space,
      ...defined({ signer: options.signer }),
      history: (proposal) => readProposalHistory({ space, addresses, token, request }, proposal),
      openFeed: (feed) =>
        new Feed(
          {
            ...connection,
            destination: { ...destination, ...defined({ routing: feed.routing }) },
          },
          feed,
        ),
    });
  });
}

/** @param enter - called with the welcome itself, before anything that follows it */
function firstWelcome(
  exchange: Exchange,
  { signal, timeout = 15_000 }: ConnectOptions,
  enter: () => Participant,
): Promise<Participant> {
  return new Promise((resolve, reject) => {
    let cause: unknown;
    const giveUp = (): void => {
      const about = defined({ cause });
      const why = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
      reject(new ConnectionClosedError('timeout', `No welcome within ${timeout} ms${why}.`, about));
      void exchange.close();
    };
    const timer = Number.isFinite(timeout) ? setTimeout(giveUp, timeout) : undefined;
    const stopWatchingLosses = exchange.losses.add((lost) => {
      cause = lost.cause;
    });
    const stopWaiting = exchange.welcomes.add(() => {
      clearTimeout(timer);
      stopWatchingLosses();
      stopWaiting();
      resolve(enter());
    });
    exchange.endings.add((reason) => {
      clearTimeout(timer);
      reject(signal?.aborted === true ? signal.reason : reason);
    });
  });
}

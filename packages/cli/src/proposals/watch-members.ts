import { setTimeout as pause } from 'node:timers/promises';
import type { Participant } from '@proffer/client';
import { defined } from '@proffer/core/json';
import type { Endpoint } from '../connection/endpoint.js';
import type { Present } from './served.js';

/** Who is in the space, while it is watched. */
export interface MemberWatch extends AsyncDisposable {
  /** Who is there, starting with ourselves, or was when the gateway was last reached; empty before that. */
  readonly members: () => readonly Present[] | undefined;
}

/** Timeout for the gateway, and interval between attempts, in milliseconds. */
const TIMEOUT = 3_000;
const RETRY = { delay: 250, maxDelay: 1_000 };

/**
 * Watches who comes and goes, across restarts of the gateway. Resolves at once: nothing is known until the
 * gateway accepts us.
 *
 * @param onChange - called when someone comes, goes, or serves something else
 */
export function watchMembers(
  { url, space, token, ca }: Endpoint,
  onChange: () => void = () => undefined,
): MemberWatch {
  const ends = new AbortController();
  let participant: Participant | undefined;
  let known: readonly Present[] | undefined;
  const look = (): void => {
    if (participant?.isConnected === true) known = [participant.welcome.you, ...participant.participants];
    onChange();
  };
  const watch = async (): Promise<void> => {
    const { connect } = await import('@proffer/client');
    while (!ends.signal.aborted) {
      try {
        participant = await connect({
          url,
          space,
          token,
          ...defined({ ca }),
          timeout: TIMEOUT,
          retry: RETRY,
          signal: ends.signal,
        });
        // Errors are reported by callers that need more than a hint from the gateway.
        participant.on('error', () => undefined);
        participant.on('welcome', look);
        participant.on('message', ({ kind }) => {
          if (kind === 'system.presence' || kind.startsWith('mcpx.announce.')) look();
        });
        look();
        await participant.closed;
      } catch {
        // Retried below.
      }
      await pause(RETRY.maxDelay, undefined, { signal: ends.signal }).catch(() => undefined);
    }
  };
  const watching = watch();
  return {
    members: () => known,
    async [Symbol.asyncDispose]() {
      ends.abort();
      await participant?.close();
      await watching;
    },
  };
}

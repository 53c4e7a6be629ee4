import { CommandFailure } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { whereOptions } from '../connection/endpoint.js';
import type { Shell } from '../terminal/shell.js';
import { type AwaitOptions, awaitOutcome, exitFor, type WaitOutcome } from './await-outcome.js';
import { findOffline } from './find-proposal.js';

/** How long it takes at most until another guard takes over the shared gateway, in milliseconds. */
const HANDING_OVER = 4_000;

/** How to wait for the result of an approval. The shell reports when the gateway is gone. */
export interface ResultOptions extends Pick<AwaitOptions, 'after' | 'timeout' | 'signal'> {
  readonly shell: Shell;
}

/**
 * Waits for the result of a proposal that was just approved. If the guards' gateway is gone, we do not wait for it but
 * show what it has stored.
 *
 * @throws CommandFailure when the wait ends without a result; the approval stands
 */
export async function awaitResult(
  connection: GatewayConnection,
  id: string,
  { shell, ...options }: ResultOptions,
): Promise<WaitOutcome> {
  const { data } = connection.endpoint;
  const retrying = data === undefined ? 'reconnecting' : 'reconnecting for a moment';
  try {
    return await awaitOutcome(connection, id, {
      ...options,
      isApproved: true,
      ...(data === undefined ? {} : { longestLoss: HANDING_OVER }),
      onLost: () =>
        shell.tell(
          shell.style.yellow(`Connection to the gateway lost; ${retrying}. Your approval is stored.`),
        ),
      onBack: () => shell.tell('Reconnected; still waiting.'),
    });
  } catch (error) {
    const isGone = error instanceof CommandFailure && error.failure.code === 'unreachable';
    const stored = isGone && data !== undefined ? await storedOutcome(id, data, shell) : undefined;
    if (stored === undefined) throw error;
    shell.tell('From its journal:');
    return { ...stored, at: whereOptions(connection.endpoint) };
  }
}

/** The outcome according to the journal; `undefined` if it has none, or cannot be read. */
async function storedOutcome(
  id: string,
  data: string,
  shell: Shell,
): Promise<Omit<WaitOutcome, 'at'> | undefined> {
  try {
    const { proposal, history } = await findOffline(id, { data }, shell);
    const exit = exitFor(proposal);
    return exit === undefined ? undefined : { exit, proposal, history };
  } catch (error) {
    if (error instanceof CommandFailure) return undefined;
    throw error;
  }
}

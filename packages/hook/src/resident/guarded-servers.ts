import { runningGuards } from '@proffer/client/machine';
import { agentAbove } from '../launch/index.js';

/**
 * Whether a guard in front of a server is running for the agent that asks.
 *
 * @param parent - the process that started the launcher; unknown over HTTP
 */
export type IsGuarded = (server: string, parent: number | undefined) => boolean;

/**
 * Looks for a guard that the same agent started. Its settings alone prove nothing: an agent that was started before they
 * were changed still runs the server without a guard.
 *
 * @param folder - the guards' folder
 */
export function createGuardedServers(folder: string): IsGuarded {
  return (server, parent) => {
    if (server === '' || parent === undefined) return false;
    const guards = runningGuards(folder).filter((guard) => guard.server === server);
    if (guards.length === 0) return false;
    const agent = agentAbove(parent);
    return guards.some((guard) => guard.parent === agent);
  };
}

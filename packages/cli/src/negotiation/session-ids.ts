import type { Shell } from '../terminal/shell.js';
import type { NegotiatorOptions } from './negotiator-options.js';

/** The ids of the sessions that one can read at a gateway. */
export async function sessionIds(options: NegotiatorOptions, shell: Shell): Promise<readonly string[]> {
  const { negotiate, READER } = await import('./negotiator.js');
  return await negotiate(options, { shell, role: READER }, async ({ client }) =>
    (await client.listSessions()).sessions.map(({ session_id }) => session_id),
  );
}

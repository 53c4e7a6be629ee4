import type { GatewayConfig } from '@proffer/gateway';
import { createConnection } from '../connection/connection.js';
import { follow } from '../connection/follow.js';
import { logLine } from '../display/log/log-line.js';
import type { Shell } from '../terminal/shell.js';

/** In dev mode: prints the activity in every space, one line each, until the signal. Never fails. */
export async function printActivity(
  url: string,
  { spaces }: Pick<GatewayConfig, 'spaces'>,
  { shell, signal }: { readonly shell: Shell; readonly signal: AbortSignal },
): Promise<void> {
  const watch = async (space: string): Promise<void> => {
    const connection = createConnection(
      { url, space, token: 'reviewer', assumed: false, given: {} },
      shell.name,
    );
    for await (const message of follow(connection, { after: 'now', signal })) {
      if (message.seq !== undefined) shell.print(logLine(message, shell));
    }
  };
  // The activity is only informative: a gateway without it works all the same.
  await Promise.allSettled(Array.from(spaces.keys(), watch));
}

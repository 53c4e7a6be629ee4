import type { Patience } from '@proffer/client/http';
import { type Connection, createConnection } from './connection/connection.js';
import { resolveEndpoint } from './connection/endpoint.js';
import type { EndpointOptions } from './connection/endpoint-options.js';
import type { Shell } from './terminal/shell.js';

/**
 * A connection for a command. See {@link resolveEndpoint} for `role`.
 *
 * @param patience - `signal`, for a command that handles Ctrl-C itself; `until`, for one that is given a time
 */
export function connect(
  options: EndpointOptions,
  shell: Shell,
  role: 'agent' | 'reviewer',
  patience: Pick<Patience, 'signal' | 'until'> = {},
): Connection {
  const endpoint = resolveEndpoint(options, shell.env, role);
  return createConnection(endpoint, shell.name, patience);
}

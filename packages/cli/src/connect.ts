import { type Connection, createConnection } from './connection/connection.js';
import { resolveEndpoint } from './connection/endpoint.js';
import type { EndpointOptions } from './connection/endpoint-options.js';
import type { Shell } from './terminal/shell.js';

/**
 * A connection for a command. See {@link resolveEndpoint} for `role`.
 *
 * @param signal - ends every request but a stream of events; for a command that handles Ctrl-C itself
 */
export function connect(
  options: EndpointOptions,
  shell: Shell,
  role: 'agent' | 'reviewer',
  signal?: AbortSignal,
): Connection {
  const endpoint = resolveEndpoint(options, shell.env, role);
  return createConnection(endpoint, shell.name, signal === undefined ? {} : { signal });
}

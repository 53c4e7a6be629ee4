import { type Connection, createConnection } from './connection/connection.js';
import { resolveEndpoint } from './connection/endpoint.js';
import type { EndpointOptions } from './connection/endpoint-options.js';
import type { Shell } from './terminal/shell.js';

/** A connection for a command. See {@link resolveEndpoint} for `role`. */
export function connect(options: EndpointOptions, shell: Shell, role: 'agent' | 'reviewer'): Connection {
  return createConnection(resolveEndpoint(options, shell.env, role), shell.name);
}

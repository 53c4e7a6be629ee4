import type { Patience } from '@proffer/client/http';
import { CommandFailure } from '../command-failure.js';
import type { EndpointOptions } from '../command-options.js';
import { findProposal } from '../proposals/find-proposal.js';
import type { Shell } from '../terminal/shell.js';
import { createConnection, type GatewayConnection } from './connection.js';
import { resolveEndpoint } from './endpoint.js';
import { isPlaceNamed, type OtherGateway, otherGateways, waitingElsewhere } from './other-gateways.js';

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
): GatewayConnection {
  const endpoint = resolveEndpoint(options, shell.env, role);
  return createConnection(endpoint, shell.name, patience);
}

/**
 * A reviewer's connection for looking at what is pending: to the gateway that is meant. If none is named and the default one
 * does not answer, to another one on this machine that does.
 */
export async function connectToAny(options: EndpointOptions, shell: Shell): Promise<GatewayConnection> {
  const connection = connect(options, shell, 'reviewer');
  const others = unnamedOthers(connection, options, shell);
  if (others.length === 0 || (await isThere(connection))) return connection;
  const found = await waitingElsewhere(others, shell);
  return found.find((other) => other.connection !== undefined)?.connection ?? connection;
}

/**
 * A reviewer's connection to the gateway that holds a proposal: the one that is meant, or if none is named, any on this
 * machine that knows the id or its beginning.
 */
export async function connectToHolder(
  text: string,
  options: EndpointOptions,
  shell: Shell,
  patience: Pick<Patience, 'signal' | 'until'> = {},
): Promise<GatewayConnection> {
  const connection = connect(options, shell, 'reviewer', patience);
  const others = unnamedOthers(connection, options, shell);
  if (others.length === 0 || (await holds(connection, text))) return connection;
  for (const { endpoint } of others) {
    if (endpoint === undefined) continue;
    const other = createConnection(endpoint, shell.name, patience);
    if (await holds(other, text)) return other;
  }
  return connection;
}

function unnamedOthers(
  { endpoint }: GatewayConnection,
  options: EndpointOptions,
  { env }: Shell,
): readonly OtherGateway[] {
  return isPlaceNamed(options, env) ? [] : otherGateways(endpoint, env);
}

async function isThere(connection: GatewayConnection): Promise<boolean> {
  return await succeeds(connection.whoAmI(), 'unreachable');
}

async function holds(connection: GatewayConnection, text: string): Promise<boolean> {
  return await succeeds(findProposal(connection, text), 'unreachable', 'unknown_proposal', 'unauthenticated');
}

/** False for a failure with one of these codes; other failures are reported when the connection is used. */
async function succeeds(asked: Promise<unknown>, ...codes: readonly string[]): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    return !(error instanceof CommandFailure && codes.includes(error.failure.code));
  }
}

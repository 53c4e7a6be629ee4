import { devAgent, httpTransport, MacpClient } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import { isSessionId } from '@proffer/core/negotiation';
import { CommandFailure, EXIT } from '../command-failure.js';
import { createConnection } from '../connection/connection.js';
import { type Endpoint, resolveEndpoint, sameOptions } from '../connection/endpoint.js';
import type { Shell } from '../terminal/shell.js';
import { type FailureWording, failureFrom, noSuchSession } from './failures.js';
import type { NegotiatorOptions } from './negotiator-options.js';

/** Who reads in dev mode by default. */
export const READER = 'reviewer';

/** A participant at a gateway that serves negotiations. */
export interface Negotiator {
  readonly client: MacpClient;
  readonly endpoint: Endpoint;
  /** The session that an id or a prefix means. */
  readonly find: (text: string) => Promise<string>;
}

/**
 * Runs a command about negotiations. Errors become failures with the command to try next.
 *
 * @param role - the default participant in dev mode
 * @param patient - whether to keep trying while the gateway is gone
 * @param tell - how to word a failure, if the gateway's own words are not enough
 */
export async function negotiate<Value>(
  options: NegotiatorOptions,
  {
    shell,
    role,
    patient = false,
    tell = () => ({}),
  }: {
    readonly shell: Shell;
    readonly role: string;
    readonly patient?: boolean;
    readonly tell?: (error: unknown) => FailureWording;
  },
  use: (negotiator: Negotiator) => Promise<Value>,
): Promise<Value> {
  // Sessions are in no space.
  const endpoint = { ...resolveEndpoint(options, shell.env, role), space: 'main' };
  try {
    const client = new MacpClient({
      transport: httpTransport({ url: endpoint.url, ...defined({ ca: endpoint.ca }) }),
      auth: { token: endpoint.token, sender: await nameOf(options, endpoint, shell.name) },
      retry: patient ? { delay: 250, maxDelay: 2_000 } : false,
    });
    const find = (text: string): Promise<string> =>
      findSession(client, text, `${shell.name} negotiate list --all${sameOptions(endpoint)}`);
    return await use({ client, endpoint, find });
  } catch (error) {
    throw failureFrom(error, endpoint, shell.name, tell(error));
  }
}

/** In dev mode the token is the name; elsewhere the gateway knows whose token it is. */
async function nameOf(
  { token, as }: NegotiatorOptions,
  endpoint: Endpoint,
  program: string,
): Promise<string> {
  if (as !== undefined || (token === undefined && endpoint.assumed)) return devAgent(endpoint.token).sender;
  try {
    return (await createConnection(endpoint, program).whoAmI()).participant;
  } catch (error) {
    // A gateway that refuses will refuse the next request too.
    if (error instanceof CommandFailure && error.failure.exit === EXIT.refused) return endpoint.token;
    throw error;
  }
}

async function findSession(client: MacpClient, text: string, list: string): Promise<string> {
  if (isSessionId(text)) return text;
  const found: string[] = [];
  let before: number | undefined;
  // The whole history, since any session may be meant; two matches are enough.
  do {
    const page = await client.sessionHistory({ id: text, ...defined({ before }) });
    found.push(...page.sessions.map(({ session_id }) => session_id));
    before = page.next;
  } while (before !== undefined && found.length < 2);
  const [only] = found;
  if (only === undefined || found.length > 1) throw noSuchSession(text, found, list);
  return only;
}

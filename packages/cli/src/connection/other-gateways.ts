import { listAddresses } from '@proffer/client/http';
import { notedGateways } from '@proffer/client/machine';
import { defined } from '@proffer/core/json';
import { CommandFailure, EXIT } from '../command-failure.js';
import { DEFAULT_URL, type EndpointOptions } from '../command-options.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { type Environment, type Shell, shellWord } from '../terminal/shell.js';
import { createConnection, type GatewayConnection } from './connection.js';
import { type Endpoint, inSpace, resolveEndpoint } from './endpoint.js';
import { guardsFolder, isGuardsHere, REVIEWER_FILE, reviewerTokenIn } from './guards-folder.js';

/** A gateway where calls of this machine may wait. */
export interface OtherGateway {
  /** After "pending": "at http://127.0.0.1:7500". */
  readonly where: string;
  /** The options that lead a command there; starts with a space unless it is empty. */
  readonly at: string;
  readonly url: string;
  readonly space: string;
  /** Absent if it needs a token that is not stored here. */
  readonly endpoint?: Endpoint;
}

/** What waits in another gateway. */
export interface WaitingElsewhere extends OtherGateway {
  /** Absent if it does not let us in without a token. */
  readonly pending?: { readonly proposals: readonly ProposalView[]; readonly more: number };
  readonly connection?: GatewayConnection;
}

/** How long another gateway may take, in milliseconds: the answer is an addition. */
const TIMEOUT = 2_000;

const REVIEWER = 'reviewer';

/** Whether the user says which gateway is meant, or who they are there. */
export function isPlaceNamed(options: EndpointOptions, env: Environment): boolean {
  const { url, gateway, space, token, as, guard } = options;
  const given = [
    url,
    gateway,
    space,
    token,
    as,
    env['PROFFER_URL'],
    env['PROFFER_TOKEN'],
    env['PROFFER_SPACE'],
  ];
  return guard === true || given.some((one) => one !== undefined && one !== '');
}

/**
 * All gateways where calls of this machine may wait, except one: that of the guards and hooks, the default one, and those
 * that running processes have noted. Whether one answers is not known.
 */
export function otherGateways(
  shown: Pick<Endpoint, 'url' | 'space'>,
  env: Environment,
): readonly OtherGateway[] {
  const folder = guardsFolder(env);
  const places = [
    ...(isGuardsHere(folder) ? [guardsGateway(env)] : []),
    gatewayAt({ url: DEFAULT_URL, space: 'main' }, env),
    ...notedGateways(folder).flatMap(({ url, spaces, folder: own }) =>
      spaces.map((space) => gatewayAt({ url, space, ...defined({ folder: own }) }, env)),
    ),
  ];
  const seen = new Set(listAddresses(shown.url).map((url) => `${url} ${shown.space}`));
  return places.filter(({ url, space }) => {
    const isNew = listAddresses(url).every((one) => !seen.has(`${one} ${space}`));
    for (const one of listAddresses(url)) seen.add(`${one} ${space}`);
    return isNew;
  });
}

function guardsGateway(env: Environment): OtherGateway {
  const endpoint = resolveEndpoint({ guard: true }, env, REVIEWER);
  const { url, space } = endpoint;
  return { where: "in the gateway of this machine's guards and hooks", at: ' --guard', url, space, endpoint };
}

function gatewayAt(
  { url, space, folder }: { readonly url: string; readonly space: string; readonly folder?: string },
  env: Environment,
): OtherGateway {
  // What the environment names is meant for its own gateway, and would also apply to a pasted command.
  const {
    PROFFER_URL: otherUrl = '',
    PROFFER_TOKEN: otherToken = '',
    PROFFER_SPACE: otherSpace = '',
    ...bare
  } = env;
  const place = url === DEFAULT_URL && otherUrl === '' ? '' : ` --url ${shellWord(url)}`;
  const inside = otherSpace === '' ? inSpace({ space }) : ` --space ${shellWord(space)}`;
  const token = folder === undefined ? undefined : reviewerTokenIn(folder);
  const secret = token === undefined ? '' : ` --token "$(cat ${shellWord(`${folder}/${REVIEWER_FILE}`)})"`;
  const at = `${place}${inside}${secret}`;
  const where = `at ${url}${space === 'main' ? '' : ` in space ${space}`}`;
  try {
    const secrets = defined({ token });
    const asked = { url, space, ...secrets };
    // As a user would have written it, for suggested commands.
    const given = {
      ...(url === DEFAULT_URL ? {} : { url }),
      ...(space === 'main' ? {} : { space }),
      ...secrets,
    };
    const endpoint = resolveEndpoint(asked, bare, REVIEWER);
    const as = endpoint.assumed && otherToken !== '' ? ` --as ${REVIEWER}` : '';
    return { where, at: `${at}${as}`, url, space, endpoint: { ...endpoint, given } };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { where, at, url, space };
  }
}

/** What waits in the other gateways that answer, in parallel. Those that do not answer are left out. */
export async function waitingElsewhere(
  others: readonly OtherGateway[],
  { name }: Pick<Shell, 'name'>,
): Promise<readonly WaitingElsewhere[]> {
  const looks = others.map(async (other): Promise<readonly WaitingElsewhere[]> => {
    const { endpoint } = other;
    if (endpoint === undefined) return [other];
    const connection = createConnection(endpoint, name, { answerWithin: TIMEOUT });
    try {
      return [{ ...other, connection, pending: await connection.pending() }];
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      return error.failure.exit === EXIT.refused ? [other] : [];
    }
  });
  return (await Promise.all(looks)).flat();
}

/** One line for each gateway where something waits, or may wait, with the command that shows it. */
export function elsewhereLines(
  found: readonly WaitingElsewhere[],
  { name, command }: { readonly name: string; readonly command: string },
): readonly string[] {
  return found.flatMap(({ where, at, url, pending }) => {
    if (pending === undefined)
      return [`Calls may also wait ${where}. Sign in there:  ${name} login --url ${shellWord(url)}`];
    const number = pending.proposals.length + pending.more;
    return number === 0 ? [] : [`${number} more pending ${where}:  ${name} ${command}${at}`];
  });
}

import type { Paused } from '@proffer/client';
import {
  defined,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
} from '@proffer/core/json';
import type { Endpoint } from '../connection/endpoint.js';
import type { ProposalView } from './proposal-view.js';

/** Timeout for the welcome, in milliseconds: it only serves a hint. */
const TIMEOUT = 3_000;

/**
 * The tools or prompts served by participants in the space now, by name, as {@link definitionsNow} finds
 * them.
 */
export async function servedNow(
  endpoint: Endpoint,
  list: 'tools' | 'prompts',
): Promise<readonly string[] | undefined> {
  const members = await membersNow(endpoint);
  return members === undefined ? undefined : servedBy(members, list);
}

/** The names of the tools or prompts that any of these participants serves. */
export function servedBy(members: readonly Present[], list: 'tools' | 'prompts'): readonly string[] {
  return members.flatMap(({ serves }) => definitionsIn(serves, list)).map(({ name }) => name);
}

/** A participant in the space: what it may do and what it serves. */
export interface Present {
  readonly id: string;
  readonly capabilities: readonly JsonValue[];
  readonly serves: JsonObject;
}

/** A tool or prompt as it is announced. */
export interface ServedDefinition {
  readonly name: string;
  readonly definition: JsonObject;
}

/**
 * The tools or prompts that participants in the space serve now (O-26, O-27); `undefined` if no welcome
 * arrives.
 *
 * @param within - timeout in milliseconds
 */
export async function definitionsNow(
  endpoint: Endpoint,
  list: 'tools' | 'prompts',
  within = TIMEOUT,
): Promise<readonly ServedDefinition[] | undefined> {
  return (await membersNow(endpoint, within))?.flatMap(({ serves }) => definitionsIn(serves, list));
}

/** Who is in the space, starting with ourselves, according to the welcome; `undefined` if none arrives. */
export async function membersNow(
  endpoint: Endpoint,
  within = TIMEOUT,
): Promise<readonly Present[] | undefined> {
  return (await lookInto(endpoint, within))?.members;
}

/** What a welcome says about a space. */
interface Look {
  /** Who is there, starting with ourselves. */
  readonly members: readonly Present[];
  /** Set if approvals are paused. */
  readonly paused?: Paused;
}

/** Enters a space for a moment; `undefined` if that is not possible. */
export async function lookInto(
  { url, space, token, ca }: Endpoint,
  within = TIMEOUT,
): Promise<Look | undefined> {
  // Loaded only here: other commands need no persistent connection.
  const { connect } = await import('@proffer/client');
  try {
    await using participant = await connect({
      url,
      space,
      token,
      ...defined({ ca }),
      timeout: Math.min(within, TIMEOUT),
    });
    const { you, participants, paused } = participant.welcome;
    return { members: [you, ...participants], ...defined({ paused }) };
  } catch {
    return undefined;
  }
}

/** What a participant serves, by name. */
function definitionsIn(serves: JsonObject, list: 'tools' | 'prompts'): readonly ServedDefinition[] {
  const definitions = serves[list];
  if (!isJsonArray(definitions)) return [];
  return definitions.flatMap((definition) => {
    const name = objectOf(definition)['name'];
    return isJsonObject(definition) && typeof name === 'string' ? [{ name, definition }] : [];
  });
}

/** A participant that serves the tool or prompt of a proposal. */
interface Server {
  readonly name: string;
  /** The tool or prompt as that participant announces it. */
  readonly definition: JsonObject;
}

/**
 * The participants that serve a proposal's tool or prompt. Empty for a resource: resources described by a
 * template are not listed.
 *
 * @param members - who is in the space
 */
export function serversOf(
  { subject }: Pick<ProposalView, 'subject'>,
  members: readonly Present[],
): readonly Server[] {
  if (subject === undefined || subject.list === 'resources') return [];
  const { list, name } = subject;
  return members.flatMap(({ id, serves }) => {
    const found = definitionsIn(serves, list).find((one) => one.name === name);
    return found === undefined ? [] : [{ name: id, definition: found.definition }];
  });
}

/** Who served the tool of a proposal before this executor, which would run it for the first time. */
export function predecessorIn(
  { wouldRun }: Pick<ProposalView, 'wouldRun'>,
  executor = wouldRun?.name,
): string | undefined {
  if (wouldRun === undefined || executor === undefined) return undefined;
  const { name, insteadOf, newcomers = {} } = wouldRun;
  return executor === name ? insteadOf : newcomers[executor];
}

/**
 * The executor, if it serves the tool now: an approval can name it. `undefined` if unknown. A participant
 * that does not announce the tool must not be named: the gateway trusts an approval about who can run
 * something.
 */
export function executorOf(
  proposal: Pick<ProposalView, 'subject' | 'wouldRun'>,
  members: readonly Present[] | undefined,
): string | undefined {
  const servers = members === undefined ? [] : serversOf(proposal, members);
  const name = proposal.wouldRun?.name ?? (servers.length === 1 ? servers[0]?.name : undefined);
  return servers.some((server) => server.name === name) ? name : undefined;
}

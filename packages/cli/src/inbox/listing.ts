import type { Paused } from '@proffer/client';
import { newestFirst } from '@proffer/core/approvals';
import { defined } from '@proffer/core/json';
import { CommandFailure, usageFailure } from '../command-failure.js';
import type { EndpointOptions } from '../command-options.js';
import { connect } from '../connection/connect.js';
import type { GatewayConnection } from '../connection/connection.js';
import { resolveEndpoint, sameOptions } from '../connection/endpoint.js';
import {
  isPlaceNamed,
  otherGateways,
  type WaitingElsewhere,
  waitingElsewhere,
} from '../connection/other-gateways.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { doubtAbout } from '../proposals/runnable.js';
import { lookInto, type Present } from '../proposals/served.js';
import { type Shell, shellWord } from '../terminal/shell.js';

/** Which proposals to list, and where they are. */
export interface ListingOptions extends EndpointOptions {
  /** All proposals, not only pending ones. */
  readonly all?: boolean;
  /** A journal's folder, to be read without a gateway. */
  readonly data?: string;
}

/** Everything to list on this machine: in one gateway, and in the others where calls may wait. */
export interface MachineListing {
  /** Absent if no gateway was named, the default one does not answer, and another one does. */
  readonly listing?: ProposalListing;
  readonly elsewhere: readonly WaitingElsewhere[];
}

/** The listed proposals: all of them oldest first, pending ones newest first. */
export interface ProposalListing {
  readonly proposals: readonly ProposalView[];
  /** How many more there are. */
  readonly more: number;
  /** All ids that an abbreviation must distinguish. */
  readonly ids: readonly string[];
  /** The options that lead the next command to the same place; starts with a space unless it is empty. */
  readonly at: string;
  /** Why it is doubtful that one could run now; see {@link doubtAbout}. */
  readonly doubts: () => Promise<Doubts>;
}

export interface Doubts {
  readonly about: (proposal: ProposalView) => string | undefined;
  /** That nothing can be approved now, if so. */
  readonly paused?: Paused;
  /** Who is in the space; absent if unknown. */
  readonly members?: readonly Present[];
}

/**
 * Finds what to list on this machine, whichever gateway holds it .
 *
 * @throws CommandFailure if it cannot be read, and no other gateway answers
 */
export async function listMachine(
  options: ListingOptions,
  most: number,
  shell: Shell,
): Promise<MachineListing> {
  if (options.data !== undefined)
    return { listing: await listProposals(options, most, shell), elsewhere: [] };
  const [listed, elsewhere] = await Promise.all([
    listProposals(options, most, shell).catch((error: unknown) => ({ error })),
    waitingElsewhere(otherGateways(resolveEndpoint(options, shell.env, 'reviewer'), shell.env), shell),
  ]);
  if (!('error' in listed)) return { listing: listed, elsewhere };
  const { error } = listed;
  const isAbsent = error instanceof CommandFailure && error.failure.code === 'unreachable';
  if (!isAbsent || isPlaceNamed(options, shell.env) || elsewhere.length === 0) throw error;
  return { elsewhere };
}

/** The listing of what waits in another gateway. */
export function listingOf({ at, pending, connection }: WaitingElsewhere): ProposalListing | undefined {
  if (pending === undefined || connection === undefined) return undefined;
  const proposals = [...pending.proposals].sort(newestFirst);
  return withDoubts(connection, at, { ...pending, proposals, ids: proposals.map(({ id }) => id) });
}

/**
 * Finds what to list.
 *
 * @param most - the maximum number if all are listed
 * @throws CommandFailure if it cannot be read
 */
export async function listProposals(
  options: ListingOptions,
  most: number,
  shell: Shell,
): Promise<ProposalListing> {
  if (options.data !== undefined) return await listOffline({ ...options, data: options.data }, most, shell);
  const connection = connect(options, shell, 'reviewer');
  const listed = await (options.all === true ? latestOf(connection, most) : pendingOf(connection));
  return withDoubts(connection, sameOptions(connection.endpoint), listed);
}

function withDoubts(
  connection: GatewayConnection,
  at: string,
  listed: Pick<ProposalListing, 'proposals' | 'more' | 'ids'>,
): ProposalListing {
  return {
    ...listed,
    at,
    async doubts() {
      const isAnyPending = listed.proposals.some(({ phase }) => phase === 'pending');
      const { members, paused } = (isAnyPending ? await lookInto(connection.endpoint) : undefined) ?? {};
      const pause = defined({ paused });
      const [reader] = members ?? [];
      if (members === undefined || reader === undefined) return { about: () => undefined, ...pause };
      // Loaded only here: the capability rules take longer to load than a list takes to print.
      const { whyNotApprove } = await import('../proposals/may-approve.js');
      const whyNot = whyNotApprove(reader);
      const about = (proposal: ProposalView): string | undefined => {
        if (proposal.phase !== 'pending') return undefined;
        const forbidden = whyNot(proposal);
        return forbidden === undefined
          ? doubtAbout(proposal, members)
          : `you may not approve this: ${forbidden}`;
      };
      return { about, ...pause, members };
    },
  };
}

/** Looks at all proposals, but keeps only the latest and all ids, however many there are. */
async function latestOf(connection: GatewayConnection, most: number) {
  let proposals: readonly ProposalView[] = [];
  const ids: string[] = [];
  for await (const page of connection.proposals()) {
    for (const { id } of page) ids.push(id);
    proposals = [...proposals, ...page].slice(-most);
  }
  return { proposals, more: ids.length - proposals.length, ids };
}

async function pendingOf(connection: GatewayConnection) {
  const { proposals: pending, more } = await connection.pending();
  const proposals = [...pending].sort(newestFirst);
  return { proposals, more, ids: proposals.map(({ id }) => id) };
}

/** Loaded only here: commands that ask a gateway need no journal. */
async function listOffline(
  { data, space = 'main', all, ...given }: ListingOptions & { readonly data: string },
  most: number,
  shell: Shell,
): Promise<ProposalListing> {
  const { url, gateway } = given;
  if ((url ?? gateway) !== undefined)
    throw usageFailure('--data and --url both say where to read; use only one of them.');
  const { journalPlace } = await import('../journal/place.js');
  const { readProposals } = await import('../journal/read-proposals.js');
  const every = await readProposals(await journalPlace({ data }, shell), space);
  const wanted = all === true ? every : every.filter(({ phase }) => phase === 'pending').sort(newestFirst);
  const proposals = all === true ? wanted.slice(-most) : wanted;
  return {
    proposals,
    more: wanted.length - proposals.length,
    ids: wanted.map(({ id }) => id),
    at: ` --data ${shellWord(data)}${space === 'main' ? '' : ` --space ${shellWord(space)}`}`,
    doubts: async () => ({ about: () => undefined }),
  };
}

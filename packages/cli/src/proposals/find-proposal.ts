import { hideInText } from '@proffer/core/secrets';
import { CommandFailure, EXIT, type Failure } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { sameOptions } from '../connection/endpoint.js';
import { isShortened } from '../display/short-ids.js';
import { type Shell, shellWord } from '../terminal/shell.js';
import { looksLikeGuards, nameOf, type ProposalStep, type ProposalView, reasonIn } from './proposal-view.js';

/** A proposal with everything that was said about it. */
export interface FoundProposal {
  readonly proposal: ProposalView;
  readonly history: readonly ProposalStep[];
}

/** Which proposal to find. */
export interface ProposalLookup {
  /** Whether to look only for one that can be decided. Default: false. */
  readonly pending?: boolean | undefined;
  /** Whether the text is a whole id. Default: false, it may be a prefix. */
  readonly exact?: boolean | undefined;
}

/**
 * The proposal that an id or a prefix means: the exact one, or a pending one. Only if there is neither are finished
 * ones searched.
 *
 * @throws CommandFailure if there is none, or if it is ambiguous
 */
export async function findProposal(
  connection: GatewayConnection,
  text: string,
  { pending: isToBeDecided = false, exact = false }: ProposalLookup = {},
): Promise<FoundProposal> {
  const same = sameOptions(connection.endpoint);
  if (text === '') throw noId(`${connection.name} inbox${same}`);
  if (exact) return await connection.proposal(text);
  const typed = readTypedId(text);
  const [whole, pending] = await Promise.all([
    wholeOne(connection, typed.text),
    pendingOnes(connection, typed),
  ]);
  const candidates = new Map(pending.map((proposal) => [proposal.id, proposal]));
  if ('proposal' in whole) candidates.set(whole.proposal.id, whole.proposal);
  const meant = meaningsOf(typed, candidates.keys());
  const [id] = meant;
  if (meant.length > 1) throw ambiguous(text, [...candidates.values()], { meant, same });
  if (id !== undefined)
    return 'proposal' in whole && id === typed.text ? whole : await connection.proposal(id);
  const over = await overOnes(connection, typed);
  const [only] = over;
  if (only === undefined)
    throw withGuardHint('proposal' in whole ? undefined : whole.refused, connection, typed.text);
  if (over.length === 1) return await connection.proposal(only);
  if (isToBeDecided) throw nonePending(text, `${connection.name} inbox${same}`);
  throw noSuchProposal(text, over, [`${connection.name} inbox --all${same}   # lists them`]);
}

/** The proposal with exactly this id, or the gateway's refusal. */
async function wholeOne(
  connection: GatewayConnection,
  id: string,
): Promise<FoundProposal | { readonly refused: CommandFailure }> {
  try {
    return await connection.proposal(id);
  } catch (error) {
    if (error instanceof CommandFailure && error.failure.code === 'unknown_proposal')
      return { refused: error };
    throw withGuardHint(error, connection, id);
  }
}

/** All pending proposals with this prefix. */
async function pendingOnes(
  connection: GatewayConnection,
  { text }: TypedId,
): Promise<readonly ProposalView[]> {
  const { proposals, more } = await connection.pending();
  const found = proposals.filter(({ id }) => id.startsWith(text));
  if (more === 0) return found;
  // There are too many for one list, so all pages are searched.
  for await (const page of connection.proposals()) {
    found.push(
      ...page.filter(
        ({ id, phase }) =>
          phase === 'pending' && id.startsWith(text) && !found.some((known) => known.id === id),
      ),
    );
  }
  return found;
}

/** Ids of closed proposals with this prefix; at most two. */
async function overOnes(connection: GatewayConnection, { text }: TypedId): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const page of connection.proposals()) {
    for (const { id } of page) if (id.startsWith(text)) found.push(id);
    if (found.length > 1) break;
  }
  return found;
}

/** Every possible match, with its whole id and what it is. */
function ambiguous(
  text: string,
  candidates: readonly ProposalView[],
  { meant, same }: { readonly meant: readonly string[]; readonly same: string },
): CommandFailure {
  const isWholeOfOne = meant.includes(text);
  const message = isWholeOfOne
    ? `${JSON.stringify(text)} is ambiguous: it is the id of one proposal and the beginning of another id. Nothing was sent.`
    : `${several(text)} Nothing was sent.`;
  const next = meant.slice(0, MAX_LISTED).map((id) => {
    const found = candidates.find((candidate) => candidate.id === id);
    const what = found === undefined ? '' : `${hideInText(nameOf(found))}, proposed by ${found.proposer}`;
    return id === text
      ? `${shellWord(id)} --exact${same}   # ${what}`
      : `${shellWord(id)}${same}   # ${what}`;
  });
  return new CommandFailure({
    exit: EXIT.usage,
    code: 'usage',
    message,
    details: { found: meant.slice(0, MAX_LISTED) },
    next,
  });
}

const MAX_LISTED = 20;

function several(text: string): string {
  return `The ids of several proposals begin with ${JSON.stringify(text)}; type more of the id.`;
}

/** Usually an unset variable. */
function noId(inbox: string): CommandFailure {
  return new CommandFailure({
    exit: EXIT.usage,
    code: 'usage',
    message: 'The id of the proposal is empty.',
    next: [`${inbox}   # lists what is pending`],
  });
}

function nonePending(text: string, inbox: string): CommandFailure {
  return new CommandFailure({
    exit: EXIT.refused,
    code: 'late',
    message: `No pending proposal has an id that begins with ${JSON.stringify(text)}; those that do have ended.`,
    details: { proposals: [text] },
    next: [`${inbox}   # lists what is pending`],
  });
}

/** Guards' ids are easily looked up in the wrong gateway. */
function withGuardHint(error: unknown, { endpoint }: GatewayConnection, text: string): unknown {
  const { given } = endpoint;
  if (!(error instanceof CommandFailure) || given.guard === true || !looksLikeGuards(text)) return error;
  const { next = [], ...failure } = error.failure;
  const hint = '--guard   # the id belongs to a guard, so look in the gateway that the guards here share';
  return new CommandFailure({ ...failure, next: [hint, ...next] }, error);
}

/** No proposal, or several, match the given id. */
export function noSuchProposal(
  text: string,
  found: readonly string[],
  next: readonly string[],
): CommandFailure {
  const many = found.length > 1;
  return new CommandFailure({
    exit: many ? EXIT.usage : EXIT.refused,
    code: many ? 'usage' : 'unknown_proposal',
    message: many ? several(text) : `Proposal ${JSON.stringify(text)} not found, and no id begins with it.`,
    details: many ? { found: found.slice(0, MAX_LISTED) } : { proposals: [text] },
    next,
  });
}

/**
 * A proposal from a journal's folder, without a gateway. Loads the journal reader only when it is called: commands that
 * ask a gateway need no journal.
 *
 * @throws CommandFailure for a journal that cannot be read, and a proposal that is not in it
 */
export async function findOffline(
  id: string,
  {
    data,
    space = 'main',
    exact,
  }: { readonly data: string; readonly space?: string; readonly exact?: boolean },
  shell: Shell,
): Promise<FoundProposal> {
  const { journalPlace } = await import('../journal/place.js');
  const { readProposal } = await import('../journal/read-proposals.js');
  return await readProposal(
    { folder: await journalPlace({ data }, shell), space, name: shell.name },
    id,
    exact,
  );
}

/** A proposal that was typed, or why there is none. */
export type Typed =
  | {
      readonly id: string;
      readonly proposal: ProposalView;
      /** Why its proposer asks; empty if it does not say. */
      readonly reason: string;
      readonly failure?: never;
    }
  | { readonly id: string; readonly failure: Failure; readonly proposal?: never };

/**
 * The proposals that several ids or prefixes mean, each one once. A wrong one does not stop the others: each has its own
 * outcome (O-35). Throws what is not about one of them.
 */
export async function findEach(
  texts: readonly string[],
  connection: GatewayConnection,
  exact: boolean | undefined,
): Promise<readonly Typed[]> {
  const found = await Promise.all(
    texts.map(async (text): Promise<Typed> => {
      try {
        const { proposal, history } = await findProposal(connection, text, { pending: true, exact });
        return { id: proposal.id, proposal, reason: reasonIn(history) };
      } catch (error) {
        if (!(error instanceof CommandFailure) || !ABOUT_ONE.has(error.failure.code)) throw error;
        return { id: text, failure: error.failure };
      }
    }),
  );
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

/** The failures to find a proposal; any other, such as no connection, is one of all of them. */
const ABOUT_ONE: ReadonlySet<string> = new Set(['unknown_proposal', 'late', 'usage']);

/** An id as a person typed it. */
interface TypedId {
  readonly text: string;
  /** Whether the id was copied with the mark of a short form, so it is a prefix. */
  readonly isBeginning: boolean;
}

/** Parses a typed id. The mark of a short form is never part of an id. */
export function readTypedId(typed: string): TypedId {
  const text = typed.replace(/(?:…|\.\.\.)$/, '');
  return { text, isBeginning: text !== typed };
}

/**
 * The ids that a typed text could mean. More than one is ambiguous, and nothing may be decided by it. A whole
 * id means itself, unless it could also be the short form of a longer one: a proposal can have any id, even
 * exactly what a table shows of another.
 *
 * @param ids - all candidates
 */
export function meaningsOf({ text, isBeginning }: TypedId, ids: Iterable<string>): readonly string[] {
  const found = [...new Set(ids)].filter((id) => id.startsWith(text));
  if (isBeginning || !found.includes(text)) return found;
  return found.filter((id) => id === text || isShortened(id));
}

import {
  type Capability,
  type CapabilitySource,
  grants,
  leavesOut,
  parseCapability,
} from '../../capability/capability.js';
import {
  type CompiledCapabilities,
  candidates,
  compileCapabilities,
} from '../../capability/compiled-capabilities.js';
import { foldText, type Strictness } from '../../capability/deny-match.js';
import { splitKind } from '../../capability/kind-pattern.js';
import { completeKind } from '../../envelope/kind.js';
import type { JsonObject } from '../../json/json.js';
import type { CountedSessions } from '../agreements/agreement.js';
import type { AgentLimits } from './agents.js';
import { candidatePatterns, createPatternIndex, type PatternIndex } from './pattern-index.js';

/** One escalation step if no one decides (O-33): others are asked, or it is declined. Times in milliseconds. */
export type EscalationStep = {
  /** Counted from the proposal. */
  readonly after: number;
  /**
   * Who may approve from then on, in addition to those before: names and `role:…`. Empty: it is
   * declined.
   */
  readonly to: readonly string[];
};

/** The calls of an entry, and whose approval counts for them (O-28). Plain data, as in the configuration. */
export type ReviewEntry = {
  /** The name of the entry in records and refusals. */
  readonly name: string;
  /** The calls it covers: a pattern over the request that would run. */
  readonly call: CapabilitySource;
  /** Whose proposals it covers: names and `role:…`; empty means everyone's. */
  readonly proposers: readonly string[];
  /** How many different people must approve the same params. */
  readonly approvals: number;
  /** Whose approval counts: names and `role:…`; empty means everyone who could make the request. */
  readonly from: readonly string[];
  /** Whether one rejection by someone whose approval counts ends it (O-31). */
  readonly veto: boolean;
  readonly escalate: readonly EscalationStep[];
  /** Whether the person that the proposer works for may not approve (O-30). Default false. */
  readonly notRequester?: boolean;
  /** Whether each approval has to be signed with a key of the approver (O-49). Default false. */
  readonly signed?: boolean;
  /** What agents may approve alone. Default nothing. */
  readonly agents?: AgentLimits;
  /** If present, approvals are only given in negotiation sessions, and in which (O-53). */
  readonly by?: CountedSessions;
};

/** An ordered list; the first entry that matches counts. */
export type ReviewPolicy = readonly ReviewEntry[];

/** A participant, as far as policies care. */
export interface Person {
  readonly name: string;
  readonly roles?: readonly string[] | undefined;
  /** Somebody else let it in (O-51): otherwise one person could approve several times. Default false. */
  readonly isInvited?: boolean | undefined;
}

/** A call that may run. */
export interface ReviewedCall {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly proposer: Person;
}

const ROLE = 'role:';

/**
 * The first policy entry that a call matches; `undefined` if none does, or there is no policy.
 *
 * A call that could be mistaken for what an entry names, like `/tmp/../etc/passwd` for `/etc/**`, is
 * in doubt. Since an entry restricts calls, doubt must not bypass it: of the entries before the first
 * certain match, the strictest one in doubt counts, unless the certain one is stricter.
 */
export function entryFor(policy: ReviewPolicy | undefined, call: ReviewedCall): ReviewEntry | undefined {
  if (policy === undefined || policy.length === 0) return undefined;
  const payload: JsonObject = { method: call.method, params: call.params };
  const kind = completeKind(`mcp.request.${call.method}`, payload);
  const parts = splitKind(kind);
  const { narrow, wide, alike } = compiled(policy);
  // An entry is for what the invited propose, too.
  const proposer = { ...call.proposer, isInvited: false };
  const isMeant = (place: number): boolean => isNamed(policy[place]?.proposers ?? NOBODY, proposer);
  const matching = ({ places, index, sieves }: Indexed, key: string, reading: Strictness): number[] => {
    const found: number[] = [];
    for (const some of candidates(index, key)) {
      for (const capability of candidatePatterns(sieves.get(some) ?? NO_SIEVE, payload, reading)) {
        const place = places.get(capability);
        if (place === undefined || !isMeant(place)) continue;
        if (grants(capability, parts, { payload })) found.push(place);
      }
    }
    return found;
  };
  // Only those that start like the kind are checked, and they come in no particular order.
  const first = Math.min(policy.length, ...matching(narrow, kind, 'narrow'));
  if (first === 0) return policy[0];
  const name = parts.context ?? '';
  const doubts = SIMPLE.test(name)
    ? [
        ...matching(alike, `${parts.levels}:${foldText(name)}`, 'wide'),
        ...matching(alike, `${parts.levels}:/`, 'wide'),
      ]
    : matching(wide, parts.levels, 'wide');
  let strictest = policy[first];
  for (const place of doubts.filter((each) => each < first).sort((left, right) => right - left)) {
    const entry = policy[place];
    // Among equally strict ones, the first counts.
    if (entry !== undefined && (strictest === undefined || !isStricter(strictest, entry))) strictest = entry;
  }
  return strictest;
}

const NOBODY: readonly string[] = [];
const NO_SIEVE: PatternIndex = { rest: [], groups: [] };

/** Whether one entry is stricter: more approvals, or signed ones, or those of certain people, or in a session, or a veto. */
function isStricter(one: ReviewEntry, other: ReviewEntry): boolean {
  if (one.approvals !== other.approvals) return one.approvals > other.approvals;
  if ((one.signed === true) !== (other.signed === true)) return one.signed === true;
  const [isOneNamed, isOtherNamed] = [one.from.length > 0, other.from.length > 0];
  if (isOneNamed !== isOtherNamed) return isOneNamed;
  const [isOneBySession, isOtherBySession] = [one.by !== undefined, other.by !== undefined];
  return isOneBySession === isOtherBySession ? one.veto && !other.veto : isOneBySession;
}

/** Whether a participant is in a list of names and roles; an empty list includes everyone who was not invited. */
export function isNamed(list: readonly string[], person: Person): boolean {
  return list.length === 0 ? person.isInvited !== true : isAmong(list, person);
}

/** Whether a participant is in a list of names and roles; an empty list includes no one. */
export function isAmong(list: readonly string[], { name, roles = [], isInvited }: Person): boolean {
  if (isInvited === true) return false;
  return list.some((each) =>
    each.startsWith(ROLE) ? roles.includes(each.slice(ROLE.length)) : each === name,
  );
}

/**
 * Whether any entry names someone, or escalates to them: only then do they have a part to delegate
 * (O-34).
 */
export function hasPartInReviews(policy: ReviewPolicy | undefined, person: Person): boolean {
  return (policy ?? []).some(
    ({ from, escalate }) => isAmong(from, person) || escalate.some(({ to }) => isAmong(to, person)),
  );
}

/** True for a list of names only, so that it is known who is left. */
export function isClosed(list: readonly string[]): boolean {
  return list.length > 0 && !list.some((each) => each.startsWith(ROLE));
}

interface Indexed {
  readonly index: CompiledCapabilities;
  /** By the lists that the index returns. */
  readonly sieves: ReadonlyMap<readonly Capability[], PatternIndex>;
  /** The entry that each of them belongs to. */
  readonly places: ReadonlyMap<Capability, number>;
}

interface Compiled {
  readonly narrow: Indexed;
  /** By the kind without its context: lookalikes need not start alike. */
  readonly wide: Indexed;
  /**
   * The entries for simple names, by the kind with its context folded: lookalikes of a simple name start
   * like it when both are folded. A pattern about paths may match anything, and is stored where every
   * kind finds it.
   */
  readonly alike: Indexed;
}

/** A name that cannot be mistaken for a path, nor for any name that differs in more than case. */
const SIMPLE = /^[A-Za-z0-9_-]+$/;

const compiledPolicies = new WeakMap<ReviewPolicy, Compiled>();

/** Compiles a policy's patterns once. A host validates them before; an invalid one is a bug of the host. */
function compiled(policy: ReviewPolicy): Compiled {
  const known = compiledPolicies.get(policy);
  if (known !== undefined) return known;
  const read = (reading: 'narrow' | 'wide') =>
    policy.map(({ name, call }) => {
      const parsed = parseCapability(call, 'call', reading);
      if (!parsed.ok) throw new Error(`review entry ${name}: ${parsed.refusal.message}`);
      if (leavesOut(parsed.value)) throw new Error(`review entry ${name} has to or a negation.`);
      return parsed.value;
    });
  const made = {
    narrow: indexed(read('narrow')),
    wide: indexed(read('wide').map(withoutContext)),
    alike: indexed(read('wide').map(withFoldedContext)),
  };
  compiledPolicies.set(policy, made);
  return made;
}

function withoutContext({ kind, ...rest }: Capability): Capability {
  return { ...rest, kind: { ...kind, text: splitKind(kind.text).levels } };
}

function withFoldedContext({ kind, ...rest }: Capability): Capability {
  const { levels, context } = splitKind(kind.text);
  if (context === undefined) return { ...rest, kind };
  const folded = foldText(context);
  // A pattern with a separator may be about a folder, or about something that only looks like a name.
  const text =
    /[./:\\%]/.test(context) || !SIMPLE_PATTERN.test(folded) ? `${levels}:/` : `${levels}:${folded}`;
  return { ...rest, kind: { ...kind, text } };
}

const SIMPLE_PATTERN = /^[a-z0-9_*-]+$/;

function indexed(capabilities: readonly Capability[]): Indexed {
  const places = new Map(capabilities.map((capability, place) => [capability, place]));
  const index = compileCapabilities(capabilities);
  const lists = [...index.literal.values(), ...index.byPrefix.values()];
  return { index, places, sieves: new Map(lists.map((list) => [list, createPatternIndex(list)])) };
}

import { isParticipantName } from '@proffer/core';
import { type CapabilitySource, leavesOut } from '@proffer/core/capability';
import { defined, formatPath, quote } from '@proffer/core/json';
import { findMode, servedModes } from '@proffer/core/negotiation';
import type {
  AgentLimits,
  ArgumentRange,
  CountedSessions,
  ReviewEntry,
  ReviewPolicy,
} from '@proffer/core/operations';
import { listed, type Path, type Report, type Tree } from '@proffer/reading';
import { type Field, field, listOf, mapOf, optional, section, withDefault } from '../read/field.js';
import { duration } from '../read/quantity.js';
import { flag, scalar, text, textThat, wholeNumber } from '../read/scalar.js';
import { readCapability } from './capability-list.js';

const NUMBER = 'a number';

const number = (): Field<number> =>
  scalar((found, plain) => {
    const value = plain && found.trim() !== '' ? Number(found) : Number.NaN;
    return Number.isFinite(value) ? { value } : { expected: NUMBER };
  }, NUMBER);

/** A text, a number or a boolean, unchanged. */
const constant = scalar<string | number | boolean>((found, plain) => {
  if (!plain) return { value: found };
  if (found === 'true' || found === 'false') return { value: found === 'true' };
  const value = Number(found);
  return { value: found.trim() !== '' && Number.isFinite(value) ? value : found };
}, 'a text, a number, true or false');

/** In the words of rules. */
const RANGE = section({
  gte: optional(number()),
  lte: optional(number()),
  anyOf: optional(listOf(constant.read, 'values')),
});

/** Earlier names, which older files have. */
const EARLIER: ReadonlyMap<string, string> = new Map([
  ['min', 'gte'],
  ['max', 'lte'],
  ['one_of', 'any_of'],
]);

function inPresentWords(tree: Tree): Tree {
  if (tree.kind !== 'map') return tree;
  const renamed = (key: string): string => {
    const now = EARLIER.get(key);
    return now === undefined || tree.entries.has(now) ? key : now;
  };
  return { ...tree, entries: new Map(Array.from(tree.entries, ([key, entry]) => [renamed(key), entry])) };
}

/** The condition on an argument; an empty one, or one that no value can meet, is a problem. */
const range: Field<ArgumentRange>['read'] = (tree, path, report) => {
  const written = RANGE.read(inPresentWords(tree), path, report);
  if (written === undefined) return undefined;
  const { gte: min, lte: max, anyOf: oneOf } = written;
  const isEmpty = (min ?? max ?? oneOf) === undefined;
  if (isEmpty) report(tree.at, formatPath(path), 'This is empty; expected gte, lte or any_of.');
  if ((min ?? Number.NEGATIVE_INFINITY) > (max ?? Number.POSITIVE_INFINITY))
    report(tree.at, formatPath(path), `gte (${min}) is greater than lte (${max}), so no value fits.`);
  return defined({ min, max, oneOf });
};

const within = mapOf<ArgumentRange>(range, { what: 'names of arguments', check: () => undefined });

/**
 * What agents may approve alone (O-28): which agents, how many per hour, and with which arguments.
 *
 * @param people - names and roles
 */
function agentLimits(people: () => Field<readonly string[]>): Field<AgentLimits | undefined> {
  const limits = section({
    from: { ...people(), absent: field<readonly string[]>(() => []).absent },
    perHour: wholeNumber(1, 1_000),
    within: withDefault(within, new Map()),
  });
  return optional(
    field<AgentLimits>((tree: Tree, path, report) => {
      const written = limits.read(tree, path, report);
      if (written === undefined) return undefined;
      if (written.from.length === 0)
        report(tree.at, formatPath([...path, 'from']), 'Name at least one agent.');
      return { ...written, within: Object.fromEntries(written.within) };
    }, 'none'),
  );
}

const DAY = 86_400_000;

/** A person or role in a policy. */
const who = textThat((found) => {
  const role = /^role:(.+)$/.exec(found)?.[1];
  return role === undefined ? !found.startsWith('role:') && isParticipantName(found) : isRoleName(role);
}, 'a participant name, or role:NAME');

const people = () => withDefault(listOf(who.read, 'names and roles'), []);

/** Whether a name is a valid role: like a participant's name. */
export function isRoleName(found: string): boolean {
  return isParticipantName(found);
}

const call: Field<CapabilitySource> = field((tree, path, report) => {
  const capability = readCapability(tree, path, report);
  if (capability === undefined) return undefined;
  const { source, kind } = capability;
  if (leavesOut(capability)) {
    const message = 'An entry cannot have to or a pattern that begins with !; write which calls it is for.';
    report(tree.at, formatPath(path), message);
  }
  if (!canBeRequest(kind.text)) {
    const written = typeof source === 'string' ? source : source.kind;
    const message = `${quote(written)} matches no request, so the entry would never apply; a policy matches the request that would run.`;
    report(tree.at, formatPath(path), message, asRequest(written));
  }
  return source;
}, 'none');

/** Whether a pattern over kinds can match one that begins with `mcp.request.` */
function canBeRequest(pattern: string): boolean {
  const [levels = ''] = pattern.split(':', 1);
  const [protocol = '', operation, ...method] = levels.split('.');
  if (!couldBe(protocol, 'mcp')) return false;
  if (operation === undefined) return protocol.endsWith('*');
  return couldBe(operation, 'request') && (method.length > 0 || operation.endsWith('*'));
}

function couldBe(glob: string, word: string): boolean {
  return new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(word);
}

/** What was probably meant by a pattern that matches no request. */
function asRequest(written: string): string | undefined {
  if (/^mcp[./]proposal[./]/.test(written)) return written.replace('proposal', 'request');
  return /^(?:tools|resources|prompts|sampling)\//.test(written) ? `mcp.request.${written}` : undefined;
}

/** A step as written: whom to ask, or that the proposal is declined. */
const STEP = section({
  after: duration(1000, 3650 * DAY),
  to: people(),
  decline: withDefault(flag(), false),
});

/** A step without people declines; saying so is clearer, and people after it would never be asked. */
function readStep(tree: Tree, path: Path, report: Report): ReviewEntry['escalate'][number] | undefined {
  const written = STEP.read(tree, path, report);
  if (written === undefined) return undefined;
  const { after, to, decline } = written;
  if (decline && to.length > 0) {
    const message = 'A step asks the people in "to", or declines. Write two steps, or leave one out.';
    report(tree.at, formatPath([...path, 'decline']), message);
  }
  return { after, to };
}

/** The modes in which a call can be agreed on (N-32). */
const MODES: readonly string[] = servedModes()
  .map(({ mode }) => mode)
  .filter((mode) => findMode(mode)?.offers !== undefined);

const mode = textThat((found) => MODES.includes(found), MODES.join(' or '));

/** The sessions in which approvals are given (O-53). */
const SESSIONS = section<CountedSessions>({
  modes: withDefault(listOf(mode.read, 'modes'), MODES),
  policies: withDefault(listOf(text('the id of a policy').read, 'ids of policies'), []),
});

const ENTRY = section({
  name: optional(text('a name')),
  call,
  proposers: people(),
  approvals: withDefault(wholeNumber(1, 100), 1),
  from: people(),
  veto: withDefault(flag(), false),
  escalate: withDefault(listOf(readStep, 'steps'), []),
  notRequester: withDefault(flag(), false),
  signed: withDefault(flag(), false),
  agents: agentLimits(people),
  by: optional(SESSIONS),
});

const entries = listOf((tree, path, report) => {
  const written = ENTRY.read(tree, path, report);
  if (written === undefined) return undefined;
  const { approvals, from, escalate } = written;
  const names = new Set([...from, ...escalate.flatMap(({ to }) => to)]);
  const isKnown = from.length > 0 && ![...names].some((each) => each.startsWith('role:'));
  if (isKnown && names.size < approvals) {
    const message = `There can never be ${approvals} approvals: only ${listed(names)} may approve. Name more people, or require fewer approvals.`;
    report(tree.at, formatPath([...path, 'approvals']), message);
  }
  if (escalate.some(({ after }, index) => index > 0 && after <= (escalate[index - 1]?.after ?? 0))) {
    report(tree.at, formatPath([...path, 'escalate']), 'Steps must be in chronological order.');
  }
  if (escalate.some(({ to }, index) => to.length === 0 && index < escalate.length - 1)) {
    const message = 'A step that declines must be the last one: nobody is asked after it.';
    report(tree.at, formatPath([...path, 'escalate']), message);
  }
  const { notRequester, signed, agents, by, ...rest } = written;
  if (by !== undefined && from.length === 0)
    report(
      tree.at,
      formatPath([...path, 'from']),
      'With by, name those whose acceptance in a session counts.',
    );
  if (by !== undefined && agents !== undefined)
    report(
      tree.at,
      formatPath([...path, 'agents']),
      'With by, everybody decides in sessions; leave out agents.',
    );
  if (by !== undefined && signed)
    report(
      tree.at,
      formatPath([...path, 'signed']),
      'What is said in a session is not signed; leave out by or signed.',
    );
  return {
    ...rest,
    ...(notRequester ? { notRequester } : {}),
    ...(signed ? { signed } : {}),
    ...defined({ agents, by }),
    name: written.name ?? `#${Number(path[path.length - 1]) + 1}`,
  };
}, 'entries with call, approvals and from');

/**
 * The review policy of a space (O-28): an entry without a name is named by its position, `#1` and so on. An
 * empty policy counts as none.
 */
export const review: Field<ReviewPolicy> = {
  ...entries,
  read: (tree, path, report) => {
    const policy = entries.read(tree, path, report);
    return policy?.length === 0 ? undefined : policy;
  },
};

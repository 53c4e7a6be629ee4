import type { Envelope } from '../envelope/envelope.js';
import { completeKind } from '../envelope/kind.js';
import { DECIDING_FOR_OTHERS } from '../envelope/kind-table.js';
import { quote } from '../json/describe.js';
import { type Refusal, refuse } from '../refusal/refusal.js';
import { type Capability, grants, type Restricted } from './capability.js';
import { type CompiledCapabilities, candidates } from './compiled-capabilities.js';
import { matchKindPattern, splitKind } from './kind-pattern.js';

/** A response without the method, and the same with an empty level for it. */
const BARE_RESPONSE = 'mcp.response';
const RESPONSE_TO_ANY_METHOD = 'mcp.response.';

/** The part of a message that capabilities are matched with. */
export type Authorizable = Pick<Envelope, 'from' | 'kind' | 'to' | 'payload'>;

/**
 * Whether a message may be sent with these capabilities (O-9): nothing if one of them grants it, else
 * `capability_violation` with the kind in its canonical form, as `attempted_kind`, and the sender's
 * capabilities.
 *
 * The complete kind is matched: if it leaves the context out, the name in the payload counts, for
 * requests and proposals alike. A response may leave out the method, which its payload does not
 * contain: `mcp.response.*` grants it, a pattern that specifies the method does not. No capability,
 * not even `*`, grants `system.*`.
 */
export function authorize(
  compiled: CompiledCapabilities,
  envelope: Authorizable,
): Refusal<'capability_violation'> | undefined {
  return check(compiled, envelope);
}

function check(
  compiled: CompiledCapabilities,
  envelope: Omit<Authorizable, 'to'> & Pick<Restricted, 'to'>,
): Refusal<'capability_violation'> | undefined {
  const kind = completeKind(envelope.kind, envelope.payload);
  const granted =
    isGranted(compiled, kind, envelope) ||
    (kind === BARE_RESPONSE && isGranted(compiled, RESPONSE_TO_ANY_METHOD, envelope));
  if (granted) return undefined;
  return refuse('capability_violation', `${quote(envelope.from)} may not send ${quote(kind)}.`, {
    attempted_kind: envelope.kind,
    your_capabilities: compiled.sources,
  });
}

/**
 * Whether there is anyone to whom a message may be sent: {@link authorize} without its recipients. Only for questions
 * about what someone could do; whatever is sent is checked with its recipients.
 */
export function authorizeToSome(
  compiled: CompiledCapabilities,
  message: Omit<Authorizable, 'to'>,
): Refusal<'capability_violation'> | undefined {
  return check(compiled, { ...message, to: 'some' });
}

/** Whether there is anyone for whom these capabilities let their holder decide, by messages of such a kind. */
export function mayDecideFor(compiled: CompiledCapabilities, kind: string): boolean {
  const start = DECIDING_FOR_OTHERS.find((each) => kind.startsWith(each)) ?? '';
  return candidates(compiled, kind)
    .flat()
    .some(({ kind: pattern }) => names(pattern.text, start) && matchKindPattern(pattern, splitKind(kind)));
}

/**
 * Whether a capability grants a message that is `*` or spells out its kind to the end: no pattern that was written for
 * something else.
 */
export function namesKind(
  compiled: CompiledCapabilities,
  { kind, ...message }: Omit<Authorizable, 'to'> & Pick<Restricted, 'to'>,
): boolean {
  return findGranting(compiled, kind, message, kind) !== undefined;
}

/**
 * False for kinds that let their sender decide for others, which cannot be granted (O-41). Takes a
 * kind or a pattern over kinds.
 */
export function isGrantable(kind: string): boolean {
  return !DECIDING_FOR_OTHERS.some((start) => kind.startsWith(start));
}

function names(pattern: string, start: string): boolean {
  return pattern === '*' || pattern.startsWith(start);
}

function isGranted(compiled: CompiledCapabilities, kind: string, message: Restricted): boolean {
  const known = grantedKinds(compiled);
  if (known.has(kind)) return true;
  const capability = findGranting(compiled, kind, message);
  if (capability === undefined) return false;
  if (capability.payload === undefined && capability.to === undefined && kind.length <= LONGEST_KEPT_KIND) {
    if (known.size === MAX_KEPT_KINDS) known.clear();
    known.add(kind);
  }
  return true;
}

// Kinds granted regardless of the rest of the message: the same few recur. Senders choose tool names, so the
// cache is limited.
const granted = new WeakMap<CompiledCapabilities, Set<string>>();
const MAX_KEPT_KINDS = 100;
const LONGEST_KEPT_KIND = 200;

function grantedKinds(compiled: CompiledCapabilities): Set<string> {
  const known = granted.get(compiled) ?? new Set();
  if (known.size === 0) granted.set(compiled, known);
  return known;
}

function findGranting(
  compiled: CompiledCapabilities,
  kind: string,
  message: Restricted,
  mustBeNamed = DECIDING_FOR_OTHERS.find((start) => kind.startsWith(start)),
): Capability | undefined {
  const parts = splitKind(kind);
  if (/^system(?:[./]|$)/.test(parts.levels)) return undefined;
  for (const some of candidates(compiled, kind)) {
    for (const capability of some) {
      const mayGrant = mustBeNamed === undefined || names(capability.kind.text, mustBeNamed);
      if (mayGrant && grants(capability, parts, message)) return capability;
    }
  }
  return undefined;
}

const ACTING = ['mcp.proposal.', 'mcp.request.'];

/**
 * Whether any of these capabilities lets its owner propose or call something, as opposed to
 * answering, announcing, deciding others' proposals, or chatting.
 */
export function mayAct(capabilities: Iterable<Capability>): boolean {
  for (const { kind } of capabilities) {
    const [beginning = ''] = kind.text.split('*', 1);
    const isWhole = beginning.length === kind.text.length;
    if (ACTING.some((acting) => beginning.startsWith(acting) || (!isWhole && acting.startsWith(beginning))))
      return true;
  }
  return false;
}

import { parseCapability } from '../../../capability/capability.js';
import { compileCapabilities } from '../../../capability/compiled-capabilities.js';
import type { Standing } from '../../context.js';
import type { ReviewEntry } from '../../review/policy.js';
import { createRandom, type Random } from './random.js';

/** Everybody who may decide. `phone` is bob's; `bot` is an agent. */
export const DECIDERS = ['ann', 'bob', 'phone', 'cleo', 'dora', 'bot'] as const;
export const PROPOSERS = ['agent', 'helper'] as const;

/** The person behind each name. The helper is a token of cleo's. */
export const PERSON: Readonly<Record<string, string>> = { phone: 'bob', helper: 'cleo' };
const ROLES: Readonly<Record<string, readonly string[]>> = { ann: ['boss'], dora: ['boss'] };
/** The agent works for ann. */
export const WORKS_FOR: Readonly<Record<string, string>> = { agent: 'ann' };

const all = parseCapability('*');
const CAPABILITIES = compileCapabilities(all.ok ? [all.value] : []);

export const personOf = (name: string): string => PERSON[name] ?? name;
export const rolesOf = (name: string): readonly string[] => ROLES[name] ?? [];

/** Whoever is asked for: everybody may do everything, so that only the policy stands in the way. */
export function standingOf(name: string): Standing {
  const roles = rolesOf(name);
  const worksFor = WORKS_FOR[name];
  return {
    capabilities: CAPABILITIES,
    ...(roles.length === 0 ? {} : { roles }),
    ...(PERSON[name] === undefined ? {} : { subject: personOf(name) }),
    ...(worksFor === undefined ? {} : { worksFor }),
  };
}

const policies = new Map<number, readonly [ReviewEntry]>();

/** One of a thousand policies: reading a policy takes longer than all that is decided by it in one history. */
export function policyFor(seed: number): readonly [ReviewEntry] {
  const which = seed % 1_000;
  const known = policies.get(which);
  if (known !== undefined) return known;
  const made = [randomEntry(createRandom(which))] as const;
  policies.set(which, made);
  return made;
}

/** A policy of one entry, with anything that an entry can say. */
function randomEntry(random: Random): ReviewEntry {
  const from = random.some([...DECIDERS, 'agent', 'role:boss']);
  return {
    name: 'writes',
    call: 'mcp.request.tools/call:write_*',
    proposers: [],
    approvals: 1 + random.below(3),
    from,
    veto: random.once(4),
    escalate: random.once(3)
      ? [{ after: 5_000 + random.below(10_000), to: random.once(4) ? [] : ['dora'] }]
      : [],
    ...(random.once(3) ? { notRequester: true } : {}),
    ...(random.once(2)
      ? { agents: { from: ['bot'], perHour: 1 + random.below(2), within: { size: { max: 5 } } } }
      : {}),
  };
}

import type { CapabilitySource } from '../../../capability/capability.js';
import type { ReviewEntry, ReviewPolicy } from '../../review/policy.js';
import { type SpaceSettings, spaceSettings } from '../../settings.js';
import type { Call } from './call.js';
import { DECIDERS, type Rights } from './cast.js';
import { createRandom, type Random } from './random.js';

/** A policy entry, and the calls it covers in terms that need no patterns. */
export interface Rule {
  readonly entry: ReviewEntry;
  readonly covers: (call: Call) => boolean;
}

/** The setup of a history. */
export interface Scenario {
  readonly rights: Rights;
  readonly rules: readonly Rule[];
  readonly settings: SpaceSettings;
}

export const COUNTER_ROUNDS = 4;
export const DEDUP_WINDOW = 600_000;

interface Shape {
  readonly call: CapabilitySource;
  readonly covers: (call: Call) => boolean;
}

const underEtc = { params: { arguments: { path: '/etc/**' } } };
const SHAPES: readonly Shape[] = [
  { call: 'mcp.request.tools/call:write_*', covers: ({ tool }) => tool.startsWith('write_') },
  { call: 'mcp.request.tools/call:pay', covers: ({ tool }) => tool === 'pay' },
  { call: 'mcp.request.tools/*', covers: () => true },
  {
    call: { kind: 'mcp.request.tools/call:write_file', payload: underEtc },
    covers: ({ tool, path }) => tool === 'write_file' && path.startsWith('/etc/'),
  },
  {
    call: { kind: 'mcp.request.tools/*', payload: underEtc },
    covers: ({ path }) => path.startsWith('/etc/'),
  },
];

const scenarios = new Map<number, Scenario>();
const HOW_MANY = 2_000;

/** One of two thousand: compiling a policy takes longer than all decisions of one history. */
export function scenarioFor(seed: number): Scenario {
  const which = seed % HOW_MANY;
  const known = scenarios.get(which);
  if (known !== undefined) return known;
  const made = randomScenario(createRandom(which * 7_919 + 1));
  scenarios.set(which, made);
  return made;
}

function randomScenario(random: Random): Scenario {
  const count = random.pick([0, 1, 1, 2, 2, 3, 4]);
  const rules = Array.from({ length: count }, (_, index) => randomRule(random, `e${index}`));
  const review: ReviewPolicy = rules.map(({ entry }) => entry);
  const settings = spaceSettings({
    name: 'main',
    answerTimeout: 60_000,
    counterRounds: COUNTER_ROUNDS,
    dedupWindow: DEDUP_WINDOW,
    selfFulfilment: random.once(4),
    ...(count === 0 ? {} : { review }),
  });
  return { rights: random.once(3) ? 'open' : 'narrow', rules, settings };
}

/** An entry with random values for everything it can contain. */
function randomRule(random: Random, name: string): Rule {
  const { call, covers } = random.pick(SHAPES);
  const entry: ReviewEntry = {
    name,
    call,
    proposers: random.pick([[], [], [], ['agent'], ['role:staff']]),
    approvals: random.pick([1, 1, 2, 2, 3]),
    from: random.once(4) ? [] : random.some([...DECIDERS, 'agent', 'role:boss']),
    veto: random.once(4),
    escalate: random.once(3) ? randomSteps(random) : [],
    ...(random.once(3) ? { notRequester: true } : {}),
    ...(random.once(2) ? { agents: randomLimits(random) } : {}),
  };
  return { entry, covers };
}

function randomSteps(random: Random): ReviewEntry['escalate'] {
  const first = { after: 5_000 + random.below(10_000), to: random.pick([['dora'], ['role:boss'], []]) };
  if (first.to.length === 0 || random.once(2)) return [first];
  return [first, { after: first.after + 5_000, to: random.pick([['cleo'], []]) }];
}

function randomLimits(random: Random): NonNullable<ReviewEntry['agents']> {
  return { from: ['bot'], perHour: 1 + random.below(2), within: { size: { max: 5 } } };
}

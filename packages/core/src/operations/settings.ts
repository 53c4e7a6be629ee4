import type { ReviewPolicy } from './review/policy.js';

/** What an operator sets for a space. Times are in milliseconds. */
export type SpaceSettings = {
  /** Lower-case letters, digits, `-` and `_`; starts with a letter or digit. */
  readonly name: string;
  /** The time to live of a proposal that names none; without it such a proposal does not expire. */
  readonly defaultTtl?: number;
  /** The longest time to live; a proposal that names none gets this one unless `defaultTtl` is set. */
  readonly maxTtl?: number;
  /** Whether a warning is sent before a proposal expires (O-36). */
  readonly expiryWarnings: boolean;
  /** How long an exclusive proposal without an `exclusive_timeout` is reserved. */
  readonly exclusiveTimeout: number;
  /** How long after a fulfilment the answer may take before the outcome counts as unknown (O-23). */
  readonly answerTimeout: number;
  /** How long an id is remembered (O-3). Ids of proposals are remembered for ever. */
  readonly dedupWindow: number;
  /** How many proposals one participant may have pending; unlimited if absent. */
  readonly maxPending?: number;
  /** Whether a proposer may fulfil its own proposal (O-24). */
  readonly selfFulfilment: boolean;
  /**
   * How arguments that do not match the announced schema are handled (O-39): refused, or marked for the
   * reviewer.
   */
  readonly arguments: 'refuse' | 'mark';
  /** The maximum number of counter-offers about one proposal (O-40). */
  readonly counterRounds: number;
  /** Which approvals which calls need (O-28). Absent: one approval by anyone who may make the request. */
  readonly review?: ReviewPolicy;
  /** Whether every approval has to be signed with a key (O-49). Default: where the review policy says so. */
  readonly signed?: boolean;
  /** `all`: everyone sees everything. `addressed`: see O-21. */
  readonly visibility: 'all' | 'addressed';
};

const DEFAULTS = {
  expiryWarnings: true,
  exclusiveTimeout: 30_000,
  answerTimeout: 600_000,
  dedupWindow: 600_000,
  selfFulfilment: false,
  arguments: 'refuse',
  counterRounds: 8,
  visibility: 'all',
} as const;

/** Settings with the defaults filled in: 30 s exclusive, 10 min for an answer, 10 min dedup window. */
export function spaceSettings(settings: Pick<SpaceSettings, 'name'> & Partial<SpaceSettings>): SpaceSettings {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...(Object.fromEntries(given) as typeof settings) };
}

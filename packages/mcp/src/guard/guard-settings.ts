import { type Clock, SYSTEM_CLOCK } from '@proffer/client/own-calls';
import type { CallFacts, RuleDecision } from '@proffer/steward';
import type { HoldTimes } from './client/index.js';
import type { RecordedDecisions } from './decisions/index.js';
import type { ServerSource } from './trust/index.js';

/** The settings of a guard. Times in milliseconds. */
export interface GuardSettings extends HoldTimes {
  /** The name of the server, for rules and for people. */
  readonly server: string;
  /**
   * What distinguishes the server from another of the same name, as `identityOfCommand` and `identityOfUrl`
   * compute it: what an earlier run left behind is only for the same server. Default: the name alone.
   */
  readonly identity: string;
  /** Where the server comes from, for people to judge. Default: its name. */
  readonly source: ServerSource;
  /** Whether the rules trust the server's hints about its tools. Default: they do not say, and people are asked once. */
  readonly hints: () => boolean | undefined;
  /** The rules: what may run, what is asked, what is denied. */
  readonly decide: (call: CallFacts) => RuleDecision;
  /** Whether it only watches now (O-50): asks nobody, holds and denies nothing. Default no. */
  readonly isWatching: () => boolean;
  /** How long a proposal may wait for a decision. */
  readonly ttl: number;
  /** How long a call waits for a departed caller to return. */
  readonly window: number;
  /** Which decisions of the rules go into the history of the space. */
  readonly recorded: RecordedDecisions;
  readonly clock: Clock;
  /** Called with each line for the operator. */
  readonly log: (line: string) => void;
}

const DEFAULTS = {
  identity: '',
  hints: () => undefined,
  isWatching: () => false,
  progressEvery: 10_000,
  holdFor: 50_000,
  ttl: 3_600_000,
  window: 120_000,
  recorded: 'all',
  clock: SYSTEM_CLOCK,
  log: () => {},
} as const;

/**
 * Settings with the defaults filled in: hold 50 s, progress every 10 s, an hour to decide, 2 min to return,
 * every rule decision recorded.
 */
export function guardSettings(
  given: Pick<GuardSettings, 'server' | 'decide'> & Partial<GuardSettings>,
): GuardSettings {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const source = { program: given.server };
  return { ...DEFAULTS, source, ...(Object.fromEntries(entries) as typeof given) };
}

import { setTimeout as delay } from 'node:timers/promises';
import { compileCapabilities } from '@proffer/core/capability';
import { defined } from '@proffer/core/json';
import {
  type RulesRecord,
  rulesDecider,
  rulesStream,
  type WrittenRights,
  type WrittenRules,
  writeRights,
} from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { Logger } from 'pino';
import { devRole, type GatewayConfig, type ParticipantConfig } from '../config/index.js';
import type { Authenticator } from '../door/index.js';
import { Entity } from '../host/index.js';
import { rightsByName } from '../operations/index.js';

/** Writes to the journal which rules are in force, so that each decision can be decided again by them. */
export interface RecordedRules {
  /** Records what is different now. What is decided from here on comes after that in the journal. */
  record(config: GatewayConfig): Promise<void>;
  close(): void;
}

export interface RecordedRulesOptions {
  readonly journal: Journal;
  readonly authenticator: Pick<Authenticator, 'named'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Pick<Logger, 'error'>;
}

type RulesEntity = Entity<WrittenRules | undefined, WrittenRules, RulesRecord, { readonly now: number }>;

/** The retry interval while the journal cannot be written, in milliseconds. */
const RETRY = 1_000;

/** Nothing is recorded before the first call. */
export function createRecordedRules({
  journal,
  authenticator,
  clock,
  log,
}: RecordedRulesOptions): RecordedRules {
  const closing = new AbortController();
  const { signal } = closing;
  const entities = new Map<string, RulesEntity>();
  /** The rules in force, by space: what could not be recorded at once may be outdated when it can. */
  const inForce = new Map<string, WrittenRules>();
  const entityOf = (space: string): RulesEntity => {
    const known = entities.get(space);
    if (known !== undefined) return known;
    const entity: RulesEntity = new Entity({ journal, stream: rulesStream(space), decider: rulesDecider });
    entities.set(space, entity);
    return entity;
  };

  async function recordIn(space: string, given: WrittenRules): Promise<void> {
    inForce.set(space, given);
    const entity = entityOf(space);
    while (!signal.aborted) {
      const rules = inForce.get(space) ?? given;
      // Appended within this call, so that it comes before what is decided after it.
      const outcome = await entity
        .submit(rules, () => ({ now: clock() }))
        .catch((error: unknown) => ({ status: 'failed', error }) as const);
      if (outcome.status !== 'refused' && outcome.status !== 'failed') return;
      log.error({ space, outcome }, 'the rules in force could not be recorded; trying again');
      await delay(RETRY, undefined, { signal }).catch(() => {});
    }
  }

  return {
    async record(config) {
      await Promise.all(
        Array.from(config.spaces.keys(), (space) => recordIn(space, rulesOf(config, space, authenticator))),
      );
    },
    close: () => closing.abort(),
  };
}

/** What decisions in a space depend on. */
function rulesOf(
  config: GatewayConfig,
  space: string,
  authenticator: Pick<Authenticator, 'named'>,
): WrittenRules {
  const names = [...config.participants.keys(), ...(config.dev ? ['human'] : [])].sort();
  const participants = names.flatMap((name) => {
    const rights = rightsByName(authenticator, name, space);
    return rights === undefined ? [] : [[name, writeRights(rights)] as const];
  });
  return {
    settings: {
      ...config.spaces.get(space),
      name: space,
      ...defined({ maxPending: config.limits.pendingProposalsPerParticipant }),
    } as WrittenRules['settings'],
    participants: Object.fromEntries(participants),
    ...defined({ others: othersIn(config, space) }),
  };
}

/** What somebody may do whom the configuration does not name: all that any claim of a token could add. */
function othersIn(config: GatewayConfig, space: string): WrittenRights | undefined {
  const stranger = config.dev ? devRole('', config.participants).participant : undefined;
  const { unlistedSubjects } = config;
  const known: readonly Pick<ParticipantConfig, 'spaces' | 'observer' | 'runsOwnCalls'>[] = [
    ...(stranger === undefined ? [] : [{ ...stranger, runsOwnCalls: true }]),
    ...(unlistedSubjects === undefined ? [] : [unlistedSubjects, ...unlistedSubjects.claims]),
  ].filter(({ spaces }) => spaces.has(space));
  if (known.length === 0) return undefined;
  const capabilities = known.flatMap(({ spaces }) => spaces.get(space) ?? []);
  return writeRights({
    capabilities: compileCapabilities(capabilities),
    isObserver: known.some(({ observer }) => observer),
    runsOwnCalls: known.some(({ runsOwnCalls }) => runsOwnCalls),
  });
}

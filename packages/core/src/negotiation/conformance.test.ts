import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/json.js';
import { DECISION_MODE } from './modes/decision/name.js';
import { DecisionProjection } from './modes/decision/projection.js';
import { PROPOSAL_MODE } from './modes/proposal/name.js';
import { ProposalProjection } from './modes/proposal/projection.js';
import { QUORUM_MODE } from './modes/quorum/name.js';
import { QuorumProjection } from './modes/quorum/projection.js';
import { lookUpIn, type PolicyRegistry, policyRegistry } from './policy/registry.js';
import { projectInto } from './projection/mode-projection.js';
import type { ProjectionOptions } from './projection/session-projection.js';
import { given, type Story, type StoryOutcome, sessionOf } from './testing/given.js';
import { inMode } from './testing/in-mode.js';
import { send, start } from './testing/steps.js';

interface Fixture {
  readonly mode: string;
  readonly initiator: string;
  readonly participants: readonly string[];
  readonly mode_version: string;
  readonly configuration_version: string;
  readonly policy_version: string;
  readonly ttl_ms: number;
  readonly messages: readonly FixtureMessage[];
  readonly expected_final_state: string;
  readonly expect_resolution_present: boolean;
  readonly expected_resolution?: JsonObject;
  readonly policy?: JsonObject;
  readonly expected_mode_state?: ModeState;
}

interface ModeState {
  readonly phase: string;
  readonly accepts?: Readonly<Record<string, string>>;
  readonly proposals?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly votes?: Readonly<Record<string, JsonObject>>;
}

interface FixtureMessage {
  readonly sender: string;
  readonly message_type: string;
  readonly payload: JsonObject;
  readonly expect: 'accept' | 'reject';
  readonly expected_error_code?: string;
}

const FOLDER = new URL('../../../../conformance/fixtures/macp/', import.meta.url);
const fixtures = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Fixture] as const);

/** The fixtures have bytes as lists of numbers; here they are base64. */
function inBase64(payload: JsonObject): JsonObject {
  const bytes = ['details', 'supporting_data'].filter((key) => Array.isArray(payload[key]));
  const encoded = bytes.map((key) => [key, Buffer.from(payload[key] as number[]).toString('base64')]);
  return { ...payload, ...Object.fromEntries(encoded) };
}

function begin({ initiator, participants, mode, mode_version, policy, ...fixture }: Fixture): Story {
  const { configuration_version, policy_version, ttl_ms } = fixture;
  const binding = { participants, mode_version, configuration_version, policy_version, ttl_ms };
  return given({ ...inMode(mode, start(binding, initiator)), policies: lookUpIn(register(policy)) });
}

function register(policy: JsonObject | undefined): PolicyRegistry {
  const { initial, decide, evolve } = policyRegistry;
  if (policy === undefined) return initial;
  const descriptor = { ...policy, rules: JSON.stringify(policy['rules']) };
  const { records = [], refused } = decide(
    initial,
    { type: 'register', principal: 'operator', descriptor },
    { now: 1 },
  );
  if (refused !== undefined) throw new Error(refused.message);
  return records.reduce(evolve, initial);
}

function say(story: Story, mode: string, message: FixtureMessage): StoryOutcome {
  const { sender, message_type, payload, ...expected } = message;
  const outcome = story.when(inMode(mode, send(sender, message_type, inBase64(payload))));
  expect([message, outcome.result]).toEqual([
    message,
    expected.expect === 'accept' ? 'accepted' : expected.expected_error_code,
  ]);
  return outcome;
}

/** What the fixtures of each mode say about its state. */
const CHECKS: Readonly<
  Record<string, (options: ProjectionOptions, check: ModeState | undefined) => Checked>
> = {
  [PROPOSAL_MODE]: (options, expected) => {
    const projection = new ProposalProjection(options);
    return {
      projection,
      check() {
        const { phase, accepts = {}, proposals = {} } = expected ?? { phase: projection.phase };
        expect(projection.phase).toBe(phase);
        expect([...projection.accepts].map(([sender, { proposalId }]) => [sender, proposalId])).toEqual(
          Object.entries(accepts),
        );
        for (const [id, { proposer, disposition }] of Object.entries(proposals)) {
          expect(projection.proposals.get(id)).toMatchObject({
            proposer,
            disposition: disposition?.toLowerCase(),
          });
        }
      },
    };
  },
  [DECISION_MODE]: (options, expected) => {
    const projection = new DecisionProjection(options);
    return {
      projection,
      check() {
        const { phase, proposals = {}, votes = {} } = expected ?? { phase: projection.phase };
        expect(projection.phase).toBe(phase);
        expect([...projection.proposals.keys()]).toEqual(Object.keys(proposals));
        const cast = Array.from(projection.votes, ([id, byVoter]) => [
          id,
          Object.fromEntries(Array.from(byVoter, ([voter, { vote }]) => [voter, { vote }])),
        ]);
        expect(Object.fromEntries(cast)).toEqual(votes);
      },
    };
  },
  [QUORUM_MODE]: (options) => {
    const projection = new QuorumProjection(options);
    return { projection, check: () => expect(projection.request?.requestId).toBe('r1') };
  },
};

interface Checked {
  readonly projection: ProposalProjection | DecisionProjection | QuorumProjection;
  check(): void;
}

describe('conformance fixtures', () => {
  it('N-12: exist', () => expect(fixtures.length).toBeGreaterThanOrEqual(2));

  it.each(fixtures)('N-10, N-12, N-14, N-15, N-16, N-17, N-18: %s', (_, fixture) => {
    let story = begin(fixture);
    for (const message of fixture.messages) story = say(story, fixture.mode, message);
    const session = sessionOf(story);
    expect(session.status).toBe(fixture.expected_final_state.toUpperCase());

    const { rules } = session.terms;
    const checked = CHECKS[fixture.mode]?.({ rules }, fixture.expected_mode_state);
    if (checked === undefined) throw new Error(`No check for ${fixture.mode}.`);
    const { projection } = checked;
    const projected = projectInto(
      projection,
      story.records.map(({ envelope }) => envelope),
    );
    expect(projected).toMatchObject({ ok: true });
    checked.check();
    expect(projection.isCommitted).toBe(fixture.expect_resolution_present);
    expect(projection.commitment ?? {}).toMatchObject(fixture.expected_resolution ?? {});
  });
});

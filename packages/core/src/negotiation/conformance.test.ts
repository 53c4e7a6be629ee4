import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/json.js';
import { projectNegotiation } from './modes/proposal/projection.js';
import { given, type Story, type StoryOutcome, sessionOf } from './testing/given.js';
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
  readonly expected_mode_state: {
    readonly phase: string;
    readonly accepts?: Readonly<Record<string, string>>;
    readonly proposals?: Readonly<
      Record<string, { readonly proposer: string; readonly disposition: string }>
    >;
  };
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
  const { details } = payload;
  if (!Array.isArray(details)) return payload;
  return { ...payload, details: Buffer.from(details as number[]).toString('base64') };
}

function begin({ initiator, participants, mode_version, ...fixture }: Fixture): Story {
  const { configuration_version, policy_version, ttl_ms } = fixture;
  const binding = { participants, mode_version, configuration_version, policy_version, ttl_ms };
  return given(start(binding, initiator));
}

function say(story: Story, { sender, message_type, payload, ...expected }: FixtureMessage): StoryOutcome {
  const outcome = story.when(send(sender, message_type, inBase64(payload)));
  expect(outcome.result).toBe(expected.expect === 'accept' ? 'accepted' : expected.expected_error_code);
  return outcome;
}

describe('conformance fixtures', () => {
  it('N-12: exist', () => expect(fixtures.length).toBeGreaterThanOrEqual(2));

  it.each(fixtures)('N-10, N-12: %s', (_, fixture) => {
    let story = begin(fixture);
    for (const message of fixture.messages) story = say(story, message);
    const session = sessionOf(story);
    expect(session.status).toBe(fixture.expected_final_state.toUpperCase());

    const projected = projectNegotiation(story.records.map(({ envelope }) => envelope));
    if (!projected.ok) throw new Error(projected.refusal.message);
    const projection = projected.value;
    const { phase, accepts = {}, proposals = {} } = fixture.expected_mode_state;
    expect(projection.phase).toBe(phase);
    expect(projection.isCommitted).toBe(fixture.expect_resolution_present);
    expect(projection.commitment ?? {}).toMatchObject(fixture.expected_resolution ?? {});
    expect([...projection.accepts].map(([sender, { proposalId }]) => [sender, proposalId])).toEqual(
      Object.entries(accepts),
    );
    for (const [id, { proposer, disposition }] of Object.entries(proposals)) {
      expect(projection.proposals.get(id)).toMatchObject({
        proposer,
        disposition: disposition.toLowerCase(),
      });
    }
  });
});

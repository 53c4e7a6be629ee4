import { readFileSync, writeFileSync } from 'node:fs';
import { type Envelope, PROTOCOL, sha256, success } from '@proffer/core';
import { compileCapabilities, parseCapability } from '@proffer/core/capability';
import { canonicalJson, type JsonObject } from '@proffer/core/json';
import {
  encodeSession,
  lookUpIn,
  policyRegistry,
  type Session,
  sessionDecider,
} from '@proffer/core/negotiation';
import {
  decideInSpace,
  emptySpace,
  evolveSpace,
  type ParticipantRights,
  type SpaceState,
  spaceSettings,
  viewSpace,
} from '@proffer/core/operations';
import { expect, it } from 'vitest';
import { startPayload } from '../testing/macp.js';
import { answer, chat, fulfilment, proposal, rejection } from '../testing/messages.js';
import { createDraft, MADE_BY, readSnapshot, STATE_FORMAT } from './snapshots.js';

/** A snapshot in this format. With PROFFER_WRITE set, the test writes it. */
const FIXTURE = new URL(`./state-${STATE_FORMAT}.fixture`, import.meta.url);

const SETTINGS = spaceSettings({ name: 'main' });

/** A space with one of everything that is stored. */
function someSpace(): SpaceState {
  let now = 1_700_000_000_000;
  let space = emptySpace(SETTINGS);
  const say = (from: string, message: object, sender?: ParticipantRights): void => {
    now += 1_000;
    const envelope = { protocol: PROTOCOL, ts: '2026-01-01T00:00:00Z', from, ...message } as Envelope;
    const newKey = { id: 'k1', type: 'ed25519', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'k1' } } as const;
    const context = { now, isPresent: () => true, newToken: success(sha256('code')), newKey, sender };
    const decision = decideInSpace(space, envelope, context);
    if (decision.appends === undefined) throw new Error(JSON.stringify(decision));
    for (const { records } of decision.appends) space = records.reduce(evolveSpace, space);
  };
  const remark = (id: string, kind: string, about: string, payload: JsonObject) => ({
    id,
    kind,
    correlationId: about,
    payload,
  });
  const until = new Date(now + 3_600_000).toISOString();
  const params = { name: 'write_file', arguments: { path: '/b' } };
  say('tools', { id: 'n1', kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'write_file' }] } });
  say('reviewer', { id: 'k0', kind: 'mcpx.allow.key', payload: { participant: 'tools' } });
  const ed25519 = { key: 'k1', signature: 'x' };
  say('tools', { id: 'k1', kind: 'mcpx.register.key', payload: { at: now, ed25519, code: 'code' } });
  say('reviewer', { id: 'k2', kind: 'mcpx.allow.key', payload: { participant: 'tools' } });
  say('agent', chat('c1'));
  say('agent', {
    id: 'l1',
    kind: 'mcp.request.tools/list',
    to: ['lister'],
    payload: { method: 'tools/list' },
  });
  say('agent', proposal('p1', { ttl: 600_000, origin: { client: 'x', session: 's' }, executor: 'tools' }));
  say('reviewer', rejection('r1', 'p1'));
  say('tools', remark('s1', 'mcpx.status.proposal', 'p1', { status: 'queued', message: 'soon' }));
  say('reviewer', remark('o1', 'mcpx.counter.proposal', 'p1', { params, reason: 'there' }));
  say('agent', proposal('p2', { targeting: { preferred: ['reviewer'], exclusive: true } }));
  say('agent', proposal('p3', { depends_on: ['p1'] }));
  say('reviewer', fulfilment('f2', 'p2'));
  say('agent', proposal('p4'));
  say('reviewer', fulfilment('f4', 'p4'));
  say('tools', answer('a4', 'f4'));
  say('reviewer', { id: 'd2', kind: 'mcpx.delegate.review', payload: { to: 'deputy', until } });
  say('reviewer', { id: 'x1', kind: 'mcpx.pause.approvals', payload: { reason: 'lunch' } });
  // By one who may, as the others' rights do not matter here.
  const everything = parseCapability('*');
  const rights = { capabilities: compileCapabilities(everything.ok ? [everything.value] : []) };
  say(
    'reviewer',
    { id: 'x2', kind: 'participant.pause', to: ['tools'], payload: { reason: 'lunch' } },
    rights,
  );
  return space;
}

/** An open session with some messages. */
function someSession(): Session {
  let session = sessionDecider.initial;
  const say = (message_type: string, payload: JsonObject): void => {
    const caller = { name: 'buyer', mayStartSessions: true };
    const envelope = {
      macp_version: '1.0',
      mode: 'macp.mode.proposal.v1',
      message_type,
      message_id: message_type,
      session_id: '00000000-0000-4000-8000-000000000001',
      sender: 'buyer',
      timestamp_unix_ms: 0,
      payload,
    };
    const command = { type: 'send', caller, envelope } as const;
    const context = { now: 1_700_000_000_000, policies: lookUpIn(policyRegistry.initial) };
    const decision = sessionDecider.decide(session, command, context);
    if (decision.records === undefined) throw new Error(JSON.stringify(decision));
    for (const record of decision.records) session = sessionDecider.evolve(session, record);
  };
  say('SessionStart', startPayload());
  say('Proposal', { proposal_id: 'p1' });
  return session as Session;
}

/** The fields of a state, including those without a value here. */
function fieldsOf(space: SpaceState, session: Session): string {
  const [proposal] = space.proposals.values();
  const [participant] = space.participants.values();
  const fields = [space, proposal, participant, session].map((each) => Object.keys(each ?? {}).sort());
  return JSON.stringify(fields);
}

it('I-3: the state is written as STATE_FORMAT says; if this fails, raise that and write another fixture', async () => {
  const [space, session] = [someSpace(), someSession()];
  const draft = createDraft();
  draft.addSpace(space);
  draft.addSessions([session]);
  const [by, ...lines] = [...draft.pieces()].join('').split('\n');
  expect(by).toBe(JSON.stringify(['by', MADE_BY]));
  const written = [fieldsOf(space, session), ...lines].join('\n');
  if (process.env['PROFFER_WRITE'] !== undefined) writeFileSync(FIXTURE, written);
  const fixture = readFileSync(FIXTURE, 'utf8');
  expect(written).toBe(fixture);

  async function* pieces(): AsyncGenerator<string> {
    yield [by, ...fixture.split('\n').slice(1)].join('\n');
  }
  const journal = { headNow: () => ({ removed: 0 }) } as never;
  const restored = await readSnapshot({ seq: 1, pieces }, { journal, spaces: [SETTINGS] });
  const known = restored.spaces.get('main') as SpaceState;
  expect(known.proposals.size).toBe(3);
  const { proposals: of, ...rest } = viewSpace(known);
  const { proposals: all, ...same } = viewSpace(space);
  expect(Object.keys(of as object)).toEqual(Object.keys(all as object).filter((id) => id !== 'p4'));
  // A finished proposal is still found by its fulfilment.
  expect(rest).toEqual({ ...same, fulfilments: { f2: 'p2' }, past: expect.anything() });
  expect(canonicalJson(restored.sessions.map(encodeSession))).toBe(canonicalJson([encodeSession(session)]));
});

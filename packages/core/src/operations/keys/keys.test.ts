import { describe, expect, it } from 'vitest';
import { sha256 } from '../../hash/sha256.js';
import type { JsonObject } from '../../json/json.js';
import { definitionDigest } from '../review/shown-version.js';
import { decodeSpace, encodeSpace } from '../snapshot/index.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { entry } from '../testing/reviewed.js';
import {
  accept,
  announce,
  answer,
  approve,
  counter,
  createWorld,
  fulfil,
  grant,
  message,
  propose,
  reject,
  type World,
} from '../testing/world.js';
import { type Assertion, SIGNATURE_AGE } from './check-assertion.js';
import { keysInForce, MAX_KEYS, type NewKey } from './key.js';
import { decisionDigest, newKeyDigest, type SignedDecision, signingChallenge } from './signed-decision.js';

const CODE = 'abcd-efgh';
const DAY = 24 * 3_600_000;

/** A key that signs what any host can check again: its signature is a hash of the challenge and its id. */
const keyNamed = (id: string): NewKey => ({
  id,
  type: 'ed25519',
  jwk: { kty: 'OKP', crv: 'Ed25519', x: id },
});
const scrawl = (id: string, challenge: string): string => sha256(`${id} ${challenge}`);

function sign(key: string, at: number, ...digests: readonly string[]): Assertion {
  const content = { at, digests };
  return { key, ...content, signature: scrawl(key, signingChallenge(content)) };
}

const SIGNED = [entry({ approvals: 1, from: [], signed: true })];

function world(settings: Parameters<typeof createWorld>[1] = { review: SIGNED }): World {
  const made = createWorld(['agent', 'reviewer', 'tools', 'boss', 'bob'], settings);
  made.capabilities.set('boss', ['*']);
  made.capabilities.set('bob', ['mcp.request.*', 'mcpx.*', 'mcpx.approve.proposal']);
  made.checkAssertion = ({ key, signature }, _, challenge) =>
    signature === scrawl(key, challenge) ? undefined : 'the key did not sign this';
  made.send(announce('a1', 'tools', ['write_file']));
  return made;
}

function allow(at: World, who: string, from = 'boss') {
  at.newToken = sha256(CODE);
  return at.take(message(from, `allow-${at.records.length}`, 'mcpx.allow.key', { participant: who }));
}

function register(at: World, who: string, key: string, payload: JsonObject = { code: CODE }) {
  at.newKey = keyNamed(key);
  const ed25519 = { key, signature: 'x' };
  const sent = { at: at.now, ed25519, ...payload };
  return at.send(message(who, `register-${at.records.length}`, 'mcpx.register.key', sent));
}

const revoke = (at: World, who: string, key: string, payload: JsonObject = {}) =>
  at.take(message(who, `revoke-${at.records.length}`, 'mcpx.unregister.key', { key, ...payload }));

/** The reviewer with a key. */
function withKey(settings?: Parameters<typeof createWorld>[1]): World {
  const made = world(settings);
  allow(made, 'reviewer');
  register(made, 'reviewer', 'k1');
  return made;
}

const code = (decision: ReturnType<World['send']>) => decision.refused?.code;
const why = (decision: ReturnType<World['send']>) => decision.refused?.details['why'];

/** What has to be signed, as the gateway says. */
function asked(at: World, proposal: string, from = 'reviewer'): SignedDecision {
  const refused = at.send(approve('asked', proposal, { from })).refused;
  return refused?.details['decision'] as SignedDecision;
}

function signedApproval(id: string, proposal: string, signature: JsonObject, from = 'reviewer') {
  const plain = approve(id, proposal, { from });
  return { ...plain, payload: { ...plain.payload, signature } };
}

describe('keys', () => {
  it('O-49: the first needs a code from an operator, which counts once and for its time', () => {
    const at = world();
    expect(code(register(at, 'reviewer', 'k1', {}))).toBe('key_not_allowed');
    expect(code(allow(at, 'reviewer', 'bob'))).toBe('capability_violation');
    expect(code(allow(at, 'nobody'))).toBe('participant_not_found');
    expect(at.types(allow(at, 'reviewer'))).toEqual(['key_allowed']);
    expect(code(register(at, 'reviewer', 'k1', { code: 'wrong' }))).toBe('key_not_allowed');
    expect(code(register(at, 'bob', 'k1'))).toBe('key_not_allowed');
    expect(at.types(register(at, 'reviewer', 'k1'))).toEqual(['key_registered']);
    expect(keysInForce(at.space, 'reviewer')).toMatchObject([{ id: 'k1', vouched: { code: 'boss' } }]);
    expect(code(register(at, 'reviewer', 'k2'))).toBe('key_not_allowed');
    allow(at, 'reviewer');
    at.now += DAY;
    expect(code(register(at, 'reviewer', 'k2'))).toBe('key_not_allowed');
  });

  it('O-49, O-52: the code of an operator that was removed since is void, also once it is back', () => {
    const at = world();
    allow(at, 'reviewer');
    at.capabilities.set('chief', ['*']);
    at.people.set('boss', { isConfigured: true });
    at.take(message('chief', 'kick', 'mcpx.kick.participant', { participant: 'boss' }));
    expect(code(register(at, 'reviewer', 'k1'))).toBe('key_not_allowed');
    at.now++;
    at.take(message('chief', 'back', 'mcpx.invite.participant', { participant: 'boss' }));
    expect(code(register(at, 'reviewer', 'k1'))).toBe('key_not_allowed');
    allow(at, 'reviewer');
    expect(at.types(register(at, 'reviewer', 'k1'))).toEqual(['key_registered']);
  });

  it('O-49: a later one needs the signature of an earlier one, over just that key', () => {
    const at = withKey();
    const digestOf = (key: string, participant = 'reviewer') =>
      newKeyDigest({ space: 'main', participant, key });
    const by = (digest: string) => ({ signature: sign('k1', at.now, digest) });
    expect(why(register(at, 'reviewer', 'k2', by(digestOf('k3'))))).toBe('other_decision');
    expect(why(register(at, 'bob', 'k2', by(digestOf('k2', 'bob'))))).toBe('unknown_key');
    expect(at.types(register(at, 'reviewer', 'k2', by(digestOf('k2'))))).toEqual(['key_registered']);
    expect(keysInForce(at.space, 'reviewer').map(({ vouched }) => vouched)).toEqual([
      { code: 'boss' },
      { key: 'k1' },
    ]);
    expect(code(register(at, 'reviewer', 'k2', by(digestOf('k2'))))).toBe('key_exists');
    allow(at, 'bob');
    expect(code(register(at, 'bob', 'k2'))).toBe('key_exists');
    for (let count = 2; count < MAX_KEYS; count++)
      register(at, 'reviewer', `more${count}`, by(digestOf(`more${count}`)));
    expect(code(register(at, 'reviewer', 'last', by(digestOf('last'))))).toBe('too_many_keys');
  });

  it('O-49: are revoked by their owner or an operator, at once; a kick and a new invitation end them', () => {
    const at = withKey();
    allow(at, 'bob');
    register(at, 'bob', 'kb');
    expect(code(revoke(at, 'bob', 'k1', { participant: 'reviewer' }))).toBe('capability_violation');
    expect(code(revoke(at, 'bob', 'k1'))).toBe('unknown_key');
    at.capabilities.set('bob', ['mcpx.unregister.key', { kind: 'mcpx.allow.key', to: ['agent'] }]);
    expect(code(revoke(at, 'bob', 'k1', { participant: 'reviewer' }))).toBe('capability_violation');
    at.capabilities.set('bob', ['mcpx.unregister.key', { kind: 'mcpx.allow.key', to: ['reviewer'] }]);
    expect(at.types(revoke(at, 'bob', 'k1', { participant: 'reviewer' }))).toEqual(['key_revoked']);
    expect(at.types(revoke(at, 'bob', 'kb'))).toEqual(['key_revoked']);
    expect(keysInForce(at.space, 'reviewer')).toEqual([]);
    allow(at, 'bob');
    register(at, 'bob', 'kb2');
    at.take(message('boss', 'kick', 'mcpx.kick.participant', { participant: 'bob' }));
    expect(keysInForce(at.space, 'bob')).toEqual([]);
  });
});

describe('a signed approval', () => {
  it('O-49: counts with a signature of the whole decision, and its record says by which key', () => {
    const at = withKey();
    at.send(propose('p1'));
    expect(code(at.send(approve('f1', 'p1')))).toBe('signature_required');
    expect(code(at.send(fulfil('f1', 'p1')))).toBe('signature_required');
    const decision = asked(at, 'p1');
    expect(decision).toEqual({
      space: 'main',
      proposal: 'p1',
      verdict: 'approve',
      by: 'reviewer',
      call: at.proposal('p1').digest,
      runBy: ['tools'],
      definition: definitionDigest({ name: 'write_file' }),
    });
    const signature = sign('k1', at.now, decisionDigest(decision));
    expect(at.types(at.send(signedApproval('f1', 'p1', signature)))).toEqual(['approved', 'fulfilled']);
    const { key, at: time } = signature;
    expect(at.records.find(({ type }) => type === 'approved')?.facts).toMatchObject({
      signed: { key, at: time, definition: decision.definition },
    });
  });

  it.each(['space', 'proposal', 'verdict', 'by', 'call', 'runBy', 'definition'] as const)(
    'O-49: does not count with a signature of another %s',
    (field) => {
      const at = withKey();
      at.send(propose('p1'));
      const decision = asked(at, 'p1');
      const other = { ...decision, [field]: field === 'runBy' ? ['other'] : 'other' };
      const signature = sign('k1', at.now, decisionDigest(other));
      const decided = at.send(signedApproval('f1', 'p1', signature));
      expect([code(decided), why(decided)]).toEqual(['signature_invalid', 'other_decision']);
    },
  );

  it('O-49: does not count with a key that is revoked, of somebody else or unknown, nor with a stale or false signature', () => {
    const at = withKey();
    allow(at, 'bob');
    register(at, 'bob', 'kb');
    at.send(propose('p1'));
    const digest = decisionDigest(asked(at, 'p1'));
    const tried = (signature: JsonObject) => why(at.send(signedApproval('f1', 'p1', signature)));
    expect(tried(sign('kb', at.now, digest))).toBe('unknown_key');
    expect(tried(sign('k1', at.now - SIGNATURE_AGE - 1, digest))).toBe('stale');
    expect(tried(sign('k1', at.now + 60_001, digest))).toBe('stale');
    expect(tried({ ...sign('k1', at.now, digest), at: at.now - 1 })).toBe('false');
    revoke(at, 'reviewer', 'k1');
    expect(tried(sign('k1', at.now, digest))).toBe('revoked_key');
  });

  it('O-49: counts once, for one proposal, also after the approval was taken back', () => {
    const at = withKey({ review: [entry({ from: [], signed: true })] });
    at.send(propose('p1'));
    at.send(propose('p2'));
    const signature = sign('k1', at.now, decisionDigest(asked(at, 'p1')));
    expect(why(at.send(signedApproval('f0', 'p2', signature)))).toBe('other_decision');
    expect(at.types(at.send(signedApproval('f1', 'p1', signature)))).toEqual(['approved']);
    at.send(message('reviewer', 'back', 'mcpx.approve.proposal', { revoke: true }, { correlationId: 'p1' }));
    expect(why(at.send(signedApproval('f2', 'p1', signature)))).toBe('replayed');
    at.now += 1;
    const again = sign('k1', at.now, ...signature.digests);
    expect(at.types(at.send(signedApproval('f3', 'p1', again)))).toEqual(['approved']);
  });

  it('O-28, O-49: is the only one that counts once the policy demands signatures', () => {
    const at = withKey({ review: [entry({ from: [] })] });
    at.send(propose('p1'));
    expect(at.types(at.send(approve('f1', 'p1', { from: 'boss' })))).toEqual(['approved']);
    at.configure({ review: [entry({ from: [], signed: true })] });
    const signature = sign('k1', at.now, decisionDigest(asked(at, 'p1')));
    expect(at.types(at.send(signedApproval('f2', 'p1', signature)))).toEqual(['approved']);
    expect(at.proposal('p1').phase).toBe('pending');
  });

  /** The tool is announced again, and now does something else. */
  const replaceTool = (at: World) =>
    at.send(
      message('tools', 'a2', 'mcpx.announce.tools', { tools: [{ name: 'write_file', description: 'new' }] }),
    );

  it('O-28, O-49: does not count for a tool that was announced differently since', () => {
    const at = withKey({ review: [entry({ approvals: 2, from: [], signed: true })] });
    allow(at, 'bob');
    register(at, 'bob', 'kb');
    at.send(propose('p1'));
    const signed = (id: string, key: string, from: string) =>
      at.types(
        at.send(signedApproval(id, 'p1', sign(key, at.now, decisionDigest(asked(at, 'p1', from))), from)),
      );
    expect(signed('f1', 'k1', 'reviewer')).toEqual(['approved']);
    replaceTool(at);
    expect(signed('f2', 'kb', 'bob')).toEqual(['approved']);
    expect(at.proposal('p1').phase).toBe('pending');
    at.now++;
    expect(signed('f3', 'k1', 'reviewer')).toEqual(['approved', 'fulfilled']);
  });

  it.each([
    ['the same', 'fulfilled', () => {}],
    ['another', 'declined', replaceTool],
  ] as const)('O-37, O-49: that waited for others runs only if the tool is %s', (_, phase, change) => {
    const at = withKey();
    at.send(propose('p1'));
    at.send(propose('p2', { depends_on: ['p1'] }));
    const approveSigned = (id: string) =>
      at.send(signedApproval(`f-${id}`, id, sign('k1', at.now, decisionDigest(asked(at, id)))));
    expect(at.types(approveSigned('p2'))).toEqual(['approved']);
    approveSigned('p1');
    change(at);
    at.send(answer('x1', at.proposal('p1').fulfilment?.request ?? '', { result: {} }));
    expect(at.proposal('p2').phase).toBe(phase);
  });

  it('O-35, O-49: one signature covers all decisions of a batch', () => {
    const at = withKey();
    for (const id of ['p1', 'p2', 'p3']) at.send(propose(id));
    const digests = ['p1', 'p2', 'p3'].map((id) => decisionDigest(asked(at, id)));
    const signature = sign('k1', at.now, ...digests);
    for (const id of ['p1', 'p2', 'p3'])
      expect(at.types(at.send(signedApproval(`f-${id}`, id, signature)))).toContain('fulfilled');
  });

  it('O-49: is demanded by a space for every approval, and for none by others; rejecting needs no key', () => {
    const at = withKey({ signed: true });
    at.send(propose('p1'));
    expect(code(at.send(fulfil('f1', 'p1')))).toBe('signature_required');
    expect(at.types(at.send(reject('r1', 'p1')))).toContain('rejected');
  });

  it('O-49: that nobody demands is checked all the same', () => {
    const at = withKey({});
    at.send(propose('p1'));
    const wrong = sign('k1', at.now, `sha256:${'0'.repeat(64)}`);
    expect(why(at.send(signedApproval('f1', 'p1', wrong)))).toBe('other_decision');
    expect(at.types(at.send(approve('f2', 'p1')))).toContain('fulfilled');
  });

  it('O-28, O-40, O-41, O-49: is not replaced by a request without a proposal, a grant, or an accepted counter-offer', () => {
    const at = withKey();
    const request = { ...fulfil('f1', 'p1'), from: 'reviewer' };
    const { correlationId: _none, ...alone } = request;
    expect(code(at.send(alone))).toBe('approval_required');
    const space = withKey({ signed: true });
    space.take(grant('g1', ['mcp.request.tools/call:write_*'], { ttl: DAY }));
    space.send(propose('p1'));
    expect(space.proposal('p1').phase).toBe('pending');
    const params = { name: 'write_file', arguments: { path: '/tmp/a', text: 'hello' } };
    const call = { method: 'tools/call', params };
    const own = message('agent', 'm1', 'mcp.request.tools/call', call, { to: ['tools'] });
    expect(code(space.take(own))).toBe('approval_required');
    const both = withKey({ review: [entry({ approvals: 1, from: [] })], signed: true });
    expect(code(both.send({ ...own, from: 'reviewer' }))).toBe('approval_required');
    at.send(propose('p2'));
    at.send(counter('c1', 'p2'));
    expect(code(at.send(accept('x1', 'c1')))).toBe('signature_required');
  });

  it('I-3, O-49: replay and snapshots know the keys, and which signatures were used', () => {
    const at = withKey();
    at.send(propose('p1'));
    at.send(signedApproval('f1', 'p1', sign('k1', at.now, decisionDigest(asked(at, 'p1')))));
    revoke(at, 'reviewer', 'k1');
    allow(at, 'reviewer');
    const replayed = at.records.reduce(evolveSpace, emptySpace(at.space.settings));
    expect(viewSpace(replayed)).toEqual(viewSpace(at.space));
    const decoder = decodeSpace(at.space.settings, () => false);
    for (const part of encodeSpace(at.space)) decoder.take(JSON.parse(JSON.stringify(part)));
    const decoded = decoder.end();
    expect(decoded.participants.get('reviewer')?.ring).toEqual(at.space.participants.get('reviewer')?.ring);
    expect(decoded.proposals.get('p1')?.signatures).toMatchObject([{ key: 'k1' }]);
  });
});

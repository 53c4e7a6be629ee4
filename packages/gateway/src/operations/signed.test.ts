import { generateKeyPairSync, sign } from 'node:crypto';
import { type JsonObject, objectOf, textOf } from '@proffer/core/json';
import {
  decisionDigest,
  registrationChallenge,
  type SignedDecision,
  signingChallenge,
} from '@proffer/core/operations';
import { describe, expect, it } from 'vitest';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { call } from '../testing/messages.js';
import { type Answer, ask } from '../testing/peers/http.js';
import { connectPeer } from '../testing/peers/peer.js';
import { onTwoGateways } from '../testing/places.js';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.js';

const SIGNED = `
dev: true
spaces:
  main:
    review: [{ call: "mcp.request.tools/call:write_*", signed: true }]
`;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** What somebody does over HTTP, with a key of their own. */
function person(http: string, name: string, space = 'main') {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const id = String(publicKey.export({ format: 'jwk' })['x']);
  const write = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64url');
  const post = (path: string, body: JsonObject = {}): Promise<Answer> =>
    ask(`${http}/spaces/${space}${path}`, name, { method: 'POST', body: JSON.stringify(body) });
  return {
    id,
    post,
    register(more: JsonObject, at = Date.now(), key = id) {
      const signature = write(registrationChallenge({ space, participant: name, at }));
      return post('/keys', { at, ed25519: { key, signature }, ...more });
    },
    sign(...decisions: readonly SignedDecision[]) {
      const content = { at: Date.now(), digests: decisions.map((each) => decisionDigest(each)) };
      return { key: id, ...content, signature: write(signingChallenge(content)) };
    },
  };
}

const TOOLS = { id: 'n1', kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'write_file' }] } };

const codeIn = ({ body }: Answer): string => textOf(objectOf(body['key_code'])['code']);
const decisionIn = ({ body }: Answer): SignedDecision =>
  (body['details'] as JsonObject)['decision'] as SignedDecision;
const whyIn = ({ body }: Answer): unknown => (body['details'] as JsonObject | undefined)?.['why'];

async function proposed(
  { http }: Pick<TestGateway, 'http'>,
  space?: string,
): Promise<{ id: string; digest: string }> {
  const { params } = call();
  const { body } = await person(http, 'agent', space).post('/proposals', {
    tool: params.name,
    arguments: params.arguments,
  });
  const view = body['proposal'] as JsonObject;
  return { id: textOf(view['id']), digest: textOf(view['digest']) };
}

describe('signed approvals', () => {
  it('O-49: run the call with a key that an operator let register, and only with that', async () => {
    await using gateway = await startTestGateway(SIGNED);
    await using tools = await connectPeer(gateway.ws, 'tools');
    await tools.say(TOOLS);
    const reviewer = person(gateway.http, 'reviewer');
    const thief = person(gateway.http, 'reviewer');
    expect(await reviewer.register({})).toMatchObject({ status: 403, code: 'key_not_allowed' });
    const code = codeIn(await reviewer.post('/keys/codes', { participant: 'reviewer' }));
    expect(await reviewer.register({ code, label: 'laptop' })).toMatchObject({ status: 200 });
    expect(await thief.register({ code })).toMatchObject({ code: 'key_not_allowed' });
    const { id, digest } = await proposed(gateway);
    const shown = await ask(`${gateway.http}/spaces/main/proposals/${id}`, 'reviewer');
    expect(shown.body).toMatchObject({ proposal: { signed: true } });
    const unsigned = await reviewer.post(`/proposals/${id}/approve`, { digest });
    expect(unsigned).toMatchObject({ status: 403, code: 'signature_required' });
    const decision = decisionIn(unsigned);
    const approve = (signature: JsonObject) =>
      reviewer.post(`/proposals/${id}/approve`, { digest, signature });
    expect(whyIn(await approve(thief.sign(decision)))).toBe('unknown_key');
    expect(whyIn(await approve({ ...thief.sign(decision), key: reviewer.id }))).toBe('false');
    expect(whyIn(await approve(reviewer.sign({ ...decision, proposal: 'p2' })))).toBe('other_decision');
    expect(await approve({ key: '' })).toMatchObject({ status: 400, code: 'invalid_field' });
    expect(await approve(reviewer.sign(decision))).toMatchObject({ status: 200 });
  });

  it('O-49: a key that somebody else made, or that is shown too late, is not registered', async () => {
    await using gateway = await startTestGateway(SIGNED);
    const reviewer = person(gateway.http, 'reviewer');
    const other = person(gateway.http, 'other');
    const code = codeIn(await reviewer.post('/keys/codes', { participant: 'reviewer' }));
    const at = Date.now();
    const stolen = { at, ed25519: { key: other.id, signature: other.sign().signature }, code };
    expect(await reviewer.post('/keys', stolen)).toMatchObject({ code: 'signature_invalid' });
    expect(await reviewer.register({ code }, at - 10 * 60_000)).toMatchObject({ code: 'signature_invalid' });
    // The same bytes, written in another way: a key has one id.
    const last = ALPHABET.indexOf(reviewer.id.at(-1) ?? '');
    const again = `${reviewer.id.slice(0, -1)}${ALPHABET[last + 1]}`;
    expect(Buffer.from(again, 'base64url')).toEqual(Buffer.from(reviewer.id, 'base64url'));
    expect(await reviewer.register({ code }, at, again)).toMatchObject({ code: 'invalid_field' });
    const passkey = { id: 'x', response: { clientDataJSON: 'e30', attestationObject: 'oA' } };
    expect(await reviewer.post('/keys', { at, passkey, code })).toMatchObject({ code: 'signature_invalid' });
    // Nothing makes the gateway ask the network about the certificate of an authenticator.
    const origin = Buffer.from(JSON.stringify({ origin: 'http://localhost' })).toString('base64url');
    const apple = Buffer.from('\xa3cfmteapplegattStmt\xa0hauthData\x40', 'latin1').toString('base64url');
    const attested = { id: 'x', response: { clientDataJSON: origin, attestationObject: apple } };
    expect(await reviewer.post('/keys', { at, passkey: attested, code })).toMatchObject({
      code: 'signature_invalid',
      body: { detail: expect.stringContaining('attestation format') },
    });
    expect(await reviewer.post('/keys', { at, code })).toMatchObject({ code: 'missing_field' });
  });

  it('O-41, O-49: a grant lets somebody register a key, with a code as everyone', async () => {
    await using gateway = await startTestGateway(SIGNED);
    const [agent, reviewer] = [person(gateway.http, 'agent'), person(gateway.http, 'reviewer')];
    const code = codeIn(await reviewer.post('/keys/codes', { participant: 'agent' }));
    expect(await agent.register({ code })).toMatchObject({ code: 'capability_violation' });
    await reviewer.post('/grants', { to: 'agent', capabilities: ['mcpx.register.key'], uses: 1 });
    expect(await agent.register({})).toMatchObject({ code: 'key_not_allowed' });
    expect(await agent.register({ code })).toMatchObject({ status: 200 });
    expect(await agent.register({ code })).toMatchObject({ code: 'capability_violation' });
  });

  it('O-49, I-3: keys survive a restart, and a revoked one does not come back', async () => {
    await using folder = await temporaryFolder();
    const reviewerOf = async ({ http }: TestGateway, more: JsonObject = {}) => {
      const who = person(http, 'reviewer');
      const code = codeIn(await who.post('/keys/codes', { participant: 'reviewer' }));
      expect(await who.register({ code, ...more })).toMatchObject({ status: 200 });
      return who;
    };
    const keysAt = async (gateway: TestGateway) => {
      await using peer = await connectPeer(gateway.ws, 'reviewer');
      const { payload } = await peer.next(({ kind }) => kind === 'system.welcome');
      return ((payload['you'] as JsonObject)['keys'] ?? []) as readonly JsonObject[];
    };
    let kept = '';
    {
      await using gateway = await startTestGateway(SIGNED, await openJournal(folder.path));
      const first = await reviewerOf(gateway, { label: 'old phone' });
      kept = (await reviewerOf(gateway, { label: 'laptop' })).id;
      expect(await first.post(`/keys/${first.id}/revoke`)).toMatchObject({ status: 200 });
      expect(await first.post(`/keys/${first.id}/revoke`)).toMatchObject({ code: 'unknown_key' });
    }
    await using gateway = await startTestGateway(SIGNED, await openJournal(folder.path));
    expect(await keysAt(gateway)).toMatchObject([{ id: kept, type: 'ed25519', label: 'laptop' }]);
  });
});

const places = onTwoGateways({ spaces: { strict: '{ signed: true }' } });

describe('on two gateways', () => {
  it('O-49: a key counts at both, until it is revoked at one of them', async () => {
    const [here, there] = places.take('strict');
    await using tools = await there.connect('tools');
    await tools.say(TOOLS);
    const reviewer = person(here.http, 'reviewer', 'strict');
    const code = codeIn(await reviewer.post('/keys/codes', { participant: 'reviewer' }));
    await reviewer.register({ code });
    // The same person, at the other gateway.
    const approve = async (id: string, body: JsonObject) =>
      await there.ask(`/proposals/${id}/approve`, 'reviewer', { method: 'POST', body: JSON.stringify(body) });
    const [first, second] = [await proposed(there, 'strict'), await proposed(there, 'strict')];
    const signed = async ({ id, digest }: typeof first) => {
      const unsigned = await approve(id, { digest });
      return await approve(id, { digest, signature: reviewer.sign(decisionIn(unsigned)) });
    };
    expect(await signed(first)).toMatchObject({ status: 200 });
    expect(await reviewer.post(`/keys/${reviewer.id}/revoke`)).toMatchObject({ status: 200 });
    const refused = await signed(second);
    expect([refused.code, whyIn(refused)]).toEqual(['signature_invalid', 'revoked_key']);
  });
});

import { authorize } from '@proffer/core/capability';
import { checkSender } from '@proffer/core/negotiation';
import { describe, expect, it } from 'vitest';
import { devConfig } from '../../config/load-config.js';
import { configured } from '../../config/testing/configured.js';
import { createToken } from '../../token.js';
import { createAuthenticator } from './authenticator.js';
import { bearerToken } from './bearer.js';
import { capabilitiesIn } from './caller-identity.js';
import { refusalOf, valueOf } from './testing/expecting.js';

const agent = createToken();
const agentAgain = createToken();
const reviewer = createToken();

const FILE = `
spaces: { main: , lab: }
participants:
  agent:
    tokens: [${agent.hash}, ${agentAgain.hash}]
    spaces: { main: [mcp.proposal.*] }
    negotiation: { act_as: [buyer], max_open_sessions: 3, can_start_sessions: false }
  reviewer: { tokens: [${reviewer.hash}], spaces: { main: ["*"], lab: ["*"] }, observer: true }
`;

describe('tokens', () => {
  it('consist of 256 random bits, and are known by their hash', () => {
    expect(agent.token).toMatch(/^pf_[\w-]{43}$/);
    expect(agent.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(new Set(Array.from({ length: 100 }, () => createToken().token)).size).toBe(100);
  });

  it('O-2, N-7: identify a participant and its rights', async () => {
    const { authenticate } = createAuthenticator(configured(FILE));
    const identity = valueOf(await authenticate(agent.token));
    expect(identity).toMatchObject({ name: 'agent', credential: 'token:agent#1', isObserver: false });
    expect([...identity.spaces.keys()]).toEqual(['main']);
    const capabilities = valueOf(capabilitiesIn(identity, 'main'));
    const envelope = { from: 'agent', payload: {} };
    expect(authorize(capabilities, { ...envelope, kind: 'mcp.proposal.tools/call' })).toBeUndefined();
    expect(authorize(capabilities, { ...envelope, kind: 'mcp.request.tools/call' })?.code).toBe(
      'capability_violation',
    );
    expect(identity.negotiation).toEqual({
      name: 'agent',
      actAs: ['buyer'],
      mayStartSessions: false,
      mayManageModes: false,
      isObserver: false,
      maxOpenSessions: 3,
    });
    expect(checkSender(identity.negotiation, 'buyer')).toBeUndefined();
    expect(checkSender(identity.negotiation, 'reviewer')?.code).toBe('UNAUTHENTICATED');
    expect(valueOf(await authenticate(reviewer.token))).toMatchObject({ name: 'reviewer', isObserver: true });
    expect(valueOf(await authenticate(agentAgain.token)).credential).toBe('token:agent#2');
  });

  it('I-4: no token, no entry', async () => {
    const { authenticate } = createAuthenticator(configured(FILE));
    const wrong = [
      undefined,
      '',
      'agent',
      createToken().token,
      `${agent.token}x`,
      agent.hash,
      'x'.repeat(20_000),
    ];
    for (const token of wrong) {
      const refusal = refusalOf(await authenticate(token));
      expect(refusal.code).toBe('unauthenticated');
      expect(refusal.message).toContain('proffer token');
      if (token) expect(JSON.stringify(refusal)).not.toContain(token);
    }
  });

  it('I-4: a space that was not granted is refused like one that does not exist', async () => {
    const { authenticate } = createAuthenticator(configured(FILE));
    const identity = valueOf(await authenticate(agent.token));
    const [lab, nowhere] = ['lab', 'nowhere'].map((space) => refusalOf(capabilitiesIn(identity, space)));
    expect(lab).toMatchObject({ code: 'forbidden_space', details: { space: 'lab', your_spaces: ['main'] } });
    expect(nowhere?.message.replace('nowhere', 'lab')).toBe(lab?.message);
  });

  it('never appear in authentication results', async () => {
    const { authenticate } = createAuthenticator(configured(FILE));
    const shown = JSON.stringify(valueOf(await authenticate(agent.token)), (_, value) =>
      value instanceof Map ? [...value] : value,
    );
    expect(shown).not.toContain(agent.token);
    expect(shown).not.toContain(agent.hash.slice(7, 20));
  });

  it('N-7: the token list of a MACP runtime works, also for senders without a space', async () => {
    const tokens = [
      { token: 'tok-coordinator', sender: 'coordinator', act_as: ['buyer'] },
      {
        token: 'tok-agent',
        sender: 'agent',
        is_observer: true,
        can_manage_mode_registry: true,
        allowed_modes: ['m'],
      },
    ];
    const { authenticate } = createAuthenticator(
      configured(FILE, { env: { MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens) } }),
    );
    const coordinator = valueOf(await authenticate('tok-coordinator'));
    expect(coordinator.spaces.size).toBe(0);
    expect(coordinator.negotiation).toMatchObject({
      name: 'coordinator',
      actAs: ['buyer'],
      mayStartSessions: true,
    });
    const known = valueOf(await authenticate('tok-agent'));
    expect(known.negotiation).toMatchObject({
      isObserver: true,
      mayManageModes: true,
      allowedModes: ['m'],
      actAs: [],
    });
    expect([...known.spaces.keys()]).toEqual(['main']);
  });
});

describe('revocation', () => {
  it('I-4: a token removed from the configuration is refused, also on existing connections', async () => {
    const { authenticate, current, reload } = createAuthenticator(configured(FILE));
    const first = valueOf(await authenticate(agent.token));
    const second = valueOf(await authenticate(agentAgain.token));
    expect(valueOf(current(first))).toBe(first);

    reload(configured(FILE.replace(`${agent.hash}, `, '')));
    expect(refusalOf(current(first))).toMatchObject({
      code: 'unauthenticated',
      details: { reason: 'revoked' },
    });
    expect(refusalOf(await authenticate(agent.token)).code).toBe('unauthenticated');
    expect(valueOf(current(second)).credential).toBe('token:agent#2');
  });

  it("I-4: a token that replaces another does not keep the other's connections alive", async () => {
    const { authenticate, current, reload } = createAuthenticator(configured(FILE));
    const before = valueOf(await authenticate(reviewer.token));
    const next = createToken();
    reload(configured(FILE.replace(reviewer.hash, next.hash)));
    expect(current(before).ok).toBe(false);
    expect(valueOf(await authenticate(next.token)).credential).not.toBe(before.credential);
  });

  it('I-4: changed rights apply from the next message on', async () => {
    const { authenticate, current, reload } = createAuthenticator(configured(FILE));
    const before = valueOf(await authenticate(agent.token));
    reload(configured(FILE.replace('mcp.proposal.*', 'chat.message')));
    const after = valueOf(current(before));
    expect(after.spaces.get('main')?.sources).toEqual(['chat.message']);
    expect(valueOf(current(after))).toBe(after);
  });

  it('I-4: a token that now belongs to someone else does not move a connection to them', async () => {
    const { authenticate, current, reload } = createAuthenticator(configured(FILE));
    const before = valueOf(await authenticate(reviewer.token));
    for (const [next, name] of ['other', '"other#1"', 'other'].entries()) {
      const entered = next === 0 ? before : valueOf(await authenticate(reviewer.token));
      reload(configured(`participants: { ${name}: { tokens: [${reviewer.hash}] } }`));
      expect(current(entered).ok).toBe(false);
      expect(valueOf(await authenticate(reviewer.token)).name).toBe(name.replaceAll('"', ''));
    }
  });

  it('I-4: a made-up principal is nobody', async () => {
    const { authenticate, current } = createAuthenticator(configured(FILE));
    const identity = valueOf(await authenticate(agent.token));
    expect(current({ ...identity, name: 'reviewer' }).ok).toBe(false);
  });
});

describe('dev mode', () => {
  it('N-7: the token is the name, and may speak for every name', async () => {
    const { authenticate } = createAuthenticator(devConfig());
    const buyer = valueOf(await authenticate('buyer'));
    expect(buyer).toMatchObject({ name: 'buyer', credential: 'dev:buyer' });
    expect(checkSender(buyer.negotiation, 'seller')).toBeUndefined();
    expect(checkSender(buyer.negotiation, 'system:gateway')?.code).toBe('UNAUTHENTICATED');
    const agent = valueOf(await authenticate('agent')).spaces.get('main')?.sources ?? [];
    expect(buyer.spaces.get('main')?.sources).toEqual([...agent, 'mcpx.reject.proposal']);
    expect(valueOf(await authenticate('reviewer')).spaces.get('main')?.sources).toEqual(['*']);
  });

  it.each(['system:gateway', '_runtime', 'system', 'two words', '\u200b'])(
    'O-2: %j is nobody',
    async (name) => {
      const { authenticate } = createAuthenticator(devConfig());
      expect(refusalOf(await authenticate(name)).code).toBe('unauthenticated');
    },
  );

  it('I-4: an unknown Proffer token is refused, not taken as a name', async () => {
    const { authenticate } = createAuthenticator(configured(`dev: true\n${FILE}`));
    expect(refusalOf(await authenticate(createToken().token)).code).toBe('unauthenticated');
    expect(valueOf(await authenticate(agent.token)).name).toBe('agent');
    expect(valueOf(await authenticate('agent')).credential).toBe('dev:agent');
  });

  it('I-4: ends existing connections when it is switched off', async () => {
    const { authenticate, current, reload } = createAuthenticator(devConfig());
    const identity = valueOf(await authenticate('agent'));
    reload(configured(FILE));
    expect(current(identity).ok).toBe(false);
    expect((await authenticate('agent')).ok).toBe(false);
  });
});

describe('authorization header', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer  abc ', 'abc'],
    ['Basic abc', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j has the token %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });
});

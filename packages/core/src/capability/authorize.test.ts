import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeKind } from '../envelope/kind.js';
import { decodeEnvelope } from '../envelope/read.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import { runs } from '../testing/runs.js';
import { authorize } from './authorize.js';
import { grants, parseCapability } from './capability.js';
import { candidates, compileCapabilities } from './compiled-capabilities.js';
import { splitKind } from './kind-pattern.js';

function compile(...capabilities: JsonValue[]) {
  return compileCapabilities(capabilities.map(read));
}

function read(value: JsonValue) {
  const parsed = parseCapability(value);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}

function may(capabilities: readonly JsonValue[], kind: string, payload: JsonObject = {}): boolean {
  return authorize(compile(...capabilities), { from: 'agent', kind, payload }) === undefined;
}

const call = (name: string, args: JsonObject = {}): JsonObject => ({
  method: 'tools/call',
  params: { name, arguments: args },
});

const readResource = (uri: string): JsonObject => ({ method: 'resources/read', params: { uri } });

describe('authorisation', () => {
  it('O-9: a message that no capability grants is refused with the attempted kind and the capabilities as written', () => {
    const capabilities = ['mcp/request:tools/list', { kind: 'chat.message', payload: { format: 'plain' } }];
    const refusal = authorize(compile(...capabilities), {
      from: 'agent',
      kind: 'mcp.request.tools/call',
      payload: call('write_file'),
    });
    expect(refusal).toEqual({
      code: 'capability_violation',
      message: expect.stringContaining('"agent" may not send "mcp.request.tools/call:write_file".') as string,
      details: { attempted_kind: 'mcp.request.tools/call', your_capabilities: capabilities },
    });
  });

  it('O-8: a negation grants every other text, and nothing that could be mistaken for the one it leaves out', () => {
    const allBut = { kind: 'mcp/request', payload: { method: '!tools/call' } };
    expect(may([allBut], 'mcp.request.tools/list', { method: 'tools/list' })).toBe(true);
    for (const method of ['tools/call', 'Tools/Call', 'tools\\call', 'tools%2fcall', './tools/call'])
      expect(may([allBut], `mcp.request.${method}`, { method, params: { name: 'a' } })).toBe(false);
    const tools = {
      kind: 'mcp/request',
      payload: { method: 'tools/call', params: { name: '!delete_*', arguments: { path: '!/etc/**' } } },
    };
    const asked = (name: JsonValue, path?: JsonValue) =>
      may([tools], 'mcp.request.tools/call', { method: 'tools/call', params: { name, arguments: { path } } });
    expect(asked('read_file', '/tmp/a')).toBe(true);
    expect(asked('delete_file', '/tmp/a')).toBe(false);
    expect(asked('DELETE_file', '/tmp/a')).toBe(false);
    for (const path of ['/etc/passwd', '/tmp/../etc/passwd', '/etc', ['/etc/passwd'], undefined])
      expect(asked('read_file', path)).toBe(false);
    // It takes nothing away that another capability grants, and grants nothing of other kinds.
    expect(may([allBut, 'mcp.request.tools/call'], 'mcp.request.tools/call', call('a'))).toBe(true);
    expect(may([allBut], 'mcp.proposal.tools/list', { method: 'tools/list' })).toBe(false);
  });

  it('O-8: to restricts a capability to messages to these alone', () => {
    const capabilities = compile({ kind: 'mcp.request.*', to: ['files', 'tools'] });
    const may = (to?: readonly string[]) =>
      authorize(capabilities, {
        from: 'agent',
        kind: 'mcp.request.tools/call',
        payload: call('a'),
        ...(to === undefined ? {} : { to }),
      }) === undefined;
    expect([may(['files']), may(['tools', 'files'])]).toEqual([true, true]);
    // The same kind again: what was granted to one addressee is not remembered for others.
    expect([may(), may([]), may(['shell']), may(['files', 'shell'])]).toEqual([false, false, false, false]);
  });

  it.each<[string, JsonObject, boolean]>([
    ['to them', { to: 'friend', until: 1 }, true],
    ['to somebody else', { to: 'other', until: 1 }, false],
    ['to nobody', { until: 1 }, false],
    ['is taken back', { revoke: true }, true],
  ])('O-8, O-34: a delegation is for the deputy, although everyone reads it: %s', (_what, payload, may) => {
    const capabilities = compile({ kind: 'mcpx.delegate.review', to: ['friend'] });
    const refused = authorize(capabilities, { from: 'ann', kind: 'mcpx.delegate.review', payload });
    expect(refused === undefined).toBe(may);
  });

  it.each<[string, JsonObject, string, boolean]>([
    ['a stream for everyone', {}, 'stream.request', false],
    ['a stream for nobody in particular', { target: [] }, 'stream.request', false],
    ['a stream for somebody else, too', { target: ['friend', 'other'] }, 'stream.request', false],
    ['a stream for them', { target: ['friend'] }, 'stream.request', true],
    ['the right to write for somebody else', { participant_id: 'other' }, 'stream.grant-write', false],
    ['the right to write for them', { participant_id: 'friend' }, 'stream.grant-write', true],
    ['a stream that somebody else gets', { new_owner: 'other' }, 'stream.transfer-ownership', false],
    ['a grant for somebody else', { to: 'other' }, 'mcpx.grant.capability', false],
    ['a grant for them', { to: 'friend' }, 'mcpx.grant.capability', true],
    ["the revocation of somebody else's grant", { to: 'other' }, 'mcpx.revoke.capability', false],
    ['a delegation to somebody else', { to: 'other' }, 'mcpx.delegate.review', false],
    ['an invitation for somebody else', { participant: 'other' }, 'mcpx.invite.participant', false],
    ['the removal of somebody else', { participant: 'other' }, 'mcpx.kick.participant', false],
    ['a key for somebody else', { participant: 'other' }, 'mcpx.allow.key', false],
    ['a key for them', { participant: 'friend' }, 'mcpx.allow.key', true],
    ["the end of somebody else's key", { participant: 'other' }, 'mcpx.unregister.key', false],
    ['a proposal', {}, 'mcp.proposal.tools/call', true],
    [
      'a proposal that prefers them',
      { fulfiller: 'friend', targeting: { preferred: ['friend'] } },
      'mcp.proposal.tools/call',
      true,
    ],
    [
      'a proposal that prefers somebody else',
      { targeting: { preferred: ['other'] } },
      'mcp.proposal.tools/call',
      false,
    ],
    ['a proposal that somebody else should fulfil', { fulfiller: 'other' }, 'mcp.proposal.tools/call', false],
    [
      'a proposal for some that include somebody else',
      { preferred_fulfillers: ['friend', 'other'] },
      'mcp.proposal.tools/call',
      false,
    ],
    [
      'a proposal for somebody else as participant',
      { preferred_participant: 'other' },
      'mcp.proposal.tools/call',
      false,
    ],
    ['a proposal for whoever is capable', { targeting: { capable: true } }, 'mcp.proposal.tools/call', false],
    [
      'a proposal for those with a capability',
      { required_capabilities: ['x'] },
      'mcp.proposal.tools/call',
      false,
    ],
  ])('O-8: to restricts whom the payload names, too: %s', (_, payload, kind, isGranted) => {
    const capabilities = compile({ kind, to: ['friend'] });
    const message = { from: 'agent', kind, to: ['friend'], payload: { ...call('a'), ...payload } };
    expect(authorize(capabilities, message) === undefined).toBe(isGranted);
    expect(authorize(compile(kind), message)).toBeUndefined();
  });

  it('O-8: a stream needs no to, since its target says who gets it', () => {
    const capabilities = compile({ kind: 'stream.request', to: ['friend'] });
    const request = { from: 'agent', kind: 'stream.request', payload: { target: ['friend'] } };
    expect(authorize(capabilities, request)).toBeUndefined();
    expect(authorize(capabilities, { ...request, to: ['other'] })).toBeDefined();
  });

  it('O-9: without capabilities nothing is granted', () => {
    expect(may([], 'chat.message')).toBe(false);
  });

  it.each(['request', 'proposal'])(
    'O-9: a %s without a context is matched with the name in its payload',
    (operation) => {
      const capability = `mcp.${operation}.tools/call:read_*`;
      const kind = `mcp.${operation}.tools/call`;
      expect(may([capability], kind, call('read_file'))).toBe(true);
      expect(may([capability], kind, call('write_file'))).toBe(false);
      expect(may([capability], kind, { method: 'tools/call' })).toBe(false);
      expect(may([capability], kind, { method: 'tools/call', params: { name: 7 } })).toBe(false);
      expect(may([capability], kind, call('read_../../write_file'))).toBe(false);
      expect(may([kind], kind, call('write_file'))).toBe(true);
    },
  );

  it('O-9: a resource left out of the kind is matched by its URI', () => {
    const capability = 'mcp.request.resources/read:file:///srv/*';
    expect(may([capability], 'mcp.request.resources/read', readResource('file:///srv/a/b.txt'))).toBe(true);
    expect(may([capability], 'mcp.request.resources/read', readResource('file:///srv/../etc/passwd'))).toBe(
      false,
    );
  });

  it('O-9: a response is matched by its kind unchanged', () => {
    const payload = { result: { content: [] } };
    expect(may(['mcp.response.*'], 'mcp.response.tools/call', payload)).toBe(true);
    expect(may(['mcp.response.tools/call:read_*'], 'mcp.response.tools/call', payload)).toBe(false);
    expect(may(['mcp.response.tools/call:read_*'], 'mcp.response.tools/call:read_file', payload)).toBe(true);
  });

  it('O-9: a response without a method is granted by a pattern for all responses, and by nothing narrower', () => {
    const payload = { result: { content: [] } };
    for (const capability of [
      'mcp.response.*',
      'mcp.response',
      'mcp/response',
      'mcp.*',
      'mcp.res*',
      '*.*',
      '*',
    ]) {
      expect(may([capability], 'mcp.response', payload)).toBe(true);
    }
    const narrower = [
      'mcp.response.tools/*',
      'mcp.response.*/call',
      'mcp.response.*:read_*',
      'mcp.response.t*',
    ];
    expect(may([...narrower, 'mcp.request.*', 'mcp.proposal.*'], 'mcp.response', payload)).toBe(false);
    const failing = { kind: 'mcp.response.*', payload: { error: { code: '**' } } };
    expect(may([failing], 'mcp.response', payload)).toBe(false);
    expect(may([failing], 'mcp.response', { error: { code: -32_000, message: 'no' } })).toBe(true);
    expect(may(['mcp.request.*'], 'mcp.request')).toBe(false);
  });

  it('O-9: responses of a mew executor are granted by mcp.response.*', () => {
    const reading = decodeEnvelope(
      { protocol: 'mew/v0.4', id: 'a', kind: 'mcp/response', correlation_id: ['f'], payload: { result: {} } },
      { from: 'tools', now: 0 },
    );
    const envelope = reading.ok ? reading.value.envelope : undefined;
    expect(envelope && authorize(compile('mcp.response.*'), envelope)).toBeUndefined();
    expect(envelope?.kind).toBe('mcp.response');
  });

  it('O-9: the advice makes sense for every kind', () => {
    const refusal = authorize(compile(), { from: 'agent', kind: 'chat.message', payload: { text: 'hello' } });
    expect(refusal?.message).toContain('Send what your capabilities allow');
  });

  it('O-8: a payload pattern narrows its kind', () => {
    const capability = {
      kind: 'mcp.request.tools/call',
      payload: { params: { name: 'write_file', arguments: { path: '/tmp/**' } } },
    };
    const kind = 'mcp.request.tools/call';
    expect(may([capability], kind, call('write_file', { path: '/tmp/a' }))).toBe(true);
    expect(may([capability], `${kind}:write_file`, call('write_file', { path: '/tmp/a' }))).toBe(true);
    expect(may([capability], kind, call('write_file', { path: '/etc/a' }))).toBe(false);
    expect(may([capability], kind, call('write_file', { path: '/tmp/../etc/a' }))).toBe(false);
    expect(may([capability], kind, call('delete_file', { path: '/tmp/a' }))).toBe(false);
    expect(may([{ kind }], kind, call('delete_file'))).toBe(true);
  });

  it('O-8: one granting capability is enough, whatever the others say', () => {
    const narrow = { kind: 'mcp.request.tools/call', payload: { params: { name: 'a' } } };
    const wide = { kind: 'mcp.request.*', payload: { params: { name: 'b' } } };
    expect(may([narrow, wide], 'mcp.request.tools/call', call('a'))).toBe(true);
    expect(may([narrow, wide], 'mcp.request.tools/call', call('b'))).toBe(true);
    expect(may([narrow, wide], 'mcp.request.tools/call', call('c'))).toBe(false);
  });

  it.each(['system.welcome', 'system.error', 'system.notice:x', 'system', 'system/welcome', 'system:x'])(
    'O-9: no capability grants %s',
    (kind) => {
      const own = /^system[./]/.test(kind) ? [kind] : [];
      expect(may(['*', 'system.*', 'system*', ...own, { kind: '*' }, '*.*', 's*'], kind)).toBe(false);
    },
  );

  it.each(['mcpx.withdraw.proposal', 'mcpx.reject.proposal'])(
    'O-8: mcp/* grants %s, which is mcp/… in mew; mcp.* does not',
    (kind) => {
      expect(may(['mcp/*'], kind)).toBe(true);
      expect(may(['mcp/*'], 'mcp.request.tools/list')).toBe(true);
      expect(may(['mcp/*'], 'mcpx.status.proposal')).toBe(false);
      expect(may(['mcp.*'], kind)).toBe(false);
    },
  );

  it('O-9: a kind that merely starts with system is an ordinary one', () => {
    expect(may(['*'], 'systems.check')).toBe(true);
  });

  it.each(['withdraw', 'reject', 'status'])('O-10: mcpx.%s.proposal is a separate capability', (verb) => {
    const kind = `mcpx.${verb}.proposal`;
    expect(may([kind], kind)).toBe(true);
    expect(may(['mcpx.*'], kind)).toBe(true);
    expect(may(['mcp.*'], kind)).toBe(false);
    const others = ['withdraw', 'reject', 'status'].filter((other) => other !== verb);
    expect(
      may(
        others.map((other) => `mcpx.${other}.proposal`),
        kind,
      ),
    ).toBe(false);
  });

  it('O-9: the index grants exactly what checking every capability would', () => {
    const kind = fc.constantFrom(
      'mcp.request',
      'mcp.request.tools/call',
      'mcp.request.tools/call:ab',
      'mcp.request.tools/call:b/a',
      'mcp.requests.tools/call:ab',
      'chat.message',
    );
    // Patterns are kinds with some parts replaced by stars, so that many of them match.
    const pattern = fc
      .tuple(kind, fc.array(fc.tuple(fc.nat(20), fc.nat(6)), { maxLength: 2 }))
      .map(([text, cuts]) =>
        cuts
          .reduce<string>((cut, [at, length]) => `${cut.slice(0, at)}*${cut.slice(at + length)}`, text)
          .replace(/\*+/g, '*'),
      )
      .filter((text) => parseCapability(text).ok);
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 6 }), kind, (patterns, kind) => {
        const payload = call('ab');
        const parts = splitKind(completeKind(kind, payload));
        const one = patterns.some((text) => grants(read(text), parts, { payload }));
        expect(may(patterns, kind, payload)).toBe(one);
      }),
      runs(3000),
    );
  });

  it('O-8, O-9: cached grants are granted again, and regardless of the payload only if no payload pattern applies', () => {
    const compiled = compile('chat.*', {
      kind: 'mcp.request.tools/call:write',
      payload: { params: { arguments: { path: '/srv/*' } } },
    });
    const asks = (path: string) =>
      authorize(compiled, {
        from: 'agent',
        kind: 'mcp.request.tools/call:write',
        payload: call('write', { path }),
      });
    // More than the cache holds, twice.
    const chats = Array.from({ length: 250 }, (_, number) => `chat.about_${number % 125}`);
    for (const kind of [...chats, 'chat.message', 'chat.message'])
      expect(authorize(compiled, { from: 'agent', kind, payload: {} })).toBeUndefined();
    expect(asks('/srv/a')).toBeUndefined();
    expect(asks('/etc/a')?.code).toBe('capability_violation');
    expect(asks('/srv/b')).toBeUndefined();
    const { code } = authorize(compile('mcp.*'), { from: 'other', kind: 'chat.message', payload: {} }) ?? {};
    expect(code).toBe('capability_violation');
  });

  it('O-9: a thousand capabilities do not cost a thousand comparisons', () => {
    const capabilities = Array.from({ length: 1000 }, (_, number) => [
      `mcp.request.tools/call:tool_${number}`,
      `mcp.request.tools/call:family_${number}.*`,
      `mcp.proposal.*:part_${number}`,
    ]).flat();
    const compiled = compile(...capabilities, 'chat.message', 'mcp.request.tools/*');
    expect([...candidates(compiled, 'mcp.request.tools/call:tool_500')]).toHaveLength(2);
    expect([...candidates(compiled, 'mcp.request.tools/call:family_7.read')]).toHaveLength(2);
    expect([...candidates(compiled, 'chat.message')]).toHaveLength(1);
    expect([...candidates(compiled, 'mcpx.reject.proposal')]).toHaveLength(0);
    expect(compiled.prefixLengths.length).toBeLessThan(10);
  });
});

describe('kinds that decide for others', () => {
  const approval = { from: 'ann', kind: 'mcpx.approve.proposal', payload: { digest: 'sha256:0' } };
  const may = (source: string) => {
    const parsed = parseCapability(source);
    return authorize(compileCapabilities(parsed.ok ? [parsed.value] : []), approval) === undefined;
  };

  it.each([
    ['*', true],
    ['mcpx.approve.proposal', true],
    ['mcpx.approve.*', true],
    ['mcpx.*', false],
    ['mcpx.*.proposal', false],
  ])('O-44: are granted only when named or under a plain star: %s', (source, expected) => {
    expect(may(source)).toBe(expected);
  });

  it('O-44: the rest of the lifecycle is granted as before', () => {
    const parsed = parseCapability('mcpx.*');
    const compiled = compileCapabilities(parsed.ok ? [parsed.value] : []);
    for (const kind of ['mcpx.renew.proposal', 'mcpx.counter.proposal', 'mcpx.reject.proposal']) {
      expect(authorize(compiled, { from: 'ann', kind, payload: {} })).toBeUndefined();
    }
  });
});

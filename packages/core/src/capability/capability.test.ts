import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json/json.js';
import { parseCapability } from './capability.js';

const PARAMS = 'capability.payload.params';
const withParams = (params: JsonObject): JsonValue => ({ kind: 'mcp.request.*', payload: { params } });

describe('parsing a capability', () => {
  it.each<[JsonValue]>([
    ['*'],
    ['mcp.request.tools/*'],
    ['mcp/request:tools/*'],
    [{ kind: 'mcp.request.tools/call' }],
    [{ kind: 'mcp/request:tools/call', payload: { params: { name: 'a*' } } }],
    [{ kind: 'chat.message', payload: {} }],
    ['a*'.repeat(16)],
    ['*.request.$/x'],
    [withParams({ arguments: { path: '/srv/app/', argv: ['git', 'log*'] } })],
  ])('O-8: %j is valid, and can be shown as written', (source) => {
    expect(parseCapability(source)).toMatchObject({ ok: true, value: { source } });
  });

  it.each<[JsonValue, string, string, string, string]>([
    ['', 'invalid_field', 'capability', '""', 'a pattern over kinds'],
    [7, 'invalid_field', 'capability', '7', 'a pattern over kinds, or an object with kind'],
    [null, 'invalid_field', 'capability', 'null', 'a pattern over kinds, or an object with kind'],
    [['*'], 'invalid_field', 'capability', 'an array of 1', 'a pattern over kinds, or an object with kind'],
    ['mcp.**', 'invalid_field', 'capability', '"mcp.**"', 'single stars'],
    ['a.b:**', 'invalid_field', 'capability', '"a.b:**"', 'single stars'],
    ['a'.repeat(1025), 'invalid_field', 'capability', '"aaa', 'at most 1024 characters'],
    ['a*'.repeat(17), 'invalid_field', 'capability', '"a*a*', 'at most 16 stars'],
    [`a.b:${'*.'.repeat(16)}*`, 'invalid_field', 'capability', '"a.b:*.*', 'at most 16 stars'],
    ['mcp.request tools', 'invalid_field', 'capability', '"mcp.request tools"', 'letters, digits'],
    ['chat.message\n', 'invalid_field', 'capability', '"chat.message\\n"', 'letters, digits'],
    [':read', 'invalid_field', 'capability', '":read"', 'letters, digits'],
    ['mcp.request.tools/call:', 'invalid_field', 'capability', 'call:"', 'a context'],
    ['a.b.c:x*/../y', 'invalid_field', 'capability', 'y"', 'a context'],
    ['!mcp.request.*', 'invalid_field', 'capability', '"!mcp', 'no negation'],
    ['/mcp/', 'invalid_field', 'capability', '"/mcp/"', 'no regex'],
    ['$.kind', 'invalid_field', 'capability', '"$.kind"', 'PROTOCOL.OPERATION'],
    ['mcp', 'invalid_field', 'capability', '"mcp"', 'PROTOCOL.OPERATION'],
    ['mcp..tools', 'invalid_field', 'capability', '"mcp..tools"', 'PROTOCOL.OPERATION'],
    ['mcp.request.tools/', 'invalid_field', 'capability', 'tools/"', 'PROTOCOL.OPERATION'],
    [withParams({ name: '!' }), 'invalid_field', `${PARAMS}.name`, '"!"', 'the text to leave out'],
    [withParams({ name: '!**' }), 'invalid_field', `${PARAMS}.name`, '"!**"', 'the text to leave out'],
    [withParams({ name: '!!rm' }), 'invalid_field', `${PARAMS}.name`, '"!!rm"', 'the text to leave out'],
    [withParams({ name: '!/^rm/' }), 'invalid_field', `${PARAMS}.name`, '"!/^rm/"', 'no regex'],
    [{ kind: '*', to: [] }, 'invalid_field', 'capability.to', 'an array of 0', 'one or more names'],
    [{ kind: '*', to: 'tools' }, 'invalid_field', 'capability.to', '"tools"', 'an array'],
    [{ kind: '*', to: ['*'] }, 'invalid_field', 'capability.to', 'an array of 1', 'without wildcards'],
    [{ kind: '*', to: null }, 'invalid_field', 'capability.to', 'null', 'one or more names'],
    [withParams({ name: '/^rm/' }), 'invalid_field', `${PARAMS}.name`, '"/^rm/"', 'no regex'],
    [withParams({ name: ['a', 'b'] }), 'invalid_field', `${PARAMS}.name`, 'an array of 2', 'for each'],
    [withParams({ '**': 'a' }), 'invalid_field', PARAMS, '"**"', 'the name of a field'],
    [
      withParams({ arguments: { '$.path': 'a' } }),
      'invalid_field',
      `${PARAMS}.arguments`,
      '"$.path"',
      'the name',
    ],
    [{}, 'missing_field', 'capability.kind', '', 'a pattern over kinds'],
    [{ payload: {} }, 'missing_field', 'capability.kind', '', 'a pattern over kinds'],
    [{ kind: 7 }, 'invalid_field', 'capability.kind', '7', 'a pattern over kinds'],
    [{ kind: '' }, 'invalid_field', 'capability.kind', '""', 'a pattern over kinds'],
    [{ kind: '*', payload: null }, 'invalid_field', 'capability.payload', 'null', 'an object of patterns'],
    [{ kind: '*', payload: [] }, 'invalid_field', 'capability.payload', 'an array', 'an object of patterns'],
    [{ kind: '*', payload: '**' }, 'invalid_field', 'capability.payload', '"**"', 'an object of patterns'],
    [{ kind: '*', payload: { a: '***' } }, 'invalid_field', 'capability.payload.a', '"***"', '* within'],
    [{ kind: '*', paylaod: {} }, 'invalid_field', 'capability', '"paylaod"', 'kind, to and payload'],
    [{ kind: '*', toString: 1 }, 'invalid_field', 'capability', '"toString"', 'kind, to and payload'],
  ])(
    'O-8: %j is refused: what is wrong, where, and what is expected',
    (value, code, field, found, expected) => {
      const parsed = parseCapability(value);
      expect(parsed).toMatchObject({ ok: false, refusal: { code, details: { field } } });
      if (parsed.ok) return;
      expect(JSON.stringify(parsed.refusal.details['found'])).toContain(JSON.stringify(found).slice(1, -1));
      expect(parsed.refusal.details['expected']).toContain(expected);
      expect(parsed.refusal.message).toContain(field);
      expect(parsed.refusal.message.length).toBeLessThan(400);
    },
  );

  it("O-8: a refusal names the caller's place", () => {
    const parsed = parseCapability({ kind: '' }, 'participants.agent.capabilities[3]');
    expect(parsed).toMatchObject({
      refusal: { details: { field: 'participants.agent.capabilities[3].kind' } },
    });
  });
});

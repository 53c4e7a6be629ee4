import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { request, response, write } from '../testing/json-rpc.js';
import { accepted, message } from '../testing/reading.js';
import { itRefuses } from '../testing/refusals.js';

describe('kind against payload', () => {
  const method = (kind: string, payload: JsonObject) => message(kind, payload);

  it.each([
    ['mcp.request.tools/call:write_file', { method: 'tools/call', params: write }],
    ['mcp.request.prompts/get:greet', { method: 'prompts/get', params: { name: 'greet' } }],
    ['mcp.request.resources/read:file:///a:b', { method: 'resources/read', params: { uri: 'file:///a:b' } }],
    ['mcp.request.tools/list', { method: 'tools/list' }],
    ['mcp.request.notifications/cancelled', { method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['mcp.proposal.tools/call:write_file', { method: 'tools/call', params: write }],
  ])('O-6: %s agrees with its payload', (kind, payload) => {
    expect(accepted(method(kind, payload))).toMatchObject({ kind, payload });
  });

  itRefuses([
    [
      'O-6: another method',
      method('mcp.request.tools/list', { method: 'tools/call', params: write }),
      'kind_mismatch',
      'payload.method',
    ],
    [
      'O-6: another tool',
      method('mcp.request.tools/call:read_file', { method: 'tools/call', params: write }),
      'kind_mismatch',
      'payload.params.name',
    ],
    [
      'O-6: another resource',
      method('mcp.proposal.resources/read:file:///a', {
        method: 'resources/read',
        params: { uri: 'file:///b' },
      }),
      'kind_mismatch',
      'payload.params.uri',
    ],
    [
      'O-6: a context for a method that is about no one thing',
      method('mcp.request.tools/list:write_file', { method: 'tools/list', params: write }),
      'kind_mismatch',
      'kind',
    ],
    ['O-6: a tool without a name', request({ params: {} }), 'missing_field', 'payload.params.name'],
    [
      'O-6: a tool call without params',
      request({ params: undefined }),
      'missing_field',
      'payload.params.name',
    ],
    ['O-6: an empty name', request({ params: { name: '' } }), 'invalid_field', 'payload.params.name'],
    [
      'O-6: a name that is no text',
      request({ params: { name: ['x'] } }),
      'invalid_field',
      'payload.params.name',
    ],
    ['O-6: no method', request({ method: undefined }), 'missing_field', 'payload.method'],
    ['O-6: a method that is no text', request({ method: 5 }), 'invalid_field', 'payload.method'],
    ['O-6: a method with a space', request({ method: 'tools call' }), 'invalid_field', 'payload.method'],
    ['O-6: no method in the kind', message('mcp.request', { method: 'tools/list' }), 'invalid_field', 'kind'],
    [
      'O-6: a method from the prototype',
      message('mcp.request.constructor', {}),
      'missing_field',
      'payload.method',
    ],
    [
      'O-6: a response whose payload names another method',
      response({ result: {}, method: 'tools/list' }),
      'kind_mismatch',
      'payload.method',
    ],
    [
      'O-6: a response with a context for a method that has none',
      { ...response({ result: {} }), kind: 'mcp.response.tools/list:x' },
      'kind_mismatch',
      'kind',
    ],
  ]);
});

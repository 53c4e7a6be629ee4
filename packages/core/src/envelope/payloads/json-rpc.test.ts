import { describe, expect, it } from 'vitest';
import { request, response } from '../testing/json-rpc.js';
import { accepted } from '../testing/reading.js';
import { itRefuses } from '../testing/refusals.js';

describe('a request', () => {
  it.each([
    ['a notification', { id: undefined }],
    ['a text id', { id: 'r-1' }],
    ['no jsonrpc', { jsonrpc: undefined }],
  ])('O-1: with %s is accepted', (_, payload) => {
    expect(accepted(request(payload)).kind).toBe('mcp.request.tools/call');
  });

  itRefuses([
    ['O-5: another version of JSON-RPC', request({ jsonrpc: '1.0' }), 'invalid_field', 'payload.jsonrpc'],
    ['O-5: a null id', request({ id: null }), 'invalid_field', 'payload.id'],
    ['O-5: an id that was rounded', request({ id: 2 ** 53 }), 'invalid_field', 'payload.id'],
    ['O-5: params in an array', request({ params: [1] }), 'invalid_field', 'payload.params'],
    ['O-5: null params', request({ params: null }), 'invalid_field', 'payload.params'],
  ]);
});

describe('a response', () => {
  it.each([
    ['a result', response({ result: { content: [] } })],
    ['a result of null', response({ result: null })],
    ['an error', response({ error: { code: -32601, message: 'no such method' } })],
    [
      'an error for a request whose id could not be read',
      response({ id: null, error: { code: 1, message: '' } }),
    ],
    ['no method in the kind', { ...response({ result: {} }), kind: 'mcp.response' }],
    ['a context', { ...response({ result: {} }), kind: 'mcp.response.tools/call:write_file' }],
    ['its correlation in an array', response({ result: {} }, { correlationId: ['q-1'] })],
    ['several correlations', response({ result: {} }, { correlationId: ['q-1', 'c-1'] })],
  ])('O-1: with %s is accepted', (_, raw) => {
    expect(accepted(raw)).toStrictEqual(raw);
  });

  const ok = { result: {} };
  itRefuses([
    ['O-5: neither result nor error', response({}), 'missing_field', 'payload.result'],
    ['O-5: both', response({ ...ok, error: { code: 1, message: '' } }), 'invalid_field', 'payload.error'],
    ['O-5: an error that is text', response({ error: 'bad' }), 'invalid_field', 'payload.error'],
    [
      'O-5: a fractional code',
      response({ error: { code: 1.5, message: '' } }),
      'invalid_field',
      'payload.error.code',
    ],
    ['O-5: no error message', response({ error: { code: 1 } }), 'missing_field', 'payload.error.message'],
    ['O-5: no correlation', response(ok, { correlationId: undefined }), 'missing_field', 'correlationId'],
    ['O-5: a null id of a success', response({ ...ok, id: null }), 'invalid_field', 'payload.id'],
  ]);
});

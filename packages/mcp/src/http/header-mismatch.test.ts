import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { createParamHeaders } from '../channel/param-headers.js';
import { requestOf } from '../json-rpc.js';
import { headerMismatch } from './header-mismatch.js';

const SCHEMA = {
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    inner: { properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
  },
};
const STANDARD = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'query' };
const encoded = `=?base64?${Buffer.from('Zürich').toString('base64')}?=`;

describe('headers that repeat arguments (x-mcp-header)', () => {
  it.each<[string, JsonObject, Readonly<Record<string, string>>, boolean]>([
    ['the same', { region: 'eu' }, { 'mcp-param-region': 'eu' }, true],
    ['the same in Base64', { region: 'Zürich' }, { 'mcp-param-region': encoded }, true],
    ['the same number', { inner: { count: 42 } }, { 'mcp-param-count': '42.0' }, true],
    ['none for an absent argument', {}, {}, true],
    ['one for an absent argument', {}, { 'mcp-param-region': 'eu' }, true],
    ['none', { region: 'eu' }, {}, false],
    ['another', { region: 'eu' }, { 'mcp-param-region': 'us' }, false],
    ['another number', { inner: { count: 42 } }, { 'mcp-param-count': '43' }, false],
    ['broken Base64', { region: 'eu' }, { 'mcp-param-region': '=?base64?%?=' }, false],
  ])('match the body: %s', (_title, args, headers, isFine) => {
    const call = requestOf(1, 'tools/call', { name: 'query', arguments: args });
    const wrong = headerMismatch(call, { ...STANDARD, ...headers }, () => SCHEMA);
    expect(wrong === undefined).toBe(isFine);
  });

  it('I-7: are not searched deeper than a message may be nested', () => {
    let schema: JsonObject = { 'x-mcp-header': 'Deep' };
    for (let level = 0; level < 50_000; level++) schema = { properties: { a: schema } };
    const headers = createParamHeaders();
    expect(() => headers.learn({ tools: [{ name: 'query', inputSchema: schema }] })).not.toThrow();
    expect(headers.headersFor({ name: 'query', arguments: {} })).toEqual({});
  });
});

import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json/json.js';
import { type Capability, contains, parseCapability } from './capability.js';

function read(source: JsonValue): Capability {
  const parsed = parseCapability(source);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}

const inside = (path: string) => ({
  kind: 'mcp.request.tools/call:write_file',
  payload: { params: { arguments: { path } } },
});

const method = (pattern: string) => ({ kind: 'mcp/request', payload: { method: pattern } });
const tool = (name: string) => ({ kind: 'mcp/request', payload: { method: 'tools/call', params: { name } } });
const to = (...names: string[]) => ({ kind: 'mcp/request', to: names });

describe('capability containment', () => {
  it.each<[JsonValue, JsonValue]>([
    ['*', 'mcp.request.*'],
    ['*', '*'],
    ['mcp.*', 'mcp.request.tools/call:x'],
    ['mcp.request.tools/call', 'mcp.request.tools/call:write_*'],
    ['mcp.request.tools/call:write_*', 'mcp.request.tools/call:write_file'],
    ['mcp.request.*/list', 'mcp.request.tools/list'],
    ['mcp/request', 'mcp.request.tools/call'],
    ['mcp.request.tools/*', inside('/tmp/**')],
    [inside('/tmp/**'), inside('/tmp/x')],
    [inside('/tmp/**'), inside('/tmp/**')],
    [inside('/tmp/**'), inside('/tmp/x/*')],
    [inside('**'), inside('**')],
    ['mcp.response.*', 'mcp/response'],
    ['mcp/response', 'mcp.response.*'],
    ['mcp/response', 'mcp/response'],
    ['mcp.request.tools/*', method('tools/call')],
    ['mcp.request.tools/call:write_*', tool('write_file')],
    ['mcp.request.tools/call', tool('write_*')],
    [method('!tools/call'), method('tools/list')],
    [method('!tools/call'), method('!tools/call')],
    [method('**'), method('!tools/call')],
    ['mcp/request', to('tools')],
    [to('tools', 'files'), to('tools')],
  ])('O-41: %j contains %j', (outer, inner) => {
    expect(contains(read(outer), read(inner))).toBe(true);
  });

  it.each<[JsonValue, JsonValue]>([
    ['mcp.request.*', '*'],
    ['mcp.request.tools/call:write_file', 'mcp.request.tools/call:write_*'],
    ['mcp.request.tools/call:write_file', 'mcp.request.tools/call'],
    ['mcp.request.tools/call', 'mcp.request.tools/*'],
    ['mcp.request.*/list', 'mcp.request.*'],
    [inside('/tmp/**'), 'mcp.request.tools/call:write_file'],
    [inside('/tmp/*'), inside('/tmp/**')],
    [inside('/tmp/**'), inside('/**')],
    [inside('/tmp/**'), inside('/tmp/../**')],
    [inside('/tmp/*/*'), inside('/tmp/**')],
    [inside('*/*'), inside('**')],
    ['mcp.response.tools/call', 'mcp/response'],
    ['mcp.response', 'mcp/response'],
    ['mcp.request.tools/*', method('tools*')],
    ['mcp.request.tools/*', method('!tools/call')],
    ['mcp.request.tools/call:write_file', method('tools/call')],
    ['mcp.request.tools/call:write_*', tool('write_**')],
    ['mcp.request.tools/call:write_file', tool('!read_file')],
    [method('!tools/call'), 'mcp/request'],
    [method('!tools/call'), method('tools/call')],
    [method('!tools/call'), method('tools/*')],
    [method('!tools/call'), method('**')],
    [method('!tools/call'), method('!tools/list')],
    [method('!tools/*'), method('!tools/call')],
    [method('tools/*'), method('!tools/call')],
    [method('*'), method('!list')],
    [to('tools'), 'mcp/request'],
    [to('tools'), to('tools', 'files')],
  ])('O-41: %j does not fully contain %j', (outer, inner) => {
    const parsed = parseCapability(inner);
    // An invalid pattern is contained in nothing.
    expect(parsed.ok && contains(read(outer), parsed.value)).toBe(false);
  });
});

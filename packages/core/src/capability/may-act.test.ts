import { describe, expect, it } from 'vitest';
import { mayAct } from './authorize.js';
import { parseCapability } from './capability.js';

function acts(...sources: readonly string[]): boolean {
  return mayAct(
    sources.map((source) => {
      const parsed = parseCapability(source);
      if (!parsed.ok) throw new Error(parsed.refusal.message);
      return parsed.value;
    }),
  );
}

describe('capabilities', () => {
  it.each([
    '*',
    'mcp.*',
    'mcp.proposal.*',
    'mcp.pro*',
    'mcp.request.tools/call:read_*',
    'mcp/proposal:tools/call',
  ])('N-3: %s lets its owner propose or call', (source) => expect(acts('chat.message', source)).toBe(true));

  it.each(['chat.message', 'chat.*', 'mcp.response.*', 'mcpx.*', 'mcpx.announce.*', 'mcpx.reject.proposal'])(
    'N-3: %s does not',
    (source) => expect(acts(source)).toBe(false),
  );
});

import { describe, expect, it } from 'vitest';
import { inCommandWords } from './field-words.js';

const said = (field: string, kind = 'mcp.proposal.tools/call:echo') =>
  inCommandWords(`${field} is 0; expected more.`, { field }, kind);

describe('the field that a refusal is about', () => {
  it('O-5: is called what the command line calls it', () => {
    expect(said('payload.ttl')).toBe('--ttl is 0; expected more.');
    expect(said('payload.ttl', 'mcpx.grant.capability')).toBe('--for is 0; expected more.');
    expect(said('payload.depends_on[1]')).toBe('--depends-on is 0; expected more.');
    expect(said('correlation_id', 'mcpx.reject.proposal')).toBe('The id is 0; expected more.');
    expect(said('payload.params.name')).toBe('name in the arguments is 0; expected more.');
  });

  it('stays as it is where no option stands for it, or where the sentence is about something else', () => {
    expect(said('payload.jsonrpc')).toBe('payload.jsonrpc is 0; expected more.');
    expect(inCommandWords('It is over.', { field: 'payload.ttl' }, 'x')).toBe('It is over.');
    expect(inCommandWords('It is over.', {}, 'x')).toBe('It is over.');
  });
});

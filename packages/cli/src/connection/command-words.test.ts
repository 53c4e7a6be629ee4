import { describe, expect, it } from 'vitest';
import { inCommandWords } from './connection.js';

const said = (field: string, kind = 'mcp.proposal.tools/call:echo') =>
  inCommandWords(`${field} is 0; expected more.`, { field }, kind);

describe('field named in a refusal', () => {
  it('O-5: is translated to the word of the command line', () => {
    expect(said('payload.ttl')).toBe('--ttl is 0; expected more.');
    expect(said('payload.ttl', 'mcpx.grant.capability')).toBe('--for is 0; expected more.');
    expect(said('payload.depends_on[1]')).toBe('--depends-on is 0; expected more.');
    expect(said('correlation_id', 'mcpx.reject.proposal')).toBe('The id is 0; expected more.');
    expect(said('payload.params.name')).toBe('name in the arguments is 0; expected more.');
  });

  it('is unchanged if no option corresponds to it, or if the message is about something else', () => {
    expect(said('payload.jsonrpc')).toBe('payload.jsonrpc is 0; expected more.');
    expect(inCommandWords('It is over.', { field: 'payload.ttl' }, 'x')).toBe('It is over.');
    expect(inCommandWords('It is over.', {}, 'x')).toBe('It is over.');
  });
});

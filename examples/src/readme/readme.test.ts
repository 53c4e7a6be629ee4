import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { take } from './decide-a-proposal.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the README', () => {
  it('shows the code that runs here', () => {
    expect(read('../../../README.md')).toContain(read('./decide-a-proposal.ts').trim());
  });

  it('and it does what the README says', () => {
    const operation = { method: 'tools/call', params: { name: 'write_file', arguments: {} } };
    const proposal = { id: 'p1', kind: 'mcp.proposal.tools/call', payload: operation };
    const request = {
      kind: 'mcp.request.tools/call',
      to: ['tools'],
      correlationId: 'p1',
      payload: operation,
    };
    expect(take('agent', JSON.stringify(proposal), 0)).toBe('proposed');
    expect(take('reviewer', JSON.stringify({ ...request, id: 'f1' }), 1)).toBe('fulfilled');
    expect(take('reviewer', JSON.stringify({ ...request, id: 'f2' }), 2)).toContain('no longer pending');
  });
});

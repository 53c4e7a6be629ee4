import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallFacts } from '@proffer/steward';
import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startNotesFront } from '../../testing/notes-front.js';
import { startSpace } from '../../testing/space.js';
import { createProposalArchive } from '../recovery/index.js';

const CALL = { name: 'append', arguments: { line: 'one' } };

describe.each([
  ['with a session (2025-11-25)', {}],
  ['without one (2026-07-28)', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
])('client %s', (_title, negotiation) => {
  it('is named in proposals, with its version and token name, and to the rules', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const asked: CallFacts[] = [];
    const decide = (call: CallFacts) => {
      asked.push(call);
      return { action: 'ask', reason: 'to see', version: '1' } as const;
    };
    await using front = await startNotesFront(space, {
      decide,
      tokens: ['alice:secret', 'other'],
      holdFor: 1,
    });
    const client = new Client({ name: 'editor', version: '2.1' }, negotiation);
    const requestInit = { headers: { authorization: 'Bearer secret' } };
    await client.connect(new StreamableHTTPClientTransport(front.address, { requestInit }));
    await client.callTool(CALL);
    const { id } = await next();
    const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
    expect((await archive.find(id))?.proposal).toMatchObject({
      executor: 'notes',
      origin: { client: 'editor', version: '2.1', user: 'alice' },
    });
    expect(asked.at(-1)).toMatchObject({ client: 'editor', user: 'alice', tool: 'append' });
    await client.close();
  });
});

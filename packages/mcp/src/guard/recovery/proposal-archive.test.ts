import { describe, expect, it } from 'vitest';
import { startSpace } from '../../testing/space.js';
import { createProposalArchive } from './proposal-archive.js';

describe("the gateway's memory of proposals", () => {
  it('O-22: is found beyond one page of older ones, and by proposer if asked', async () => {
    await using space = await startSpace();
    await using agent = await space.join('agent');
    await using other = await space.join('other');
    const older = Array.from({ length: 510 }, (_, index) => {
      const proposal = agent.propose('tools/call', { name: 'old', arguments: { index } });
      proposal.catch(() => {});
      return proposal;
    });
    await Promise.all(older.map(({ accepted }) => accepted));
    await Promise.all(older.map((proposal) => proposal.withdraw('over')));
    const [own, theirs] = [agent, other].map((proposer) => {
      const proposal = proposer.propose('tools/call', { name: 'new', arguments: {} });
      proposal.catch(() => {});
      return proposal;
    });
    await Promise.all([own?.accepted, theirs?.accepted]);
    const archive = createProposalArchive({ url: space.url, space: 'main', token: 'agent' });
    const found = new Map<unknown, unknown>();
    let count = 0;
    for await (const { id, phase } of archive.open({ since: 0, proposer: 'agent' })) {
      found.set(id, phase);
      count++;
    }
    expect([found.size, count]).toEqual([511, 511]);
    expect(found.get(own?.id)).toBe('pending');
    expect(found.get(older.at(-1)?.id)).toBe('withdrawn');
    expect(found.has(theirs?.id)).toBe(false);
    const open: unknown[] = [];
    for await (const { id } of archive.open({ proposer: 'agent' })) open.push(id);
    expect(open).toEqual([own?.id]);
  });
});

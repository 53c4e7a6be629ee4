import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProposalSession } from '@proffer/client/negotiation';
import { createNarrator, openTable, type Table } from '../negotiation/table.js';
import { expectThat, type LiveStory, line, type Print } from '../story.js';
import { startSeller } from './seller-process.js';

/** The seller is killed halfway and resumes from the last sequence number it saved. */
export const returningParty: LiveStory = {
  title: 'Back after a crash',
  about:
    'A party is killed between sending and writing that down; started again, it repeats, and nothing happens twice.',
  async tell(print) {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-seller-'));
    await using table = await openTable();
    try {
      await sellPrinter(table, join(folder, 'notes'), print);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function sellPrinter(table: Table, notes: string, print: Print): Promise<void> {
  const narrate = createNarrator(print);
  await using buyer = new ProposalSession(table.join('buyer'));
  await buyer.start({ intent: 'a used printer', participants: ['buyer', 'seller'], ttlMs: 120_000 });
  await buyer.propose('p1', 'As it is', { summary: '$50' });

  await using doomed = startSeller(table.target, buyer.sessionId, notes);
  const first = await doomed.said('countered');
  await doomed.kill();
  await buyer.refresh();
  narrate(buyer);
  expectThat(first === 'countered duplicate=false', 'the offer was new');
  expectThat((await readFile(notes, 'utf8')) === '1', 'that it had answered was not written down');
  print(line('seller', 'is killed', 'and whatever it knew is gone, but for a number: 1'));

  await using seller = startSeller(table.target, buyer.sessionId, notes);
  const again = await seller.said('countered');
  expectThat(again === 'countered duplicate=true', 'the offer had been accepted');
  expectThat(seller.lines[0] === 'heard 2', 'it goes on after what it had written down');
  print(line('seller', 'is back', `goes on from 1 and repeats it: ${again}`));
  seller.tell('the toner is put aside');

  await buyer.accept('p2', { reason: 'fair' });
  await seller.said('heard 5');
  await buyer.refresh();
  await buyer.commit({ action: 'printer.sold', authorityScope: 'household', reason: 'both accept p2' });
  expectThat((await seller.ended) === 0, 'the seller sees the end and leaves');
  narrate(buyer);
  expectThat(buyer.projection.proposals.size === 2, 'there are two offers, not three');
  expectThat(buyer.projection.transcript.length === 6, 'nothing happened twice');
  print('');
  print('  Six messages, one of them sent twice, by two processes, and counted once.');
}

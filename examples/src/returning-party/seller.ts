import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { devAgent, grpcTransport, MacpClient, ProposalSession } from '@proffer/client';

/** A seller that may be killed at any moment: `node seller.js TARGET SESSION NOTES`. Says what it does, a line each. */
const [target = '', sessionId = '', notes = ''] = process.argv.slice(2);
const client = new MacpClient({ transport: grpcTransport({ target }), auth: devAgent('seller') });
const session = await ProposalSession.join(client, sessionId);

for await (const { sequence, envelope } of session.envelopes({ after: lastSequence() })) {
  console.log(`heard ${sequence}`);
  if (envelope.sender === 'buyer') await answer(envelope.message_type);
  writeDown(sequence);
}
await client.close();
// Otherwise the process would wait for more.
process.stdin.destroy();

/** Message ids follow from what is answered, so that an answer that is given again is the same message (N-6). */
async function answer(type: string): Promise<void> {
  if (type === 'Proposal') {
    const terms = { summary: '$70', messageId: 'counter-to-p1' };
    const { duplicate } = await session.counterPropose('p2', 'p1', 'With toner', terms);
    console.log(`countered duplicate=${duplicate}`);
    // The toner has to be put aside before this counts as done.
    await once(process.stdin, 'data');
  } else if (type === 'Accept') {
    await session.accept('p2', { messageId: 'accept-p2' });
  }
}

/** The sequence number that everything up to is done with; 0 at first. */
function lastSequence(): number {
  try {
    return Number(readFileSync(notes, 'utf8'));
  } catch {
    return 0;
  }
}

function writeDown(sequence: number): void {
  writeFileSync(`${notes}.new`, String(sequence));
  renameSync(`${notes}.new`, notes);
}

import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { devAgent, grpcTransport, MacpClient, ProposalSession } from '@proffer/client/negotiation';

/**
 * A seller that may be killed at any time: `node seller.js TARGET SESSION NOTES`. Prints each of its actions
 * as a line.
 */
const [target = '', sessionId = '', notes = ''] = process.argv.slice(2);
const client = new MacpClient({ transport: grpcTransport({ target }), auth: devAgent('seller') });
const session = await ProposalSession.join(client, sessionId);

for await (const { sequence, envelope } of session.envelopes({ after: lastSequence() })) {
  console.log(`heard ${sequence}`);
  if (envelope.sender === 'buyer') await answer(envelope.message_type);
  saveSequence(sequence);
}
await client.close();
// Otherwise the process would keep waiting.
process.stdin.destroy();

/**
 * Message ids are derived from the message being answered, so a repeated answer is the same message (N-6).
 */
async function answer(type: string): Promise<void> {
  if (type === 'Proposal') {
    const terms = { summary: '$70', messageId: 'counter-to-p1' };
    const { duplicate } = await session.counterPropose('p2', 'p1', 'With toner', terms);
    console.log(`countered duplicate=${duplicate}`);
    // The toner must be reserved before this counts as done.
    await once(process.stdin, 'data');
  } else if (type === 'Accept') {
    await session.accept('p2', { messageId: 'accept-p2' });
  }
}

/** The last sequence number that is fully processed; 0 at first. */
function lastSequence(): number {
  try {
    return Number(readFileSync(notes, 'utf8'));
  } catch {
    return 0;
  }
}

function saveSequence(sequence: number): void {
  writeFileSync(`${notes}.new`, String(sequence));
  renameSync(`${notes}.new`, notes);
}

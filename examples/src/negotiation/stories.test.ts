import { expect, it } from 'vitest';
import { agreedPayment } from '../agreed-payment/story.js';
import { budgetNegotiation } from '../budget-negotiation/story.js';
import { contractNegotiation } from '../contract-negotiation/story.js';
import { multiRound } from '../multi-round/story.js';
import type { LiveStory } from '../story.js';
import { terminalRejection } from '../terminal-rejection/story.js';

async function linesOf(story: LiveStory): Promise<string> {
  const lines: string[] = [];
  await story.tell((line) => lines.push(line));
  return lines.join('\n');
}

it('N-7, N-9: settles the contract after a counter-offer that all accept', async () => {
  const told = await linesOf(contractNegotiation);
  expect(told).toMatch(/coordinator +Commitment +contract\.agreed/);
  expect(told).toContain('The session is RESOLVED; the outcome is contract.agreed.');
});

it('N-12: brings both sides to the same state after several rounds', async () => {
  expect(await linesOf(multiRound)).toContain('Both sides end Committed on p3.');
});

it('N-13: settles the budget between three parties under a registered policy', async () => {
  const told = await linesOf(budgetNegotiation);
  expect(told).toMatch(/research +Commitment +✗ FORBIDDEN/);
  expect(told).toContain('The budget is 45 / 30 / 25, committed by finance.');
});

it('N-10, N-11: commits a terminal rejection as a negative outcome', async () => {
  expect(await linesOf(terminalRejection)).toContain('purchase.abandoned, a negative one.');
});

it('O-53, N-32: pays the budget that was agreed, once, and shows the whole chain', async () => {
  const told = await linesOf(agreedPayment);
  expect(told).toMatch(/tools +pays +→ 4000/);
  expect(told).toMatch(/sales +commits again +✗ SESSION_NOT_OPEN/);
  expect(told).toMatch(/sales +agrees alone +→ a proposal that nobody has approved/);
  expect(told).toMatch(/evidence +sales +Commitment\n.*\n.*system:gateway +agreed/);
});

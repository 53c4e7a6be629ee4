import { describe, expect, it } from 'vitest';
import { doubtAbout } from './runnable.js';

const proposal = {
  id: 'ask-1',
  proposer: 'billing-bot',
  subject: { list: 'tools', name: 'refund' },
} as const;

describe('call that nobody announced', () => {
  it('O-26: can run if its executor is connected, such as an agent that runs its own calls', () => {
    const wouldRun = { name: 'billing-bot', isConnected: true, isProposer: true };
    expect(doubtAbout({ ...proposal, wouldRun }, [])).toBeUndefined();
  });

  it('O-26: cannot run while its executor is away', () => {
    const wouldRun = { name: 'billing-bot', isConnected: false, isProposer: true };
    expect(doubtAbout({ ...proposal, wouldRun }, [])).toBe('billing-bot is not connected');
  });

  it('O-26: cannot run if it has no executor', () => {
    expect(doubtAbout(proposal, [])).toBe('nobody serves it now');
  });
});

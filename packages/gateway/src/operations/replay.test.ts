import { mayBeRemoved } from '@proffer/core';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { journalWith, shared } from '../testing/journals.js';
import { chat, proposal, withdrawal } from '../testing/messages.js';
import { type Answer, ask, post } from '../testing/peers/http.js';
import { startTestGateway } from '../testing/test-gateway.js';

const names = Array.from({ length: 20 }, (_, index) => `space-${index}`);
const SPACES = `dev: true\nspaces:\n${names.map((name) => `  ${name}: {}\n`).join('')}`;

/** The journal, with a count of passes over its history. */
function counted(journal: Journal): { readonly journal: Journal; readonly walks: () => number } {
  let walks = 0;
  const feed: Journal['feed'] = (space, after, options) => {
    if (options?.follow === false) walks++;
    return journal.feed(space, after, options);
  };
  return { journal: journalWith(journal, { feed }), walks: () => walks };
}

/** Proposes something in a space. */
function tell(http: string, space: string): Promise<Answer> {
  const body = JSON.stringify(proposal(`p-${space}`));
  return ask(`${http}/spaces/${space}/messages`, 'agent', { method: 'POST', body });
}

describe('startup', () => {
  it('I-8: reads the journal once, however many spaces there are', async () => {
    const journal = createMemoryJournal();
    {
      await using gateway = await startTestGateway(SPACES, shared(journal));
      for (const name of names) await tell(gateway.http, name);
    }
    const { journal: observed, walks } = counted(journal);
    await using gateway = await startTestGateway(SPACES, observed);
    expect(walks()).toBe(1);
    for (const name of names) {
      const again = await tell(gateway.http, name);
      expect(again.body).toMatchObject({ status: 'duplicate' });
    }
  });

  it('O-22: works although the last records of a space were removed', async () => {
    const journal = createMemoryJournal();
    {
      await using gateway = await startTestGateway('dev: true', shared(journal));
      await post(gateway.http, 'agent', chat('c1'));
      await post(gateway.http, 'agent', proposal('p1'));
      await post(gateway.http, 'agent', withdrawal('w1', 'p1'));
    }
    await journal.compact({ before: Date.now() + 1, keep: (last) => !mayBeRemoved(last) });
    await using gateway = await startTestGateway('dev: true', journal);
    expect((await post(gateway.http, 'agent', chat('c2'))).status).toBe(200);
  });
});

import {
  attachCall,
  DecisionSession,
  devAgent,
  HandoffSession,
  httpTransport,
  MacpClient,
  ProposalSession,
  QuorumSession,
  TaskSession,
} from '@proffer/client/negotiation';
import { expect, it } from 'vitest';
import { playEveryMode } from './testing/every-mode.js';
import { useHouse } from './testing/house.js';

const house = useHouse('dev: true\nspaces: { talks: {} }');

it('N-9, N-10: follows a session, and a party accepts, counters and commits in the browser', async () => {
  const transport = httpTransport({ url: house.url });
  await using buyer = new MacpClient({ transport, auth: devAgent('buyer') });
  const session = new ProposalSession(buyer);
  await session.start({ intent: 'a price', participants: ['buyer', 'seller'], ttlMs: 600_000 });
  await session.propose('p1', 'Ten', { summary: 'ten a piece' });
  const page = await house.open('seller', 'talks');
  await page.getByRole('link', { name: 'Negotiations' }).click();
  await page.getByRole('button', { name: /a price.*buyer, seller/ }).click();
  await page.getByText('"p1" is not accepted by').waitFor();
  await page.getByRole('button', { name: 'Counter' }).click();
  await page.getByLabel('Title').fill('Twelve');
  await page.getByRole('button', { name: 'Counter' }).last().click();
  await expect.poll(() => page.locator('.offers .offers').innerText()).toContain('Twelve');
  await session.refresh();
  const [counter] = session.projection.liveProposals();
  await session.accept(counter?.proposalId ?? '');
  await page.getByRole('button', { name: 'Accept' }).first().click();
  await page.getByText('buyer can commit it').waitFor();
  await session.commit({ action: 'sold', authorityScope: 'shop', reason: 'both agree' });
  await page.getByText('Agreed and committed').waitFor();
  await session.close();
});

it('N-12: shows each mode as people think of it, now and at every earlier step', async () => {
  const { decision, task, handoff, quorum, rounds } = await playEveryMode(house.url);
  const page = await house.open('reviewer', 'talks');
  const shows = async (id: string, ...texts: readonly (string | RegExp)[]): Promise<void> => {
    await page.goto(`${house.url}/console/talks/negotiations/${id}`);
    for (const text of texts) await page.getByText(text).first().waitFor();
  };
  await shows(task, '60 %', 'two of three parts', 'declined it: busy');
  await shows(handoff, 'until the handoff to', 'The disk of db-2 is full.', 'declined: on leave');
  await shows(quorum, '1 of 2 approvals', 'has not answered');
  await shows(rounds, 'How many days?', 'none yet');
  const row = page.getByRole('row', { name: /^ann/ });
  expect(await row.innerText()).toMatch(/^ann\s+2\s+4\s+5$/);
  await shows(decision, 'Decision Mode', 'objects (critical): too hot in July');
  const berlin = page.getByRole('row', { name: /Berlin/ });
  expect(await berlin.innerText()).toMatch(/1 of 2 votes to approve\s+approves\s+rejects/);
  // Before the last two of seven messages, nobody had voted.
  for (const step of [1, 2]) {
    await page.getByRole('button', { name: 'Step back' }).click();
    await page.getByText(`as it was after ${7 - step} messages`).waitFor();
  }
  expect(await berlin.innerText()).not.toContain('approves');
  expect(await berlin.innerText()).toContain('recommends approve, 80 % sure: good trains');
});

it('N-32: an offer is accepted, and an option voted for, with its call in view', async () => {
  const transport = httpTransport({ url: house.url });
  await using buyer = new MacpClient({ transport, auth: devAgent('buyer') });
  const about = { participants: ['buyer', 'seller'], ttlMs: 600_000 };
  const callFor = (amount: number) => {
    const params = { name: 'pay', arguments: { to: 'buyer', amount } };
    return attachCall({ space: 'talks', method: 'tools/call', params });
  };
  await using session = new ProposalSession(buyer);
  await session.start({ ...about, intent: 'a price' });
  await session.propose('p1', 'Lunch', { summary: 'ten', details: callFor(9000) });
  await using decision = new DecisionSession(buyer);
  await decision.start({ ...about, intent: 'a place' });
  await decision.propose('o1', 'Rome', { supportingData: callFor(7000) });
  await using quorum = new QuorumSession(buyer);
  await quorum.start({ ...about, intent: 'a yes' });
  await quorum.requestApproval('r1', 'Lunch', { requiredApprovals: 1, details: callFor(5000) });

  const page = await house.open('seller', 'talks');
  for (const [{ sessionId }, amount] of [
    [session, '9000'],
    [decision, '7000'],
    [quorum, '5000'],
  ] as const) {
    await page.goto(`${house.url}/console/talks/negotiations/${sessionId}`);
    const call = page.getByRole('figure', {
      name: /accepts (Lunch|Rome) approves a call in the space talks/,
    });
    await expect.poll(() => call.innerText()).toMatch(new RegExp(`pay[^]*buyer[^]*${amount}`));
  }
});

it('N-32, O-53: what is committed in the browser proposes the call that was agreed on', async () => {
  const transport = httpTransport({ url: house.url });
  await using buyer = new MacpClient({ transport, auth: devAgent('buyer') });
  await using seller = new MacpClient({ transport, auth: devAgent('seller') });
  await using session = new ProposalSession(seller);
  const params = { name: 'pay', arguments: { amount: 9000 } };
  const details = attachCall({ space: 'talks', method: 'tools/call', params });
  await session.start({ intent: 'a lunch', participants: ['buyer', 'seller'], ttlMs: 600_000 });
  await session.propose('p1', 'Lunch', { summary: 'for two', details });
  await session.accept('p1');
  await using other = await ProposalSession.join(buyer, session.sessionId);
  await other.accept('p1');
  const page = await house.open('seller', 'talks');
  await page.goto(`${house.url}/console/talks/negotiations/${session.sessionId}`);
  await page.getByText('You can commit it').waitFor();
  await page.getByRole('button', { name: 'Commit the agreement' }).click();
  await page.getByLabel('Why, in one sentence').fill('both like it');
  await page.getByRole('button', { name: 'Commit the agreement' }).last().click();
  await page.getByText('Agreed and committed').waitFor();
  const headers = { authorization: 'Bearer seller' };
  const pending = async () => await (await fetch(`${house.url}/spaces/talks/proposals`, { headers })).json();
  await expect.poll(pending).toMatchObject({ proposals: [{ proposer: 'seller', params }] });
});

it('N-12: a phone shows all that is said about an option without scrolling sideways', async () => {
  const { decision } = await playEveryMode(house.url);
  const page = await house.open('reviewer', 'talks', { viewport: { width: 390, height: 844 } });
  await page.goto(`${house.url}/console/talks/negotiations/${decision}`);
  const votes = page.getByRole('region', { name: 'Votes' });
  await votes.getByText('objects (critical): too hot in July').waitFor();
  expect(await votes.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const told = await votes
    .locator('td')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
  expect(told).toEqual(['"ann"', '"bob"', '"reviewer"', '"ann"', '"bob"', '"reviewer"']);
});

it('the list of negotiations is searched by subject, participant, mode and state', async () => {
  await playEveryMode(house.url);
  const page = await house.open('reviewer', 'talks');
  await page.getByRole('link', { name: 'Negotiations' }).click();
  const list = page.locator('.sessions li');
  // They arrive one by one.
  const other = list.filter({ hasText: 'Where do we meet?' }).first();
  await other.waitFor();
  const find = (words: string) => page.getByLabel('Search the negotiations').fill(words);
  await find('task OPEN bob');
  await expect
    .poll(async () => new Set(await list.locator('b').allInnerTexts()))
    .toEqual(new Set(['A translation']));
  await find('nothing like this');
  await page.getByText('None matches.').waitFor();
  await find('');
  await other.waitFor();
});

it('N-14, N-17: a participant votes, casts a ballot, takes over and reports in the browser', async () => {
  const { decision, quorum, rounds } = await playEveryMode(house.url);
  await using ann = new MacpClient({ transport: httpTransport({ url: house.url }), auth: devAgent('ann') });
  const about = { participants: ['ann', 'reviewer'], ttlMs: 3_600_000 };
  await using handoff = new HandoffSession(ann);
  await handoff.start({ ...about, intent: 'The pager' });
  await handoff.offer('h1', 'reviewer', { scope: 'the pager' });
  await using task = new TaskSession(ann);
  await task.start({ ...about, intent: 'A translation' });
  await task.request('t1', 'Translate the page');

  const page = await house.open('reviewer', 'talks');
  const visit = (id: string) => page.goto(`${house.url}/console/talks/negotiations/${id}`);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const say = async (label: string, words: string, button: string): Promise<void> => {
    await page.getByLabel(label).fill(words);
    await press(button);
  };

  await visit(quorum);
  await press('Approve');
  await page.getByText('2 of 2 approvals').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Abstain' }).count()).toBe(0);

  await visit(decision);
  const rome = page.getByRole('row', { name: /Rome/ });
  await page.getByText('Your vote on Rome').waitFor();
  await page.getByRole('button', { name: 'Reject', exact: true }).last().click();
  await page.getByLabel('Why, in one sentence').fill('too hot');
  await page.getByRole('button', { name: 'Reject', exact: true }).last().click();
  await expect.poll(() => rome.innerText()).toContain('rejects');

  await visit(rounds);
  await press('Contribute a value');
  await say('Your value', '5', 'Contribute a value');
  await page.getByText('All have the same value').waitFor();

  await visit(handoff.sessionId);
  await press('Take over the pager');
  await page.getByText('until the handoff to reviewer is committed').waitFor();

  await visit(task.sessionId);
  await press('Take the task');
  await press('Report it done');
  await say('What came out', 'Seite', 'Report it done');
  await page.getByText('Completed: Seite').waitFor();
});

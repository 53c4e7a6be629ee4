import { devAgent, httpTransport, MacpClient, ProposalSession } from '@proffer/client';
import { expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { propose, serve, useHouse } from './testing/house.js';

const REVIEW = '{ review: [{ call: mcp.request.tools/call:pay, from: [reviewer] }] }';
const house = useHouse(`dev: true\nspaces: { main: ${REVIEW} }`);

/** A space with something in every view. */
async function fill(space: string) {
  const join = (who: string) => house.join(who, space);
  const [files, agent, reviewer] = await Promise.all([join('files'), join('agent'), join('reviewer')]);
  await serve(files, 'write_file');
  await serve(files, 'pay');
  const first = await propose(agent, 'write_file', { path: '/first' });
  await reviewer.reject(first, 'unsafe', 'not today');
  for (const path of ['/one', '/two', '/three']) await propose(agent, 'read_file', { path });
  const id = await propose(agent, 'pay', { path: '/a', rows: [{ a: 1 }, { a: 2 }] }, { dependsOn: [first] });
  const params = { name: 'pay', arguments: { path: '/b' } };
  const { id: offered } = await reviewer.counter(id, params, { reason: 'better' });
  const answer = { name: 'pay', arguments: { path: '/c' } };
  await agent.counter(id, answer, { reason: 'better still', answers: offered });
  await reviewer.grant('agent', ['mcp.request.tools/call:write_file'], { uses: 5, reason: 'for the test' });
  await reviewer.delegate('files', { until: Date.now() + 3_600_000 });
  await reviewer.delegate('files', { until: Date.now() + 3_600_000, proposal: id });
  const client = new MacpClient({ transport: httpTransport({ url: house.url }), auth: devAgent('buyer') });
  const session = new ProposalSession(client);
  await session.start({ intent: 'a price', participants: ['buyer', 'reviewer'], ttlMs: 600_000 });
  await session.propose('p1', 'Ten', { summary: 'ten a piece' });
  const negotiation = session.sessionId;
  await session.close();
  return { id, negotiation };
}

it('has no barrier that axe finds in any view, in the light and in the dark theme', async () => {
  const { id, negotiation } = await fill('main');
  const page = await house.visit('/console/main/inbox');
  const found: string[] = [];
  const look = async (where: string, shown: string | RegExp): Promise<void> => {
    await page.getByText(shown).first().waitFor();
    found.push(...(await barriersOn(page)).map((barrier) => `${where}, ${barrier}`));
  };
  await look('signing in', 'reviewer');
  await page.getByRole('button', { name: 'reviewer' }).click();
  await page.getByRole('option', { name: /pay/ }).click();
  await look('inbox with a card', 'Offered instead');
  const panels = [
    ['e', 'Edit what will run'],
    ['r', 'Reject, because …'],
    ['h', 'Allow this …'],
    ['d', 'Hand this review to …'],
    ['?', 'approve, once all of it was shown'],
  ] as const;
  for (const [key, shown] of panels) {
    await page.keyboard.press(key);
    await look(`card, ${shown}`, shown);
    await page.keyboard.press('Escape');
    await page.getByText(shown).first().waitFor({ state: 'detached' });
  }
  await page.keyboard.press('c');
  await page.getByLabel('path').fill('/d');
  await page.getByRole('button', { name: 'Offer this instead' }).click();
  await look('card, offering', 'Offer this instead, because …');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('option', { name: /3 × read_file/ }).click();
  await look('batch', 'How they differ');
  const views = [
    ['proposals', id, 'Its whole life'],
    ['history', undefined, 'write_file'],
    ['negotiations', undefined, 'a price'],
    ['negotiations', negotiation, 'Who accepts what'],
    ['people', undefined, 'Allowed for a while'],
  ] as const;
  for (const [view, item, shown] of views) {
    await page.goto(`${house.url}/console/main/${view}${item === undefined ? '' : `/${item}`}`);
    await look(view, shown);
  }
  await page.getByRole('button', { name: 'Hand over my reviews' }).click();
  await look('people, handing over', 'Hand over');
  expect(found).toEqual([]);
});

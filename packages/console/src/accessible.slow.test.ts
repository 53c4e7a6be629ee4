import { devAgent, httpTransport, MacpClient, ProposalSession } from '@proffer/client/negotiation';
import { LOOK_FIRST } from '@proffer/core/gesture';
import { expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { playEveryMode } from './testing/every-mode.js';
import { propose, readAll, serve, useHouse } from './testing/house.js';

const REVIEW = '{ review: [{ call: mcp.request.tools/call:pay, from: [reviewer] }] }';
const house = useHouse(`dev: true\nspaces: { main: ${REVIEW}, phone: {}, zoom: {} }`);

/** A space with something in every view. */
async function fill(space: string) {
  const join = (who: string) => house.join(who, space);
  const [files, agent, reviewer] = await Promise.all([join('files'), join('agent'), join('reviewer')]);
  await serve(files, 'write_file');
  await serve(files, 'pay');
  const first = await propose(agent, 'write_file', { path: '/first' });
  await reviewer.reject(first, 'unsafe', 'not today');
  for (const path of ['/one', '/two', '/three']) await propose(agent, 'read_file', { path });
  await propose(agent, 'write_file', { path: '/again' });
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

it('has no barrier that axe finds in any view, in the light and the dark theme', async () => {
  const { id, negotiation } = await fill('main');
  const modes = await playEveryMode(house.url);
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
    ['d', 'Hand this review to …'],
    ['?', 'approve, once you have seen all of it'],
  ] as const;
  // A card takes keys only once its reader has had time to look.
  await page.clock.fastForward(LOOK_FIRST);
  for (const [key, shown] of panels) {
    await page.keyboard.press(key);
    await look(`card, ${shown}`, shown);
    await page.keyboard.press('Escape');
    await page.getByText(shown).first().waitFor({ state: 'detached' });
  }
  await page.keyboard.press('c');
  await page.getByLabel('path').fill('/d');
  await look('card, offering', 'Make the counter-offer');
  await page.keyboard.press('Escape');
  // A call that no policy covers can be allowed for a while.
  await page.getByRole('option', { name: /again/ }).click();
  await page.keyboard.press('h');
  await look('card, allowing', 'Allow this …');
  await page.keyboard.press('Escape');
  await page.getByRole('option', { name: /3 × read_file/ }).click();
  await look('batch', 'How they differ');
  const views = [
    ['proposals', id, 'Full history'],
    ['history', undefined, 'write_file'],
    ['negotiations', undefined, 'a price'],
    ['negotiations', negotiation, 'Who accepts what'],
    ['negotiations', modes.decision, 'Options and votes'],
    ['negotiations', modes.task, 'works on it'],
    ['negotiations', modes.handoff, 'Who holds it'],
    ['negotiations', modes.quorum, '1 of 2 approvals'],
    ['negotiations', modes.rounds, 'none yet'],
    ['people', undefined, 'Allowed for a while'],
  ] as const;
  for (const [view, item, shown] of views) {
    await page.goto(`${house.url}/console/main/${view}${item === undefined ? '' : `/${item}`}`);
    await look(view, shown);
  }
  await page.getByRole('button', { name: 'Pause all approvals …' }).click();
  await look('pausing', 'Why (everyone sees it)');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await look('palette', 'Export the history …');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delegate my reviews' }).click();
  await look('people, handing over', 'Delegate');
  expect(found).toEqual([]);
});

/** An agent that asks for a tool someone else runs. */
async function staffed(space: string) {
  const [files, builder] = await Promise.all([house.join('files', space), house.join('builder', space)]);
  await serve(files, 'write_file');
  return builder;
}

it('fits a phone: one thing at a time, nothing wider than the screen', async () => {
  const builder = await staffed('phone');
  await propose(builder, 'write_file', { path: `/${'long'.repeat(40)}`, content: 'x'.repeat(500) });
  const page = await house.open('reviewer', 'phone', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  const isWide = () => page.evaluate('document.documentElement.scrollWidth > innerWidth');
  await page.getByRole('option', { name: /write_file/ }).tap();
  await page.getByRole('article').waitFor();
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await isWide()).toBe(false);
  await readAll(page);
  // A note does not cover what a thumb is about to press.
  await page.keyboard.press('z');
  const note = await page.locator('.key-note.on').boundingBox();
  const bar = await page.locator('.bar').boundingBox();
  expect((note?.y ?? 740) + (note?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  await page.getByRole('button', { name: 'Reject' }).tap();
  await page.getByRole('button', { name: 'Unsafe' }).tap();
  await page.getByText('You rejected this call.').waitFor();
  await page.getByRole('button', { name: 'Back' }).tap();
  await page.getByRole('navigation').waitFor();
  expect(await isWide()).toBe(false);
  // What does not fit is one tap away, and so is signing out.
  await page.getByRole('button', { name: 'More' }).tap();
  const more = page.getByRole('dialog', { name: 'More' });
  await more.getByText('You are reviewer in phone, connected.').waitFor();
  expect(await barriersOn(page)).toEqual([]);
  await more.getByRole('button', { name: 'Rules' }).tap();
  await page.getByRole('heading', { name: 'Rules' }).first().waitFor();
  expect(await isWide()).toBe(false);
  await page.getByRole('button', { name: 'More' }).tap();
  await more.getByRole('button', { name: 'Sign out' }).tap();
  await page.getByLabel('Another name').waitFor();
});

it('can be read and decided at 400 % zoom, with nothing wider than the screen', async () => {
  const builder = await staffed('zoom');
  const content = `${'long'.repeat(60)}\n`.repeat(3);
  const id = await propose(builder, 'write_file', { path: `/${'long/'.repeat(40)}`, content });
  const page = await house.open('reviewer', 'zoom', {
    viewport: { width: 320, height: 256 },
    deviceScaleFactor: 4,
  });
  const width = () => page.evaluate('document.documentElement.scrollWidth');
  await page.getByRole('option', { name: /write_file/ }).click();
  await page.keyboard.press('?');
  // Its beginning is visible, including keys.
  const help = page.getByRole('dialog', { name: 'Keys' });
  await help.waitFor();
  expect(await help.evaluate((element) => element.scrollTop)).toBe(0);
  expect(await help.locator('kbd').first().isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await readAll(page);
  const bar = page.locator('.bar');
  const room = async () => (await bar.boundingBox())?.y ?? 0;
  // More than half of the screen is for content.
  expect(await room()).toBeGreaterThan(128);
  await page.keyboard.press('r');
  await page.getByRole('group', { name: 'Why are you rejecting this call?' }).waitFor();
  expect(await room()).toBeGreaterThan(48);
  await bar.hover();
  await page.mouse.wheel(0, 400);
  const words = page.getByLabel('In your own words');
  await expect.poll(async () => (await words.boundingBox())?.y).toBeLessThan(256 - 34);
  expect(await width()).toBe(320);
  for (const view of [`proposals/${id}`, 'history', 'negotiations', 'people']) {
    await page.goto(`${house.url}/console/zoom/${view}`);
    await page.locator('.main h1').first().waitFor();
    expect(await width()).toBe(320);
  }
});

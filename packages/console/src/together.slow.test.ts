import type { JsonObject } from '@proffer/core/json';
import { createToken } from '@proffer/gateway';
import { expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { looked, propose, serve, useHouse } from './testing/house.js';

const SPACES = [
  'four',
  'race',
  'killed',
  'rights',
  'batch',
  'table',
  'quorum',
  'relaxed',
  'delegated',
  'back',
  'executor',
  'executors',
];
const REVIEWED = new Set(['quorum', 'relaxed', 'delegated', 'back']);
const spaces = `{ ${SPACES.map((name) => `${name}: ["*"]`).join(', ')} }`;
const REVIEW = '{ review: [{ call: mcp.request.tools/call:pay, approvals: 2, from: [ada, grace] }] }';
const configured = (review: string): string => `dev: true
spaces: { ${SPACES.map((name) => `${name}: ${REVIEWED.has(name) ? review : '{}'}`).join(', ')} }
participants: { ${['ada', 'grace', 'alan', 'linus'].map((name) => `${name}: { spaces: ${spaces} }`).join(', ')} }`;
const house = useHouse(configured(REVIEW));

it('O-12: lets one of two simultaneous approvals win, runs it once, and tells the other who was first', async () => {
  const [files, agent] = await Promise.all([house.join('files', 'race'), house.join('agent', 'race')]);
  let runs = 0;
  await files.serve([{ name: 'write_file', handler: () => `ran ${++runs}` }]);
  const [ada, grace] = await Promise.all([house.open('ada', 'race'), house.open('grace', 'race')]);
  await propose(agent, 'write_file', { path: '/a' });
  for (const page of [ada, grace]) await looked(page);
  // A click that waits for its button would find the button gone once the other was first.
  const click = "document.querySelector('.bar .go')?.click()";
  await Promise.all([ada, grace].map((page) => page.evaluate(click)));
  const said = await Promise.all(
    [ada, grace].map(async (page) => {
      await page
        .locator('.bar')
        .getByText(/It ran/)
        .waitFor();
      return await page.locator('.bar').innerText();
    }),
  );
  expect(said.filter((text) => text.includes('You approved this call.'))).toHaveLength(1);
  expect(said.filter((text) => /(?:ada|grace) approved this call/.test(text))).toHaveLength(1);
  expect(runs).toBe(1);
});

it('O-12, O-17: shows everyone the same result after four people decide at once, two of them on the same card', async () => {
  const [files, agent] = await Promise.all([house.join('files', 'four'), house.join('agent', 'four')]);
  const ran: unknown[] = [];
  const handler = ({ path }: JsonObject): string => {
    ran.push(path);
    return 'ran';
  };
  await files.serve([{ name: 'write', handler }]);
  const [raced, rejected, edited] = await Promise.all(
    ['/raced', '/rejected', '/edited'].map((path) => propose(agent, 'write', { path })),
  );
  const cards = [
    ['ada', raced],
    ['grace', raced],
    ['alan', rejected],
    ['linus', edited],
  ] as const;
  const pages = await Promise.all(
    cards.map(async ([who, id]) => {
      const page = await house.visit(`/console/four/inbox/${id}`);
      await page.getByLabel('Another name').fill(who);
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByText(/This approval covers exactly/).waitFor();
      return page;
    }),
  );
  const [ada, grace, alan, linus] = pages;
  if (ada === undefined || grace === undefined || alan === undefined || linus === undefined) return;
  await Promise.all([alan.keyboard.press('r'), linus.keyboard.press('e')]);
  await linus.getByLabel('path').fill('/changed');
  await Promise.all([
    ada.keyboard.press('a'),
    grace.keyboard.press('a'),
    alan.keyboard.press('1'),
    linus.keyboard.press('Control+Enter'),
  ]);
  for (const page of [ada, grace, linus])
    await page
      .locator('.bar')
      .getByText(/It ran/)
      .waitFor();
  await alan.getByText('You rejected this call.').waitFor();
  expect(new Set(ran)).toEqual(new Set(['/changed', '/raced']));
  expect(ran).toHaveLength(2);
  for (const page of pages) {
    await page.goto(`${house.url}/console/four/history`);
    const rows = page.locator('.history-row');
    await expect.poll(async () => (await rows.allInnerTexts()).join('\n').match(/\bdone\b/g)?.length).toBe(2);
    await expect.poll(async () => (await rows.allInnerTexts()).join('\n')).toMatch(/pending/);
  }
});

it('O-28, O-29: shows the approvals so far and who is missing, and runs with the second', async () => {
  const [files, agent] = await Promise.all([house.join('files', 'quorum'), house.join('agent', 'quorum')]);
  let runs = 0;
  await files.serve([{ name: 'pay', handler: () => `ran ${++runs}` }]);
  await propose(agent, 'pay', { amount: 5 });
  const [ada, grace] = await Promise.all([house.open('ada', 'quorum'), house.open('grace', 'quorum')]);
  for (const page of [ada, grace]) await looked(page);
  await ada.keyboard.press('a');
  await ada.getByText('Your approval is recorded: 1 of 2 approvals, waiting for grace.').waitFor();
  await grace.getByText('1 of 2 approvals, waiting for you').first().waitFor();
  expect(runs).toBe(0);
  await looked(grace);
  await grace.keyboard.press('a');
  for (const page of [ada, grace])
    await page
      .locator('.bar')
      .getByText(/It ran/)
      .waitFor();
  expect(runs).toBe(1);
});

it('O-28: learns that the policy was relaxed, and runs what has enough approvals when one is given again', async () => {
  const [files, agent] = await Promise.all([house.join('files', 'relaxed'), house.join('agent', 'relaxed')]);
  await files.serve([{ name: 'pay', handler: () => 'paid' }]);
  await propose(agent, 'pay', { amount: 5 });
  const [ada, grace] = await Promise.all([house.open('ada', 'relaxed'), house.open('grace', 'relaxed')]);
  for (const page of [ada, grace]) await looked(page);
  await ada.keyboard.press('a');
  await ada.getByText('Your approval is recorded: 1 of 2 approvals, waiting for grace.').waitFor();
  await grace.getByText('1 of 2 approvals, waiting for you').first().waitFor();
  await house.stop();
  await house.start(configured(REVIEW.replace('approvals: 2', 'approvals: 1')));
  const enough = /1 approval\. The policy now needs only 1: any approver can approve again to run this call/;
  for (const page of [ada, grace]) await page.getByText(enough).first().waitFor();
  expect(agent.pending).toHaveLength(1);
  await ada.getByText('This call has not run. The policy now needs no further approvals').waitFor();
  await expect.poll(() => files.isConnected).toBe(true);
  await ada.getByRole('button', { name: 'Decide again' }).click();
  await looked(ada);
  await ada.keyboard.press('a');
  for (const page of [ada, grace])
    await page
      .locator('.bar')
      .getByText(/It ran/)
      .waitFor();
  await house.stop();
  await house.start();
});

it('O-34: shows a delegation of all reviews as soon as there is one, and that it was taken back', async () => {
  const [files, agent] = await Promise.all([
    house.join('files', 'delegated'),
    house.join('agent', 'delegated'),
  ]);
  await files.serve([{ name: 'pay', handler: () => 'paid' }]);
  await propose(agent, 'pay', { amount: 5 });
  const grace = await house.open('grace', 'delegated');
  await looked(grace);
  const ada = await house.join('ada', 'delegated');
  await ada.delegate('linus', { until: Date.now() + 600_000 });
  const shown = grace.locator('.standing').getByText(/linus decides for ada · ends/);
  await shown.waitFor();
  await ada.undelegate();
  await shown.waitFor({ state: 'detached' });
});

it('O-29: takes an approval back, also after the page was opened again, and lets the same person decide anew', async () => {
  const [files, agent] = await Promise.all([house.join('files', 'back'), house.join('agent', 'back')]);
  await files.serve([{ name: 'pay', handler: () => 'paid' }]);
  const id = await propose(agent, 'pay', { amount: 5 });
  const ada = await house.open('ada', 'back');
  await looked(ada);
  await ada.keyboard.press('a');
  await ada.getByText('Your approval is recorded: 1 of 2 approvals, waiting for grace.').waitFor();
  await ada.goto(`${house.url}/console/back/inbox/${id}`);
  await ada.getByText('Your approval is recorded: 1 of 2 approvals, waiting for grace.').waitFor();
  await ada.getByRole('button', { name: 'Take back' }).click();
  await ada.getByText('You took back your approval. This call stays pending.').waitFor();
  await looked(ada);
  expect(agent.pending).toHaveLength(1);
  await ada.keyboard.press('a');
  await ada.getByText('Your approval is recorded: 1 of 2 approvals, waiting for grace.').waitFor();
});

it('I-1, I-6: reports a missing gateway, and counts a decision made meanwhile once when it is back', async () => {
  const [files, agent] = await Promise.all([house.join('files', 'killed'), house.join('agent', 'killed')]);
  await serve(files, 'write_file');
  await propose(agent, 'write_file', { path: '/a' });
  const page = await house.open('ada', 'killed');
  await page.getByText(/This approval covers exactly/).waitFor();
  await house.stop();
  await page.getByText('The connection to the gateway was lost.').waitFor();
  await page.keyboard.press('a');
  await page.getByText('Sent, not confirmed.').waitFor();
  // The page reconnects last: its retry finds the executor.
  await page.context().setOffline(true);
  await house.start();
  await expect.poll(() => files.isConnected).toBe(true);
  await page.context().setOffline(false);
  await page.getByText('You approved this call.').waitFor();
  await page.getByText(/ran with/).waitFor();
  await page.getByText('The connection to the gateway was lost.').waitFor({ state: 'detached' });
});

it('shows similar calls as a table that sorts, adds up, gives the reasons and includes all or none', async () => {
  const [bank, agent] = await Promise.all([house.join('bank', 'table'), house.join('agent', 'table')]);
  await serve(bank, 'transfer');
  for (const [path, count] of [
    ['/rent', 900],
    ['/tea', 4],
    ['/books', 30],
  ] as const)
    await propose(agent, 'transfer', { path, count }, { reason: `Because of ${path}` });
  const page = await house.open('ada', 'table');
  const rows = page.locator('.batch tbody tr');
  const order = async (): Promise<readonly string[]> =>
    (await rows.allInnerTexts()).map((text) => /(?<=^|\s)\/\w+/.exec(text)?.[0] ?? '');
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual(expect.arrayContaining([expect.stringMatching(/\/tea[^]*4[^]*Because of \/tea/)]));
  const sums = page.locator('.batch tfoot');
  expect(await sums.innerText()).toMatch(/Sum\s+934/);
  await page.getByRole('button', { name: /^count/ }).click();
  await expect.poll(order).toEqual(['/tea', '/books', '/rent']);
  await page.getByRole('button', { name: /^count/ }).click();
  await expect.poll(order).toEqual(['/rent', '/books', '/tea']);
  await rows.filter({ hasText: '/rent' }).getByRole('checkbox').uncheck();
  await expect.poll(() => sums.innerText()).toMatch(/Sum\s+34/);
  const all = page.getByLabel('Include all calls');
  await page.locator('.batch thead input:indeterminate').waitFor();
  await all.check();
  await page.getByRole('button', { name: 'Approve 3' }).waitFor();
  await all.uncheck();
  await page.getByText('All of them have been decided or left out.').waitFor();
  await all.check();
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await barriersOn(page)).toEqual([]);
  if (wide !== null) await page.setViewportSize(wide);
  await looked(page);
  await page.getByRole('button', { name: 'Approve 3' }).click();
  await expect.poll(async () => (await rows.allInnerTexts()).join().match(/\bdone\b/g)?.length).toBe(3);
});

it('O-35: decides similar calls of any agent together, and skips and names one that changed meanwhile', async () => {
  const [files, agent] = await Promise.all([house.join('files', 'batch'), house.join('agent', 'batch')]);
  await serve(files, 'write_file');
  const planner = await house.join('planner', 'batch');
  const ids: string[] = [];
  for (const [who, path] of [
    [agent, '/one'],
    [agent, '/two'],
    [agent, '/three'],
    [planner, '/four'],
  ] as const)
    ids.push(await propose(who, 'write_file', { path, mode: 'append' }));
  const page = await house.open('ada', 'batch');
  await page.getByRole('option', { name: /4 × write_file/ }).waitFor();
  const card = page.getByRole('article');
  await expect.poll(() => card.innerText()).toMatch(/same in all[^]*append[^]*How they differ[^]*\/two/);
  expect(await card.innerText()).toMatch(
    /planner and agent want to run write_file 4 times[^]*planner[^]*\/four/,
  );
  const grace = await house.join('grace', 'batch');
  await grace.reject(ids[1] ?? '', 'unsafe');
  await page.getByLabel('Include call 4').uncheck();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Approve 3' }).click();
  await page.getByText(`${ids[1]} was rejected by grace in the meantime`).waitFor();
  await expect.poll(async () => (await card.innerText()).match(/\bdone\b/g)?.length).toBe(2);
  expect(new Set(grace.pending.map(({ id }) => id))).toEqual(new Set(ids.slice(0, 2)));
});

/** Two servers of the same tool: one announced it first, the other's name sorts first. */
async function rivals(space: string) {
  const ran: string[] = [];
  const serving: { stop(): Promise<void> }[] = [];
  for (const name of ['z-files', 'a-files']) {
    const server = await house.join(name, space);
    const handler = (): string => `ran on ${ran[ran.push(name) - 1]}`;
    serving.push(await server.serve([{ name: 'pay', handler }]));
  }
  return { agent: await house.join('agent', space), ran, stopFirst: () => serving[0]?.stop() };
}

it('O-26: names the actual executor, not the first by name, and allows no substitute', async () => {
  const { agent, ran, stopFirst } = await rivals('executor');
  await propose(agent, 'pay', { amount: 5 });
  const page = await house.open('ada', 'executor');
  await page.getByText(/This approval covers exactly/).waitFor();
  const card = page.getByRole('article');
  expect(await card.innerText()).toMatch(/on z-files/);
  expect(await page.getByLabel('z-files').isChecked()).toBe(true);
  await page.keyboard.press('a');
  await page.getByText('ran on z-files').waitFor();

  await propose(agent, 'pay', { amount: 6 });
  await page.getByRole('option', { name: /amount.*6/ }).click();
  await page.getByText(/This approval covers exactly/).waitFor();
  await stopFirst();
  await page.getByText('z-files was going to run this call; now a-files would. Choose who runs it').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('a');
  await page.getByLabel('a-files').click();
  await page.getByText(/This approval covers exactly/).waitFor();
  await page.keyboard.press('a');
  await page.getByText('ran on a-files').waitFor();
  expect(ran).toEqual(['z-files', 'a-files']);
});

it('O-26, O-35: runs calls that are decided together on the executor of each', async () => {
  const { agent, ran } = await rivals('executors');
  for (const amount of [1, 2, 3]) await propose(agent, 'pay', { amount });
  const page = await house.open('ada', 'executors');
  const card = page.getByRole('article');
  await expect.poll(() => card.innerText()).toMatch(/on z-files/);
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Approve 3' }).click();
  await expect.poll(async () => (await card.innerText()).match(/\bdone\b/g)?.length).toBe(3);
  expect(ran).toEqual(['z-files', 'z-files', 'z-files']);
});

it('I-4: offers no decision to users who may only propose', async () => {
  const other = await house.join('other', 'rights');
  const id = await propose(other, 'write_file', { path: '/a' });
  const page = await house.open('agent', 'rights');
  await page.getByText('Nothing is waiting for you.').waitFor();
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.getByText('You may view this but not decide it.').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  expect(page.url()).toContain(id);
});

const token = createToken();
const withToken = (hashes: readonly string[]): string => `spaces: { main: {} }
participants: { ada: { tokens: ${JSON.stringify(hashes)}, spaces: { main: ["*"] } } }`;
const other = createToken();
const closed = useHouse(withToken([token.hash, other.hash]));

it('I-4: opens the inbox for this tab with a token, and closes it at once when the token expires', async () => {
  const page = await closed.visit('/console/');
  await page.getByText('npx proffer inbox --guard --open').waitFor();
  await page.getByLabel('Your token').fill('pf_wrong');
  await page.keyboard.press('Enter');
  await page.getByText('The gateway does not recognise this token.').waitFor();
  await page.getByLabel('Your token').fill(token.token);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing is waiting for you.').waitFor();
  expect(page.url()).not.toContain(token.token);
  await page.reload();
  await page.getByText('Nothing is waiting for you.').waitFor();
  closed.reload(withToken([other.hash]));
  await page
    .getByText('You were signed out: your token was revoked or has expired. Sign in again with a new one.')
    .waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
});

import { expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { looked, propose, readAll, serve, useHouse } from './testing/house.js';

const SPACES = [
  'offered',
  'answered',
  'phone',
  'allowed',
  'session',
  'unable',
  'handed',
  'plan',
  'chain',
  'changed',
];
const REVIEW = '{ review: [{ call: mcp.request.tools/call:write_file, from: [ada] }] }';
const rights = (capabilities: string): string =>
  `{ spaces: { ${SPACES.map((name) => `${name}: ${capabilities}`).join(', ')} } }`;
const house = useHouse(`dev: true
spaces: { ${SPACES.map((name) => `${name}: ${name === 'handed' ? REVIEW : '{}'}`).join(', ')} }
participants:
  ada: ${rights('["*"]')}
  grace: ${rights('["*"]')}
  linus: ${rights('["mcp.request.*", "mcpx.reject.proposal"]')}`);

/** A server of write_file and an agent, in a separate space. */
async function staffed(space: string) {
  const [files, agent] = await Promise.all([house.join('files', space), house.join('agent', space)]);
  await serve(files, 'write_file');
  return agent;
}

it('O-40: runs exactly the counter-offer made in the editor once the proposer accepts it', async () => {
  const agent = await staffed('offered');
  const id = await propose(agent, 'write_file', { path: '/etc/app' });
  const ada = await house.open('ada', 'offered');
  await ada.getByText(/This approval covers exactly/).waitFor();
  // Without changes there is nothing to offer. Nothing can be approved by mistake while an offer is made.
  await ada.keyboard.press('c');
  const make = ada.getByRole('button', { name: 'Make the counter-offer' });
  await ada.getByText('Cannot be sent yet: nothing has been changed.').waitFor();
  expect(await make.isDisabled()).toBe(true);
  await ada.getByLabel('path').fill('/tmp/app');
  expect(await ada.getByRole('button', { name: /^Approve$/ }).count()).toBe(0);
  // What was changed is kept.
  await ada.keyboard.press('Escape');
  await looked(ada);
  await ada.getByRole('button', { name: 'Counter-offer' }).click();
  await ada.getByLabel('Why you offer something else').fill('not in /etc');
  await ada.keyboard.press('Enter');
  await ada.getByText('Your offer is recorded.').waitFor();
  const offers = ada.locator('.offers-box');
  await expect
    .poll(() => offers.innerText())
    .toMatch(/You offer\s+open[^]*not in \/etc[^]*\/etc\/app[^]*\/tmp\/app/);

  const asked = await house.visit(`/console/offered/proposals/${id}`);
  await asked.getByLabel('Another name').fill('agent');
  await asked.getByRole('button', { name: 'Enter' }).click();
  await expect
    .poll(() => asked.locator('.steps').innerText())
    .toMatch(/ada made a counter-offer[^]*not in \/etc/);
  await asked.getByRole('button', { name: 'Accept and run' }).click();
  await asked.getByText('ran with {"path":"/tmp/app"}').waitFor();
  await expect.poll(() => asked.locator('.steps').innerText()).toMatch(/approved this call as offered/);
  await ada.getByText(/You approved this call.*It ran/).waitFor();
});

it("O-40: reviews the proposer's counter-offer in full and approves it by its own digest", async () => {
  const agent = await staffed('answered');
  const id = await propose(agent, 'write_file', { path: '/etc/app' });
  const ada = await house.join('ada', 'answered');
  const params = (path: string) => ({ name: 'write_file', arguments: { path } });
  const first = await ada.counter(id, params('/tmp/app'), { reason: 'not in /etc' });
  const page = await house.open('grace', 'answered');
  await page.getByText('not in /etc').first().waitFor();
  // A reviewer's offer is for the proposer to accept.
  expect(await page.getByRole('button', { name: 'Review this offer' }).count()).toBe(0);
  await agent.counter(id, params('/srv/app'), { reason: 'it must survive a restart', answers: first.id });
  const answer = page.locator('.counters .counters .counter');
  await expect.poll(() => answer.innerText()).toMatch(/agent answers\s+open[^]*survive a restart/);
  await answer.getByRole('button', { name: 'Review this offer' }).click();
  await page.getByText('What will run: the offer of agent').waitFor();
  await page.getByText(/This approval covers exactly|Scroll to the end to approve \([1-9]/).waitFor();
  await readAll(page);
  await page.keyboard.press('a');
  await page.getByText('ran with {"path":"/srv/app"}').waitFor();
  await page.getByText(/You approved this call.*It ran/).waitFor();
});

it('O-40: does not approve an offer that is withdrawn while it is shown', async () => {
  const agent = await staffed('phone');
  const id = await propose(agent, 'write_file', { path: '/a' });
  const offer = async (path: string) =>
    await agent.counter(id, { name: 'write_file', arguments: { path } }, { reason: `better ${path}` });
  await offer('/b');
  const page = await house.open('grace', 'phone', { viewport: { width: 360, height: 720 } });
  await page.getByRole('option', { name: /write_file/ }).click();
  await page.getByRole('button', { name: 'Review this offer' }).click();
  await page.getByText('What will run: the offer of agent').waitFor();
  await offer('/c');
  await page.getByText('this offer is no longer open').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBe('true');
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(360);
  await page.getByRole('button', { name: 'Back to what was proposed' }).click();
  await page.getByText('What will run: the offer of agent').waitFor({ state: 'detached' });
});

it('O-41: allows the same for a while, exactly as the card says, and revokes it from People', async () => {
  const agent = await staffed('allowed');
  await propose(agent, 'write_file', { path: '/a', count: 2 });
  const page = await house.open('ada', 'allowed');
  await page.getByText(/This approval covers exactly/).waitFor();
  await page.keyboard.press('h');
  const panel = page.getByRole('group', { name: 'Allow this from now on' });
  expect(await panel.innerText()).toMatch(/agent may then run write_file with any arguments without asking/);
  await panel.getByLabel('path is "/a"').check();
  const words = 'run write_file where path is "/a", whatever its other arguments are';
  expect(await panel.innerText()).toContain(words);
  await panel.getByRole('button', { name: 'the next five times' }).click();
  await page.getByText(`agent may ${words}, the next five times.`).waitFor();
  const call = (path: string) => agent.request('tools/call', { name: 'write_file', arguments: { path } });
  expect(await call('/a')).toMatchObject({ content: [{ text: 'ran with {"path":"/a"}' }] });
  await expect(call('/b')).rejects.toMatchObject({ code: 'capability_violation' });
  // It is allowed from now on; existing proposals still have to be decided.
  await page.getByText(/This approval covers exactly/).waitFor();
  await page.getByRole('link', { name: 'People' }).click();
  const granted = page.locator('.in-force li', { hasText: 'agent' });
  await expect.poll(() => granted.innerText()).toMatch(/write_file[^]*by you · 4 uses of 5 left/);
  await call('/a');
  await expect.poll(() => granted.innerText()).toMatch(/3 uses of 5 left/);
  await granted.getByRole('button', { name: 'Revoke' }).click();
  await granted.waitFor({ state: 'detached' });
  await expect(call('/a')).rejects.toMatchObject({ code: 'capability_violation' });
});

it("O-41: allows a self-running agent's call for its session, and the next one runs without approval", async () => {
  const hook = await house.join('claude-code', 'session');
  await serve(hook, 'claude-code/Write');
  const run = (path: string, session: string) =>
    hook.propose(
      'tools/call',
      { name: 'claude-code/Write', arguments: { path } },
      { executor: 'claude-code', origin: { client: 'claude-code', session } },
    );
  const first = run('/a', 's-1');
  const page = await house.open('ada', 'session');
  await page.getByText(/This approval covers exactly/).waitFor();
  await page.keyboard.press('h');
  await page.getByRole('button', { name: 'for this session' }).click();
  await page
    .getByText('claude-code may run claude-code/Write with any arguments, for this session.')
    .waitFor();
  await looked(page);
  await page.keyboard.press('a');
  await first;
  const second = run('/b', 's-1');
  expect(await second).toMatchObject({ content: [{ text: 'ran with {"path":"/b"}' }] });
  expect(second.fulfilment).toMatchObject({ by: 'ada', grant: expect.any(String) });
  const other = run('/a', 's-2');
  await page.getByRole('option', { name: /claude-code\/Write/ }).click();
  await page.getByText('session s-2').first().waitFor();
  await page.getByRole('link', { name: 'People' }).click();
  await page.locator('.in-force li', { hasText: 'session s-1' }).waitFor();
  await other.withdraw();
  await other.catch(() => {});
  const told = await house.visit(`/console/session/proposals/${second.id}`);
  await told.getByLabel('Another name').fill('claude-code');
  await told.getByRole('button', { name: 'Enter' }).click();
  await expect.poll(() => told.locator('.steps').innerText()).toMatch(/ada\s+allowed this call beforehand/);
});

it('O-41: does not offer grants to users who may not grant', async () => {
  const agent = await staffed('unable');
  await propose(agent, 'write_file', { path: '/a' });
  const page = await house.open('linus', 'unable');
  await page.getByText(/This approval covers exactly/).waitFor();
  expect(await page.getByRole('button', { name: 'Allow for' }).count()).toBe(0);
  await page.keyboard.press('h');
  expect(await page.getByRole('group', { name: 'Allow this from now on' }).count()).toBe(0);
});

it('O-34: delegates one review from the card, all of them from People, and takes it back', async () => {
  const agent = await staffed('handed');
  await propose(agent, 'write_file', { path: '/a' });
  const [ada, grace] = await Promise.all([house.open('ada', 'handed'), house.open('grace', 'handed')]);
  await ada.getByText(/This approval covers exactly/).waitFor();
  await ada.keyboard.press('d');
  await ada.getByLabel('Who decides in your place').fill('grace');
  await ada.keyboard.press('Enter');
  await ada.locator('.standing').getByText('grace decides for you').waitFor();
  await grace.locator('.standing').getByText('You decide for ada').waitFor();
  await ada.getByRole('button', { name: 'Take back' }).click();
  await grace.locator('.standing').waitFor({ state: 'detached' });

  await ada.getByRole('link', { name: 'People' }).click();
  await ada.getByRole('button', { name: 'Delegate my reviews' }).click();
  await ada.getByLabel('Who decides in your place').fill('grace');
  await ada.getByLabel('For how long').selectOption('for a week');
  await ada.getByRole('button', { name: 'Delegate', exact: true }).click();
  await expect.poll(() => ada.locator('.in-force').innerText()).toMatch(/grace decides for you/);
  await readAll(grace);
  await grace.keyboard.press('a');
  await grace.getByText(/You approved this call.*It ran/).waitFor();
  await ada.getByRole('button', { name: 'Take back' }).click();
  await ada.getByText('No reviews are delegated.').waitFor();
});

it('O-37: shows what a proposal waits for, and runs it when that is done', async () => {
  const agent = await staffed('plan');
  const first = await propose(agent, 'write_file', { path: '/first' });
  const second = await propose(agent, 'write_file', { path: '/second', count: 1 }, { dependsOn: [first] });
  const page = await house.open('ada', 'plan');
  await page.goto(`${house.url}/console/plan/inbox/${second}`);
  await page.getByText('Step 2 of 2: runs only after step 1 is done.').waitFor();
  await page.getByText(/This approval covers exactly/).waitFor();
  await page.keyboard.press('a');
  await page.getByText(`You approved this call. It runs after ${first}.`).waitFor();
  await page.getByRole('region', { name: 'Plan' }).getByRole('link').first().click();
  await page.waitForURL(`**/${first}`);
  await page.getByText(/This approval covers exactly/).waitFor();
  await page.keyboard.press('a');
  await page.getByText('ran with {"path":"/first"}').waitFor();
  await page.goto(`${house.url}/console/plan/proposals/${second}`);
  await page.getByText(/ran with .*"\/second"/).waitFor();
  await expect
    .poll(() => page.locator('.steps').innerText())
    .toMatch(/succeeded\. This call no longer waits for any other/);
});

it('O-37: draws a plan as a chain, and approves all of it, each step as it is shown', async () => {
  const agent = await staffed('chain');
  const because = (reason: string, dependsOn: readonly string[] = []) => ({
    reason,
    dependsOn: [...dependsOn],
  });
  const first = await propose(
    agent,
    'write_file',
    { path: '/one.ts', content: 'const a = 1;\n// b' },
    because('to begin'),
  );
  const second = await propose(agent, 'write_file', { path: '/two' }, because('then', [first]));
  const third = await propose(agent, 'write_file', { path: '/three' }, because('at last', [first, second]));
  const page = await house.open('ada', 'chain');
  await page.goto(`${house.url}/console/chain/inbox/${second}`);
  const chain = page.getByRole('region', { name: 'Plan' });
  await chain.getByText('Step 2 of 3: runs only after step 1 is done.').waitFor();
  expect(await chain.getByRole('listitem').count()).toBe(3);
  await chain.getByRole('link', { name: 'Review the whole plan' }).click();
  const card = page.getByRole('article');
  await expect
    .poll(() => card.innerText())
    .toMatch(
      /plan of 3 steps[^]*\/one[^]*to begin[^]*\/two[^]*then[^]*after steps 1 and 2[^]*\/three[^]*at last/,
    );
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await barriersOn(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 2_000 });
  await looked(page);
  await page.getByRole('button', { name: 'Approve the plan' }).click();
  await expect.poll(async () => (await card.innerText()).match(/\bdone\b/g)?.length).toBe(3);
  for (const [id, path] of [
    [second, '/two'],
    [third, '/three'],
  ] as const) {
    await page.goto(`${house.url}/console/chain/proposals/${id}`);
    await page.getByText(`ran with {"path":"${path}"}`).waitFor();
  }
});

it('O-37: sends nothing of a plan in which a step changed since it was shown', async () => {
  const agent = await staffed('changed');
  const first = await propose(agent, 'write_file', { path: '/one' });
  const second = await propose(agent, 'write_file', { path: '/two' }, { dependsOn: [first] });
  const page = await house.open('ada', 'changed');
  await page.goto(`${house.url}/console/changed/inbox/plan%20${first}`);
  await looked(page);
  const grace = await house.join('grace', 'changed');
  await grace.reject(second, 'unsafe');
  await page.getByText('rejected by grace').waitFor();
  await page.getByRole('button', { name: 'Approve the plan' }).click();
  await page.getByText(`${second} was rejected by grace in the meantime`).waitFor();
  expect(grace.pending).toHaveLength(2);
});

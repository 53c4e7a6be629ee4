import { readFile } from 'node:fs/promises';
import { verifyStream } from '@proffer/core/records';
import { expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { propose, serve, useHouse } from './testing/house.js';

const SPACES = [
  'agents',
  'days',
  'figures',
  'found',
  'life',
  'listed',
  'nothing',
  'past',
  'people',
  'stopped',
  'told',
];
const SECRET =
  '{ visibility: addressed, review: [{ call: mcp.request.tools/call:write_file, from: [reviewer] }] }';
const house = useHouse(
  `dev: true\nspaces: { secret: ${SECRET}, ${SPACES.map((name) => `${name}: {}`).join(', ')} }`,
);

it('O-13, O-25: shows the whole life of a proposal at a permanent URL', async () => {
  const [files, agent, reviewer] = await Promise.all(
    ['files', 'agent', 'reviewer'].map((name) => house.join(name, 'life')),
  );
  if (files === undefined || agent === undefined || reviewer === undefined) return;
  await serve(files, 'write_file');
  const id = await propose(agent, 'write_file', { path: '/a' });
  await reviewer.status(id, 'considering', 'looking at it');
  const amended = { name: 'write_file', arguments: { path: '/b' } };
  await reviewer.fulfil({ id, method: 'tools/call' }, amended);
  const page = await house.visit(`/console/life/proposals/${id}`);
  await page.getByRole('button', { name: 'reviewer' }).click();
  const life = page.locator('.steps');
  await expect
    .poll(() => life.innerText())
    .toMatch(/agent proposed this call[^]*looking at it[^]*with changes/);
  expect(await life.innerText()).toMatch(/\/arguments\/path[^]*\/a[^]*\/b[^]*ran this call/);
  await page.getByText('ran with {"path":"/b"}').waitFor();
});

it('shows the session and folder of an agent on its card', async () => {
  const agent = await house.join('claude-code', 'agents');
  await agent.serve([{ name: 'claude-code/Bash', handler: () => 'told' }]);
  const origin = {
    client: 'claude-code',
    version: '2.1',
    user: 'ada',
    session: 's-1',
    folder: '/srv/app\u202e',
  };
  const call = { name: 'claude-code/Bash', arguments: { command: 'npm test' } };
  const proposal = agent.propose('tools/call', call, {
    origin,
    executor: 'claude-code',
    reason: 'To check it',
  });
  proposal.catch(() => {});
  await proposal.accepted;
  const page = await house.visit(`/console/agents/inbox/${proposal.id}`);
  await page.getByRole('button', { name: 'reviewer' }).click();
  const from = page.locator('.heading .from');
  // Characters that could change how it reads are shown.
  await expect
    .poll(() => from.innerText())
    .toMatch(/^claude-code 2\.1 · for ada · in \/srv\/app.*202E.* · session s-1$/i);
});

it('marks the risk in each row, and keeps filters in the URL; a search closes a card that it does not find', async () => {
  const join = (who: string) => house.join(who, 'listed');
  const [files, builder, triage] = await Promise.all(['files', 'builder', 'triage'].map(join));
  if (files === undefined || builder === undefined || triage === undefined) return;
  await serve(files, 'delete_file', { annotations: { destructiveHint: true } });
  await serve(files, 'read_file', { annotations: { readOnlyHint: true } });
  await propose(builder, 'delete_file', { path: '/old' }, { to: ['reviewer'] });
  await propose(triage, 'delete_file', { path: '/new' });
  await propose(triage, 'read_file', { path: '/notes' });
  const page = await house.open('reviewer', 'listed');
  const rows = page.locator('.row-item');
  const listed = async (): Promise<string> =>
    (await page.locator('.row-item .about, .row-item .from').allInnerTexts()).join();
  await expect.poll(() => rows.count()).toBe(3);
  await rows.filter({ hasText: '/old' }).getByText('High risk: May destroy data').waitFor();
  await rows.filter({ hasText: '/notes' }).getByText('Low risk: Only reads').waitFor();
  // The words of the card are the same.
  await page.locator('article .tag').getByText('May destroy data').waitFor();

  await page.getByLabel('Risk', { exact: true }).selectOption('High risk');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel('Agent', { exact: true }).selectOption('triage');
  await expect.poll(listed).toBe('/new,triage');
  // The card of what is no longer listed is gone.
  await page.locator('article').getByText('/new').first().waitFor();
  expect(await page.locator('article').innerText()).not.toContain('/old');
  expect(new URL(page.url()).search).toBe('?agent=triage&risk=high');
  await page.reload();
  await expect.poll(listed).toBe('/new,triage');
  expect(await page.getByLabel('Agent', { exact: true }).inputValue()).toBe('triage');
  await page.getByLabel('asked of me').check();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect.poll(() => rows.count()).toBe(3);
  expect(new URL(page.url()).search).toBe('');
  await page.getByLabel('asked of me').check();
  await expect.poll(listed).toBe('/old,builder');
  await page.getByLabel('asked of me').uncheck();

  await rows.filter({ hasText: '/old' }).click();
  await page.getByLabel('Search the inbox').fill('notes');
  await page.locator('article').getByText('/notes').first().waitFor();
  await page.getByLabel('Search the inbox').fill('nothing like it');
  await page.getByText('Nothing is selected.').waitFor();
  expect(await page.locator('.bar').count()).toBe(0);
});

it('I-3: searches, replays, exports and verifies the history in the browser', async () => {
  const [agent, reviewer] = await Promise.all([house.join('agent', 'past'), house.join('reviewer', 'past')]);
  const ids: string[] = [];
  for (const path of ['/one', '/two', '/three'])
    ids.push(await propose(agent, 'write_file', { path, password: 'hunter2' }));
  await reviewer.reject(ids[0] ?? '', 'unsafe', 'no way');
  await agent.withdraw(ids[1] ?? '', 'changed my mind');
  const page = await house.open('reviewer', 'past');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  const rows = page.locator('.history-row');
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByLabel('Search the history').fill('no way');
  await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('/one')]);
  await page.getByLabel('Search the history').fill('');
  await page.getByLabel('How it ended').selectOption('withdrawn');
  await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('/two')]);
  await page.getByLabel('How it ended').selectOption('');
  await page.getByLabel('Replay').fill('2');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByText('2 pending').waitFor();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Intact: 5 records in 3 chains, none changed since it was sealed.').waitFor();
  await page
    .getByText('Decided again: 5 records about proposals. Each follows from those before it.')
    .waitFor();
  await page.getByText('Who was allowed to decide is not shown to participants').waitFor();
  const exported = async (how: string): Promise<readonly string[]> => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: how }).click(),
    ]);
    return (await readFile(await download.path(), 'utf8')).trim().split('\n');
  };
  expect((await exported('Without secrets')).join()).not.toContain('hunter2');
  const lines = await exported('With real values');
  expect(lines.join()).toContain('hunter2');
  const records = lines.map((line) => JSON.parse(line)).filter(({ stream }) => stream.endsWith(ids[0]));
  expect([lines.length, verifyStream(records).ok]).toEqual([5, true]);
  await propose(agent, 'write_file', { path: '/four' });
  await expect.poll(() => rows.count()).toBe(4);
});

it('I-11, O-43: verifies what somebody sees who was asked later, and accuses nobody of what is hidden', async () => {
  const join = (who: string) => house.join(who, 'secret');
  const [agent, reviewer, deputy] = await Promise.all(['agent', 'reviewer', 'deputy'].map(join));
  if (agent === undefined || reviewer === undefined || deputy === undefined) return;
  const ids: string[] = [];
  for (const path of ['/one', '/two'])
    ids.push(await propose(agent, 'write_file', { path }, { to: ['reviewer'] }));
  const [first = '', second = ''] = ids;
  await reviewer.delegate('deputy', { until: Date.now() + 60_000, proposal: first });
  await reviewer.reject(first, 'unsafe');
  await reviewer.reject(second, 'unsafe');
  const page = await house.open('deputy', 'secret');
  // Nothing is verified or exported before all of it is there.
  let answer = (): void => {};
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/feed?*', async (route) => {
    await isAsked;
    await route.continue();
  });
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  const verify = page.getByRole('button', { name: 'Verify' });
  await verify.waitFor();
  for (const button of [verify, page.getByRole('button', { name: 'Export' })])
    expect(await button.isDisabled()).toBe(true);
  answer();
  await verify.click();
  await page.getByText(/^Intact: \d records in 1 chain,.* 1 chain only partly visible to you\.$/).waitFor();
  await page.getByText(/^Not decided again: \d records whose proposal is only partly visible/).waitFor();
  await page.goto(`${house.url}/console/secret/inbox`);
  await page.getByRole('navigation').waitFor();
});

it('lists the history by day in columns, with what ran and how it was decided', async () => {
  const join = (who: string) => house.join(who, 'days');
  const [files, agent, reviewer] = await Promise.all(['files', 'agent', 'reviewer'].map(join));
  if (files === undefined || agent === undefined || reviewer === undefined) return;
  await serve(files, 'write_file');
  const amended = await propose(agent, 'write_file', { path: '/asked' });
  const ran = { name: 'write_file', arguments: { path: '/ran' } };
  await reviewer.fulfil({ id: amended, method: 'tools/call' }, ran);
  const ruled = await propose(agent, 'write_file', { path: '/ruled' }, { onRejection: 'withdraw' });
  await reviewer.reject(ruled, 'policy', 'Never there [“Nowhere”, line 3; rules 1a2b]');
  await reviewer.grant('agent', ['mcp.request.tools/call:write_file'], { uses: 5, reason: 'for the test' });
  await propose(agent, 'write_file', { path: '/granted' });
  const page = await house.open('reviewer', 'days');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  const row = (path: string) => page.locator('.history-row', { hasText: path });
  await row('/ran').getByText('changed').waitFor();
  expect(await row('/asked').count()).toBe(0);
  expect(await row('/ran').innerText()).toMatch(/agent\s+reviewer\s+\d+ s ago/);
  await row('/ruled').getByText('by rule').waitFor();
  await row('/granted').getByText('granted', { exact: true }).waitFor();
  await page.getByText(/^Today · \d$/).waitFor();
  expect(await page.locator('.history-columns').innerText()).toMatch(/Asked by\s+Decided by\s+When/);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Full history').waitFor();
});

it('does from the palette what a card and the views do, in entries of one line', async () => {
  const [files, agent] = await Promise.all([house.join('files', 'found'), house.join('agent', 'found')]);
  await serve(files, 'write_file');
  await propose(agent, 'write_file', { path: `/${'long/'.repeat(60)}` });
  const page = await house.open('reviewer', 'found');
  await page.locator('article').waitFor();
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to, or do …').fill(text);
  };
  await find('write_file by agent');
  const entry = page.locator('.palette li');
  await expect.poll(() => entry.count()).toBe(1);
  const heights = await page
    .locator('.palette li, .palette-input')
    .evaluateAll((each) => each.map(({ clientHeight }) => clientHeight));
  expect(Math.max(...heights)).toBeLessThan(48);
  await page.keyboard.press('Escape');
  await find('allow');
  await page.keyboard.press('Enter');
  await page.getByText('Allow this …').waitFor();
  await page.keyboard.press('Escape');
  await find('make a rule');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Rules' }).first().waitFor();
  await find('export');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Without secrets' }).waitFor();
});

it('O-26, O-27: lists who is here, with what they may do and serve', async () => {
  const [files] = await Promise.all([house.join('files', 'people'), house.join('helper', 'people')]);
  await serve(files, 'write_file');
  const page = await house.open('reviewer', 'people');
  await page.getByRole('link', { name: 'People' }).click();
  const person = page.locator('.person', { hasText: 'files' });
  await expect.poll(() => person.innerText()).toMatch(/files[^]*Serves tools[^]*write_file/);
  // What those of one role may do is listed once.
  const agents = page.locator('.role', { hasText: 'Agents and servers' });
  await agents.locator('.person', { hasText: 'helper' }).waitFor();
  await agents.locator('summary').click();
  expect((await agents.innerText()).match(/propose any operation/g)).toHaveLength(1);
  const operators = page.locator('.role', { hasText: 'Operators' });
  expect(await operators.innerText()).toMatch(/may do everything[^]*reviewer\s+\(you\)/);
  await files.close();
  await person.waitFor({ state: 'detached' });
});

it('reports a URL that names a missing space or page', async () => {
  const page = await house.visit('/console/nowhere/history');
  await page.getByRole('button', { name: 'reviewer' }).click();
  await page.getByText('There is no space “nowhere” open to you.').waitFor();
  await page.goto(`${house.url}/console/life/nothing`);
  await page.getByText('Page “nothing” was not found, so this is the inbox.').waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('Page “nothing” not found.').waitFor({ state: 'detached' });
});

/** Replaces the system's notifications, which a headless browser lacks. */
const TOLD = `window.told = []; document.hasFocus = () => false;
window.Notification = class extends EventTarget {
  static permission = 'granted';
  constructor(title) { super(); this.title = title; told.push(title); }
  close() { told.push('closed: ' + this.title); }
}`;

it('notifies about new proposals while the user looks elsewhere, and removes it when decided', async () => {
  const agent = await house.join('agent', 'told');
  await propose(agent, 'write_file', { path: '/before' });
  const page = await house.visit('/console/told/inbox');
  await page.evaluate(TOLD);
  await page.getByRole('button', { name: 'reviewer' }).click();
  await expect.poll(() => page.title()).toBe('(1) Proffer');
  const id = await propose(agent, 'send_mail', { to: 'ada' });
  await expect.poll(() => page.evaluate('told')).toEqual(['agent wants to run send_mail']);
  await agent.withdraw(id);
  await expect.poll(() => page.evaluate('told')).toHaveLength(2);
});

it('pauses all approvals of a space, and shows everyone by whom and why', async () => {
  const [files, agent] = await Promise.all([house.join('files', 'stopped'), house.join('agent', 'stopped')]);
  await serve(files, 'write_file');
  await propose(agent, 'write_file', { path: '/a' });
  const [operator, other] = await Promise.all([
    house.open('reviewer', 'stopped'),
    house.open('reviewer', 'stopped'),
  ]);
  await operator.keyboard.press('g');
  await operator.keyboard.press('p');
  await operator.getByRole('button', { name: 'Pause all approvals …' }).click();
  const asking = operator.getByRole('dialog', { name: 'Pause all approvals' });
  await asking.getByText('nobody can approve a call in stopped').waitFor();
  await operator.keyboard.press('Escape');
  await asking.waitFor({ state: 'detached' });
  // The palette asks the same.
  await operator.keyboard.press('Control+k');
  await operator.getByPlaceholder('Go to, or do …').fill('pause');
  await operator.keyboard.press('Enter');
  await asking.getByLabel('Why (everyone sees it)').fill('incident 12');
  await operator.getByRole('button', { name: 'Pause all approvals in stopped' }).click();
  await other.getByText('reviewer paused all approvals in stopped: incident 12.').waitFor();
  await other.getByText('write_file').first().click();
  await other.getByText('All approvals in this space are paused.').waitFor();
  expect(await other.getByRole('button', { name: /^Approve/ }).getAttribute('aria-disabled')).toBe('true');
  await operator.getByRole('button', { name: 'Resume' }).click();
  await other.getByText('This approval covers exactly').waitFor();
  await other.keyboard.press('a');
  await expect.poll(() => other.locator('.bar').innerText()).toMatch(/approved|ran/i);
});

it('plots what was decided, by whom and how fast, with the numbers as tables and as CSV', async () => {
  const join = (who: string) => house.join(who, 'figures');
  const [files, builder, triage, reviewer] = await Promise.all(
    ['files', 'builder', 'triage', 'reviewer'].map(join),
  );
  if (files === undefined || builder === undefined || triage === undefined || reviewer === undefined) return;
  await serve(files, 'write_file');
  for (const path of ['/a', '/a', '/a']) {
    const call = { name: 'write_file', arguments: { path } };
    const id = await propose(builder, call.name, call.arguments);
    await reviewer.fulfil({ id, method: 'tools/call' }, call);
  }
  const bad = await propose(triage, 'write_file', { path: '/etc' }, { onRejection: 'withdraw' });
  await reviewer.reject(bad, 'unsafe');
  await propose(triage, 'write_file', { path: '/waits' });
  await builder.send({
    kind: 'chat.message',
    payload: {
      text: 'decided by rules',
      decisions: [{ action: 'allow', tool: 'read_file', calls: [{}, {}] }],
    },
  });
  // Some locales of a system without languages are refused by the plots, not by the tables.
  const page = await house.open('reviewer', 'figures', { locale: 'en-US' });
  await page.getByRole('link', { name: 'Insights' }).click();
  const tiles = page.locator('.tiles');
  await expect
    .poll(() => tiles.innerText())
    .toMatch(/Waiting now\s+1\s[^]*Decided by people\s+67 %\s+4 of 6[^]*Decided by rules\s+33 %\s+2 of 6/);
  await expect.poll(() => page.locator('.plot-box canvas').count()).toBe(3);
  const table = page.locator('.plot').filter({ hasText: 'Decisions per day' });
  await table.getByText('As a table').click();
  expect(await table.locator('tbody tr').last().innerText()).toMatch(/\s5\s+0\s+1\s+0\s+0$/);
  expect(
    await page.locator('.shares').filter({ hasText: 'By agent' }).locator('tbody tr').allInnerTexts(),
  ).toEqual([
    expect.stringMatching(/^builder\s+5\s+100 %\s+40 %\s+0 %/),
    expect.stringMatching(/^triage\s+1\s+0 %/),
  ]);
  await page.getByText('would have saved 3 questions').waitFor();
  await page.getByText('can be written').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(7);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await barriersOn(page)).toEqual([]);
  }
});

it('shows insights without anything decided, and tables where plots cannot be drawn', async () => {
  const page = await house.open('reviewer', 'nothing', { locale: 'en-US' });
  await page.goto(`${house.url}/console/nothing/insights`);
  await page
    .getByText('No call was decided in the last 30 days, and none is waiting. Plots appear')
    .waitFor();
  expect(await barriersOn(page)).toEqual([]);
  await page.route('**/uPlot*.js', (route) => route.abort('connectionrefused'));
  const agent = await house.join('agent', 'nothing');
  await propose(agent, 'write_file', { path: '/a' });
  const table = page.locator('.plot').filter({ hasText: 'Waiting at the end' }).locator('tbody');
  await expect.poll(() => table.innerText()).toMatch(/\s1$/);
});

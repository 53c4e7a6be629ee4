import { expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { propose, serve, useHouse } from './testing/house.js';
import { decideAlike, showRules } from './testing/ruled.js';

const SPACES = ['ruled', 'drafts', 'hostile', 'figures', 'nobody'];
const house = useHouse(`dev: true
spaces: { ${SPACES.map((name) => `${name}: {}`).join(', ')} }
limits: { message_depth: 12 }`);

it('shows rules in words, live, with recent decisions, and only that to users who may not decide', async () => {
  const guard = await house.join('files-guard', 'ruled');
  const page = await house.open('agent', 'ruled');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByText('No rules yet').waitFor();
  await showRules(guard);
  const rules = page.getByRole('region', { name: 'Rules of files-guard' });
  await expect
    .poll(() => rules.innerText())
    .toMatch(
      /connected[^]*\/home\/ada\/rules\.yaml[^]*Deny any call if path is "\/\*\*\/\.env"\.[^]*Secrets stay where they are[^]*decided 1 call recently[^]*Ask people about everything else/,
    );
  expect(await rules.innerText()).toMatch(/what only reads · line 7 · decided 2 calls recently/);
  await rules.getByText('What they decided last').click();
  await rules.getByText('filesystem/read_file').waitFor();
  await page.getByText('Only people who may reject calls see suggestions and drafts.').waitFor();
  expect(await page.getByRole('button', { name: 'Write a rule' }).count()).toBe(0);
  await guard.close();
  await expect.poll(() => rules.innerText()).toContain('not connected now');
});

it('drafts a rule from a card by keyboard, tries it, and keeps it with a command', async () => {
  const [files, agent, reviewer, guard] = await Promise.all(
    ['files', 'agent', 'reviewer', 'files-guard'].map((name) => house.join(name, 'drafts')),
  );
  if (!files || !agent || !reviewer || !guard) throw new Error('somebody is missing');
  await serve(files, 'create_issue', { inputSchema: { type: 'object' } });
  await serve(files, 'write_file', { inputSchema: { type: 'object' } });
  await showRules(guard, { text: 'rules: [{ action: deny, match: { tool: remove } }]' });
  await decideAlike(agent, reviewer);
  const denied = await propose(agent, 'write_file', { path: '/srv/app/a', content: 'one thing' });
  await reviewer.reject(denied, 'unsafe');
  const id = await propose(agent, 'write_file', { path: '/srv/app/b', content: 'another thing' });
  const page = await house.open('reviewer', 'drafts', { viewport: { width: 360, height: 720 } });
  await page.goto(`${house.url}/console/drafts/inbox/${id}`);
  await page.getByRole('button', { name: 'Allow for' }).click();
  await page.getByRole('button', { name: 'with a rule' }).waitFor();
  await page.keyboard.press('m');
  const draft = page.getByRole('region', { name: 'A draft' });
  await draft
    .getByText('this rule would have decided 1: 0 the same way, 0 differently, 1 that nobody')
    .waitFor();
  expect(await draft.getByLabel('Try it after the rules of').inputValue()).toBe('files-guard');
  // Wider, and someone decided differently.
  await page.getByRole('radio').nth(1).check();
  await draft.getByText('1 call was decided differently').waitFor();
  await draft.getByText('would be allowed; reviewer denied it').waitFor();
  const command = draft.getByLabel('The command that adds the rule');
  expect(await command.innerText()).toMatch(
    /^npx proffer rules add \/home\/ada\/rules\.yaml <<'RULES'\nrules:\n[^]*path: \/srv\/app\/\*\*[^]*\nRULES$/,
  );
  await page.getByRole('button', { name: 'Deny it' }).click();
  await expect.poll(() => draft.innerText()).toMatch(/Deny write_file[^]*1 the same way, 0 differently/);
  // Invalid: it says where, and there is nothing to keep.
  const text = draft.getByLabel('The rules, as in a rule file');
  await text.fill('rules:\n  - action: alow\n');
  await draft.getByText(/Line 2, column 13: rules\[0\]\.action/).waitFor();
  expect(await command.count()).toBe(0);
  await text.press('Escape');
  await draft.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  const suggested = page.getByRole('region', { name: 'Suggestions' });
  await suggested.getByText('People allowed this 4 times and never differently').click();
  expect(await suggested.innerText()).toMatch(/repository is exactly "acme\/app", title is anything/);
  await suggested.getByRole('button', { name: 'Try it' }).click();
  await draft.getByText('this rule would have decided 4: 4 the same way, 0 differently').waitFor();
  await suggested.getByRole('link', { name: 'create_issue' }).first().click();
  await page.getByText('Full history').waitFor();
});

it("shows a guard's rules as text, with nothing hidden or run", async () => {
  const markup = '<img src=x onerror="document.title=1"><b>bold</b>';
  const guard = await house.join('<u>guard</u>', 'hostile');
  const rules = [{ name: `${markup}\u202e`, action: 'deny', reason: markup, match: { tool: markup } }];
  await showRules(guard, { text: JSON.stringify({ rules }), source: `/home/a'$(id)\u202e/${markup}` });
  const page = await house.open('reviewer', 'hostile');
  await page.goto(`${house.url}/console/hostile/rules`);
  const box = page.locator('.page .box').first();
  await expect.poll(() => box.innerText()).toContain('Deny <img src=x');
  expect(await box.innerText()).toContain('U+202E');
  await page.keyboard.press('n');
  const command = page.getByLabel('The command that adds the rule');
  await command.waitFor();
  // For a shell it is one word, whatever it contains.
  expect(await command.innerText()).toMatch(/^npx proffer rules add '\/home\/a'\\''\$\(id\)U\+202E\/<img/);
  expect(await page.locator('.page').locator('img, script, u, b:has-text("bold")').count()).toBe(0);
  expect(await page.title()).not.toBe('1');
});

it('shows the state of the gateway in Insights to operators only', async () => {
  const agent = await house.join('agent', 'figures');
  const deep = JSON.parse(`${'[['.repeat(10)}1${']]'.repeat(10)}`) as number[];
  await expect(agent.send({ kind: 'chat.message', payload: { text: 'x', deep } })).rejects.toMatchObject({
    code: 'too_deep',
  });
  const page = await house.open('reviewer', 'figures');
  await page.goto(`${house.url}/console/figures/insights`);
  const figures = page.getByRole('region', { name: 'The gateway' });
  await expect
    .poll(() => figures.innerText())
    .toMatch(
      /Connections[^]*by WebSocket[^]*Messages[^]*accepted[^]*can be written[^]*in a folder on this machine[^]*1 time a message was nested too deeply[^]*message_depth: 12[^]*1 × too_deep[^]*Flatten/,
    );
  const before = await figures.innerText();
  await agent.chat('one more');
  await expect.poll(() => figures.innerText()).not.toBe(before);
  const other = await house.open('agent', 'figures');
  await other.goto(`${house.url}/console/figures/insights`);
  await other.getByRole('heading', { name: 'Insights' }).waitFor();
  expect(await other.getByRole('region', { name: 'The gateway' }).count()).toBe(0);
});

it('has no barrier that axe finds, in either theme, also while the gateway is away', async () => {
  const guard = await house.join('files-guard', 'nobody');
  await showRules(guard);
  const page = await house.open('reviewer', 'nobody');
  await page.goto(`${house.url}/console/nobody/rules`);
  await page.getByRole('region', { name: 'Rules of files-guard' }).waitFor();
  await page.getByText('What they decided last').click();
  await page.keyboard.press('n');
  await page.getByText('Keep this rule').waitFor();
  expect(await barriersOn(page)).toEqual([]);
  await page.goto(`${house.url}/console/nobody/insights`);
  await page.getByText('can be written').waitFor();
  await house.stop();
  await page.getByText('These figures are from the last time it answered.').waitFor();
  await house.start();
  await page.getByText('These figures are from the last time it answered.').waitFor({ state: 'detached' });
});

it('I-6: fills a view that was opened while the gateway was away when it is back', async () => {
  const open = async (view: 'History' | 'Negotiations') => {
    const page = await house.open('reviewer', 'nobody');
    const go = (title: string) => page.getByRole('navigation').getByRole('link', { name: title }).click();
    await go(view);
    await page.getByRole('heading', { name: view }).waitFor();
    await go('Inbox');
    return { page, go: () => go(view) };
  };
  const [history, negotiations] = await Promise.all([open('History'), open('Negotiations')]);
  await house.stop();
  await history.page.getByText('The connection to the gateway was lost.').waitFor();
  await Promise.all([history.go(), negotiations.go()]);
  await history.page.getByText('The gateway is not responding.').waitFor();
  expect(await history.page.getByText('Nothing has been proposed here yet.').count()).toBe(0);
  await house.start();
  await history.page.getByText('Nothing has been proposed here yet.').waitFor();
  await negotiations.page.getByText('There are no negotiations.').waitFor();
});

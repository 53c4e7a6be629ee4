import { describe, expect, it } from 'vitest';
import { looked, propose, readAll, serve, useHouse } from './testing/house.js';

const SPACES = ['gestures', 'edit', 'fields', 'reject', 'keys', 'shown', 'again', 'unserved', 'late'];
const house = useHouse(`dev: true\nspaces: { ${SPACES.map((name) => `${name}: {}`).join(', ')} }`);

/** Someone who runs a tool, and someone who asks for it. */
async function staffed(space: string) {
  const [files, builder] = await Promise.all([house.join('files', space), house.join('builder', space)]);
  await serve(files, 'write_file', { annotations: { destructiveHint: true } });
  return { files, builder };
}

describe('deciding in the browser', () => {
  it('O-11, O-25: shows a new proposal live and in full, and runs it when it is approved', async () => {
    const { builder } = await staffed('gestures');
    const page = await house.open('reviewer', 'gestures');
    await page.getByText('Nothing is waiting for you.').waitFor();
    const asked = builder.propose(
      'tools/call',
      { name: 'write_file', arguments: { path: '/a', edits: [{ oldText: 'x: 1', newText: 'x: 2' }] } },
      { to: ['reviewer'], reason: 'The load test fails at one.' },
    );
    await page.getByRole('option', { name: /write_file/ }).waitFor();
    await expect.poll(() => page.title()).toBe('(1) Proffer');
    const card = page.getByRole('article');
    await expect.poll(() => card.innerText()).toMatch(/builder wants to run write_file/);
    const text = await card.innerText();
    expect(text).toMatch(/builder.s reason[^]*The load test fails at one\./);
    expect(text).toContain('May destroy data');
    expect(text).toContain('files says this tool may overwrite or delete');
    expect(text).toMatch(/−\s*removed:\s*x: 1/);
    expect(text).toMatch(/\+\s*added:\s*x: 2/);
    expect(text).toContain(builder.pending[0]?.id);
    await readAll(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('You approved this call.').waitFor();
    await page.getByText(/ran with/).waitFor();
    expect(JSON.stringify(await asked)).toContain('ran with');
    await expect.poll(() => page.title()).toBe('Proffer');
  });

  it('O-13: runs the edited call after edit and approve, with the difference visible', async () => {
    const { builder } = await staffed('edit');
    const page = await house.open('reviewer', 'edit');
    const asked = builder.propose('tools/call', { name: 'write_file', arguments: { path: '/a', count: 1 } });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('count').fill('many');
    await page.getByText('count must be of type integer').first().waitFor();
    expect(await page.getByRole('button', { name: /Approve/ }).getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('count').fill('7');
    await page.getByRole('button', { name: 'JSON' }).click();
    const json = page.getByLabel('Arguments as JSON');
    expect(JSON.parse(await json.inputValue())).toEqual({ path: '/a', count: 7 });
    await json.fill('{ "path": "/b",\n  count: 7 }');
    const wrong = 'The JSON is invalid at line 2, character 3';
    expect(await page.locator('.problems').innerText()).toBe(wrong);
    expect(await page.locator('#bar-note').innerText()).toBe(`Cannot be sent yet: ${wrong}.`);
    await json.fill('{ "path": "/b", "count": 7 }');
    const changes = page.locator('.changes');
    await expect.poll(() => changes.innerText()).toMatch(/\/path[^]*removed:\s*\/a[^]*added:\s*\/b/);
    // Setting the changes aside keeps them.
    expect(await page.getByRole('button', { name: 'Reject' }).innerText()).not.toMatch(/\br\b/);
    expect(await page.getByRole('button', { name: 'Stop editing' }).innerText()).toContain('Esc');
    await json.press('Escape');
    await page.getByText(/This approval covers exactly .*, without your changes/).waitFor();
    await page.keyboard.press('e');
    expect(await json.inputValue()).toBe('{ "path": "/b", "count": 7 }');
    await json.press('Control+Enter');
    await page.getByText('You approved this call with changes.').waitFor();
    expect(await asked).toMatchObject({ content: [{ text: 'ran with {"count":7,"path":"/b"}' }] });
    await page.getByText('What was changed before it ran').waitFor();
  });

  it('O-13: disables Approve while one field is invalid, whatever is typed in another', async () => {
    const { builder } = await staffed('fields');
    const page = await house.open('reviewer', 'fields');
    await propose(builder, 'write_file', { path: '/a', options: { deep: true } });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('options').fill('{ "deep": fal');
    await page.getByLabel('path').fill('/b');
    await page
      .getByText(/options: /)
      .first()
      .waitFor();
    const approve = page.getByRole('button', { name: /Approve/ });
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('options').inputValue()).toBe('{ "deep": fal');
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('options').fill('{ "deep": false }');
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('false');
    await approve.click();
    await page.getByText(/ran with .*"deep":false.*"path":"\/b"/).waitFor();
  });

  it('O-17: rejects with a usual reason by one key, and passes on a custom message', async () => {
    const { builder } = await staffed('reject');
    const page = await house.open('reviewer', 'reject');
    const first = await propose(builder, 'write_file', { path: '/a' });
    await page.getByText(/This approval covers exactly/).waitFor();
    const rejected = new Promise((resolve) => {
      builder.on('message', ({ kind, correlationId, payload }) => {
        if (kind === 'mcpx.reject.proposal') resolve({ correlationId, payload });
      });
    });
    await page.keyboard.press('r');
    await page.getByLabel('In your own words').fill('not on a Friday');
    await page.getByRole('button', { name: 'Against our policy' }).click();
    expect(await rejected).toMatchObject({
      correlationId: first,
      payload: { reason: 'policy', message: 'not on a Friday' },
    });
    await page.getByText('You rejected this call.').waitFor();
    await page.getByText('Rejected by you, still pending').waitFor();
    await expect.poll(() => page.title()).toBe('Proffer');
  });

  it('goes from sign-in to a decision without a mouse', async () => {
    const { builder } = await staffed('keys');
    await propose(builder, 'write_file', { path: '/older' });
    await propose(builder, 'write_file', { path: '/newer' });
    const page = await house.visit('/console/keys/inbox');
    await page.getByRole('button', { name: 'reviewer' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const card = page.getByRole('article');
    const rows = page.getByRole('listbox', { name: 'Pending calls' }).getByRole('option');
    await expect.poll(() => card.innerText()).toContain('/newer');
    await page.keyboard.press('j');
    await expect.poll(() => card.innerText()).toContain('/older');
    await page.keyboard.press('k');
    await page.keyboard.press('/');
    await page.keyboard.type('older');
    await expect.poll(() => rows.count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => rows.count()).toBe(2);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('gotoinbox');
    await page.keyboard.press('Enter');
    await expect.poll(() => card.innerText()).toContain('/newer');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('.');
    await expect.poll(() => card.innerText()).toContain('"method": "tools/call"');
    await looked(page);
    await page.keyboard.press('a');
    await page.getByText('You approved this call.').waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => card.innerText()).toContain('/older');
    await looked(page);
    await page.keyboard.press('r');
    // While rejecting, the approve key is a letter of the reason.
    await page.keyboard.press('a');
    await page.getByRole('group', { name: 'Why are you rejecting this call?' }).waitFor();
    expect(await page.getByLabel('In your own words').inputValue()).toBe('a');
    await page.keyboard.press('Escape');
    await looked(page);
    await page.keyboard.press('r');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByText('You rejected this call.').waitFor();
    await page.getByText('“I disagree”').waitFor();
  });

  it('requires that the whole card was visible before an approval', async () => {
    const { builder } = await staffed('shown');
    await propose(builder, 'write_file', { path: '/a', content: 'line\n'.repeat(400) });
    const page = await house.open('reviewer', 'shown');
    await page.getByText(/Scroll to the end to approve/).waitFor();
    const approve = page.getByRole('button', { name: 'Approve' });
    const card = page.getByRole('article');
    const place = () => card.evaluate((element) => element.scrollTop);
    const note = page.locator('#bar-note');
    const share = async () => Number(/\d+/.exec(await note.innerText())?.[0]);
    const atFirst = await share();
    // Jumping to the end shows the end, not what is in between.
    await page.keyboard.press('End');
    await expect.poll(share).toBeGreaterThan(atFirst);
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    // The approve key scrolls to the first part that was skipped.
    const end = await place();
    await page.keyboard.press('a');
    await expect.poll(place).toBeLessThan(end);
    await readAll(page);
    await page.keyboard.press('a');
    await page.getByText('You approved this call.').waitFor();
  });

  it('requires reading what arrives late, and nothing else again', async () => {
    const { builder } = await staffed('late');
    await propose(builder, 'write_file', { path: '/a', content: 'line\n'.repeat(100) });
    const page = await house.visit('/console/late/inbox');
    // Earlier calls are loaded when all of the card was read.
    let answer = (): void => {};
    const wasRead = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/feed?*', async (route) => {
      await wasRead;
      await route.continue();
    });
    await page.getByRole('button', { name: 'reviewer' }).click();
    await page.getByText(/Scroll to the end to approve \([1-9]/).waitFor();
    await page.keyboard.press('End');
    await readAll(page);
    answer();
    await page.getByText('First call to write_file here').waitFor();
    await page.getByText(/Scroll to the end to approve \(9\d%/).waitFor();
    await page.keyboard.press('a');
    await page.getByText(/This approval covers exactly/).waitFor();
    await page.keyboard.press('a');
    await page.getByText('You approved this call.').waitFor();
  });

  it('offers no approval while nobody serves the tool, and says so', async () => {
    const builder = await house.join('builder', 'unserved');
    await propose(builder, 'write_file', { path: '/a' });
    const page = await house.open('reviewer', 'unserved');
    await page.getByText('Approve the call once its server is connected').waitFor();
    await page.getByRole('option', { name: /nobody serves it/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBe('true');
    await serve(await house.join('files', 'unserved'), 'write_file');
    await page.getByText(/This approval covers exactly/).waitFor();
    await page.keyboard.press('a');
    await page.getByText('You approved this call.').waitFor();
  });

  it('counts the same content as shown each time, and only what matters', async () => {
    const { builder } = await staffed('again');
    const earlier = await propose(builder, 'write_file', { path: '/b' });
    await builder.withdraw(earlier);
    const id = await propose(builder, 'write_file', { path: '/a' }, { reason: 'The test fails.' });
    const page = await house.open('reviewer', 'again');
    const reload = async (height: number): Promise<string> => {
      await page.setViewportSize({ width: 1280, height });
      await page.goto(`${house.url}/console/again/inbox/${id}`);
      await page.getByText('Recent similar calls').waitFor({ state: 'attached' });
      await page.getByText('The test fails.').waitFor();
      await page
        .getByText(height < 500 ? /Scroll to the end to approve \([1-9]/ : /This approval covers exactly/)
        .waitFor();
      return await page.locator('#bar-note').innerText();
    };
    const low = [await reload(420), await reload(420), await reload(420)];
    expect(new Set(low).size).toBe(1);
    for (let time = 0; time < 3; time++) await reload(660);
    // What remains below is not needed for the decision.
    const isBelow = 'document.querySelector(".fine").getBoundingClientRect().top > innerHeight';
    expect(await page.evaluate(isBelow)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { propose, readAll, serve, useHouse } from './testing/house.js';

const SPACES = ['card', 'edit', 'elsewhere', 'refused', 'barriers'];
const house = useHouse(`dev: true
spaces: { ${SPACES.map((name) => `${name}: {}`).join(', ')} }
participants:
  linus: { spaces: { refused: ["mcp.request.*"] } }`);

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const OTHER = `ghp_${'c3D4'.repeat(9)}`;
const PASSWORD = 'correct horse';

/** Everything that a secret could be hidden in. */
const GIVEN = {
  path: '/deploy',
  login: { DB_Password: PASSWORD },
  command: `curl -H "Authorization: Bearer ${TOKEN}" https://example.com`,
  edits: [{ oldText: `token: ${TOKEN}`, newText: `token: ${OTHER}` }],
  rows: [
    { user: 'ann', pin: 4711 },
    { user: 'bob', pin: 4712 },
  ],
};
const SECRETS = [TOKEN, OTHER, PASSWORD, '4711', '4712'];

describe('secrets in the console', () => {
  it('are hidden on a card in every form until someone reveals them, which is recorded first', async () => {
    const [files, builder] = await Promise.all([house.join('files', 'card'), house.join('builder', 'card')]);
    await serve(files, 'write_file');
    const id = await propose(builder, 'write_file', GIVEN, { reason: `It needs ${TOKEN}.` });
    const page = await house.open('reviewer', 'card');
    const card = page.getByRole('article');
    await page.getByText('What looks like a secret is hidden.').waitFor();
    const shows = async (): Promise<readonly string[]> => {
      const text = await page.locator('body').innerText();
      return SECRETS.filter((secret) => text.includes(secret));
    };
    expect(await shows()).toEqual([]);
    // The change from one secret to another is still a change.
    expect(await card.innerText()).toMatch(
      /removed:\s*token: \[redacted( \d)?\]\s*\+\s*added:\s*token: \[redacted \d\]/,
    );
    await page.keyboard.press('.');
    await card.getByText('"arguments": {').waitFor();
    expect(await shows()).toEqual([]);
    await page.keyboard.press('.');
    await readAll(page);

    await page.keyboard.press('v');
    await page.getByText('You revealed the hidden values. This is recorded.').waitFor();
    expect(await shows()).toEqual(SECRETS);
    expect(await page.getByRole('button', { name: 'Hide again' }).count()).toBe(1);

    await readAll(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(/ran with/).waitFor();

    // The next visit hides everything again, also the result, and shows who looked.
    await page.goto(`${house.url}/console/card/proposals/${id}`);
    await page.getByText('You revealed the hidden values of this call').waitFor();
    await page.getByText(/ran with/).waitFor();
    expect(await shows()).toEqual([]);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await expect.poll(shows).toEqual(SECRETS);
    await expect.poll(() => page.getByText('You revealed the hidden values of this call').count()).toBe(2);
  });

  it('are hidden and revealed without a barrier, by keyboard', async () => {
    const builder = await house.join('builder', 'barriers');
    await propose(builder, 'write_file', GIVEN);
    const page = await house.open('reviewer', 'barriers');
    const reveal = page.getByRole('button', { name: 'Reveal' });
    await reveal.waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await reveal.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Hide again' }).waitFor();
    // The focus stays where it was.
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Hide again');
    const said = await page.getByRole('status').allInnerTexts();
    expect(said).toContain('You revealed the hidden values. This is recorded.');
    expect(await barriersOn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await reveal.waitFor();
    expect(await page.locator('body').innerText()).not.toContain(PASSWORD);
  });

  it('are hidden from an editor until they are revealed', async () => {
    const [files, builder] = await Promise.all([house.join('files', 'edit'), house.join('builder', 'edit')]);
    await serve(files, 'write_file');
    await propose(builder, 'write_file', { path: '/a', password: PASSWORD });
    const page = await house.open('reviewer', 'edit');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByText('Editing shows the hidden values.').waitFor();
    expect(await page.locator('textarea').count()).toBe(0);
    await page.getByRole('button', { name: 'Reveal and edit' }).click();
    await expect.poll(() => page.getByLabel('password').inputValue()).toBe(PASSWORD);
  });

  it('are hidden in lists, in similar calls, together and in the history', async () => {
    const [files, builder] = await Promise.all([
      house.join('files', 'elsewhere'),
      house.join('builder', 'elsewhere'),
    ]);
    await serve(files, 'write_file');
    for (const path of ['/a', '/b', '/c', '/d'])
      await propose(builder, 'write_file', { path, password: PASSWORD, note: `--token ${TOKEN}` });
    const page = await house.open('reviewer', 'elsewhere');
    await page.getByRole('option', { name: /4 × write_file/ }).click();
    await page.getByText('How they differ').waitFor();
    const text = async () => await page.locator('body').innerText();
    expect(await text()).toContain('[redacted]');
    for (const view of ['inbox', 'history', 'people']) {
      await page.goto(`${house.url}/console/elsewhere/${view}`);
      await page.getByRole('navigation').waitFor();
      await expect.poll(text).toMatch(view === 'people' ? /files/ : /write_file/);
      expect(await text()).not.toContain(TOKEN);
      expect(await text()).not.toContain(PASSWORD);
    }
  });

  it('stay hidden if it cannot be recorded who looks', async () => {
    const builder = await house.join('builder', 'refused');
    await propose(builder, 'write_file', { path: '/a', password: PASSWORD });
    const page = await house.open('linus', 'refused');
    await page.getByText('What looks like a secret is hidden.').waitFor();
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.getByText(/Nothing was revealed, because that could not be recorded/).waitFor();
    expect(await page.locator('body').innerText()).not.toContain(PASSWORD);
  });
});

import { describe, expect, it } from 'vitest';
import { propose, readAll, serve, useHouse } from './testing/house.js';

const SPACES = ['markup', 'long', 'many', 'strangers'];
const house = useHouse(`dev: true
spaces: { ${SPACES.map((name) => `${name}: {}`).join(', ')} }
limits: { pending_proposals_per_participant: 20000, messages_per_participant: 100000/s }`);

/** Would show that it ran, wherever it got in. */
const MARKUP =
  '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script><b>bold</b>';
/** Names have no spaces. */
const TOOL = '<img/src=x/onerror="document.title=1">';
const LINK = 'javascript:document.title="owned"';
const BIDI = 'gpj.\u202eexe\u2066';

describe('what others wrote', () => {
  it('O-5: markup, scripts and hidden characters in every field are shown as text, and nothing runs', async () => {
    const space = 'markup';
    const [server, agent, other] = await Promise.all([
      house.join('<i>server</i>', space),
      house.join('<u/onmouseover=alert(1)>agent', space),
      house.join('other', space),
    ]);
    const inputSchema = { type: 'object' };
    await serve(server, TOOL, { inputSchema, description: `${MARKUP} ${BIDI} ${LINK}`, title: MARKUP });
    const id = await propose(
      agent,
      TOOL,
      { [MARKUP]: MARKUP, link: LINK, bidi: BIDI, p\u0430th: 'x', rows: [{ [BIDI]: MARKUP }, { [BIDI]: 1 }] },
      { to: ['reviewer'], id: 'p:<b>&amp;' },
    );
    await other.status(id, 'considering', `${MARKUP}${BIDI}`);
    await other.chat(MARKUP);
    const page = await house.open('reviewer', space);
    const card = page.getByRole('article');
    await expect.poll(() => card.innerText()).toContain('is considering it');
    const text = await card.innerText();
    expect(text.split('document.title="owned"').length).toBeGreaterThan(4);
    expect(text).toContain('U+202E');
    expect(text).toContain('p\\u{430}th');
    expect(text).toContain('hidden or look-alike characters');
    expect(await card.locator('img, script, a[href^="javascript"], b:has-text("bold"), u, i').count()).toBe(
      0,
    );
    await page.keyboard.press('End');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Edit what will run' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'What will run' }).waitFor();
    await readAll(page);
    await page.keyboard.press('a');
    await page.getByText('You approved it.').waitFor();
    await page.getByText(/ran with/).waitFor();
    expect(await page.title()).not.toContain('owned');
  });

  it('O-5: a megabyte of text is shown to its last line, and the page stays usable', async () => {
    const [files, agent] = await Promise.all([house.join('files', 'long'), house.join('agent', 'long')]);
    await serve(files, 'write_file', { inputSchema: { type: 'object' } });
    const line = 'a line among many \u202e\u0000 with hidden characters in it\n';
    const content = `${line.repeat(9_000)}the very last line`;
    await propose(agent, 'write_file', { content });
    await propose(agent, 'read_file', { path: '/next' });
    const page = await house.open('reviewer', 'long');
    await page.getByRole('option', { name: /write_file/ }).click();
    await page.getByText(/Read on to approve/).waitFor();
    await page.keyboard.press('End');
    await page.getByText('the very last line').waitFor();
    expect(await page.getByRole('article').locator('.text.code').innerText()).toContain('\\u{202e}');
    await page.keyboard.press('k');
    await expect.poll(() => page.getByRole('article').innerText()).toContain('/next');
  });

  it('I-7: ten thousand waiting proposals make a list of few elements that scrolls to its end', async () => {
    const agent = await house.join('agent', 'many');
    const asked: Promise<number>[] = [];
    for (let place = 0; place < 10_000; place++) {
      const one = agent.propose('tools/call', {
        name: `write_${place}`,
        arguments: { path: `/file-${place}` },
      });
      one.catch(() => {});
      asked.push(one.accepted);
      if (asked.length === 500) await Promise.all(asked.splice(0));
    }
    const page = await house.open('reviewer', 'many');
    await expect.poll(() => page.title(), { timeout: 30_000 }).toBe('(10,000) Proffer');
    const rows = page.locator('.row-item');
    expect(await rows.count()).toBeLessThan(60);
    await page.evaluate('document.querySelector(".virtual").scrollTo(0, 1e9)');
    await page.locator('.row-item[aria-posinset="10000"]').waitFor();
    expect(await rows.count()).toBeLessThan(60);
    await page.keyboard.press('/');
    await page.keyboard.type('file-77 ');
    await page.keyboard.type('77');
    await expect.poll(() => rows.first().innerText()).toMatch(/file-\d*77/);
  });

  it('talks to nobody but its gateway, and says so in its policy', async () => {
    const page = await house.visit('/console/strangers/inbox');
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.getByRole('button', { name: 'reviewer' }).click();
    await page.getByText('Nothing waits for you.').waitFor();
    expect([...hosts]).toEqual([new URL(house.url).host]);
    const stored = await page.evaluate(
      'JSON.stringify([localStorage.length, document.cookie, location.href])',
    );
    expect(stored).toBe(JSON.stringify([0, '', `${house.url}/console/strangers/inbox`]));
    page.removeAllListeners('console');
    const inline = page.evaluate('document.body.innerHTML = "<b>x</b>"');
    await expect(inline).rejects.toThrow(/TrustedHTML/);
  });
});

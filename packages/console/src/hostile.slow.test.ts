import { devAgent, httpTransport, MacpClient, ProposalSession } from '@proffer/client/negotiation';
import { createToken } from '@proffer/gateway';
import { describe, expect, it } from 'vitest';
import { pendingOnHeap } from './testing/heap.js';
import { propose, readAll, serve, useHouse } from './testing/house.js';

const RIGHT = 'right-to-left';
const SPACES = ['markup', 'long', 'many', 'strangers', 'huge', 'replaced', RIGHT];
/** A header cannot hold their names, so they have tokens. */
const TOKENS = { קבצים: createToken(), בונה: createToken(), عامل: createToken(), עדה: createToken() };
const PEOPLE = Object.entries(TOKENS).map(
  ([name, { hash }]) => `  ${name}: { tokens: ['${hash}'], spaces: { ${RIGHT}: ['*'] } }`,
);
const house = useHouse(`dev: true
participants:
${PEOPLE.join('\n')}
spaces: { ${SPACES.map((name) => `${name}: {}`).join(', ')} }
limits: { pending_proposals_per_participant: 20000, messages_per_participant: 100000/s }`);

/** Would show that it ran, wherever it got in. */
const MARKUP =
  '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script><b>bold</b>';
/** Names have no spaces. */
const TOOL = '<img/src=x/onerror="document.title=1">';
const LINK = 'javascript:document.title="owned"';
const BIDI = 'gpj.\u202eexe\u2066';

/**
 * In the page: Latin words and numbers of a line that are displayed out of order, as happens when a
 * right-to-left name is not isolated.
 */
const REORDERED = `(() => {
  const found = [];
  const blockOf = (node) => {
    let element = node.parentElement;
    while (getComputedStyle(element).display === 'inline') element = element.parentElement;
    return element;
  };
  const last = new Map();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const block = blockOf(node);
    for (const word of node.data.matchAll(/[A-Za-z0-9]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const { left, top, width } = range.getBoundingClientRect();
      if (width === 0) continue;
      const before = last.get(block);
      if (before !== undefined && Math.abs(before.top - top) < 4 && left < before.left)
        found.push(before.word + ' … ' + word[0] + ' in: ' + block.textContent);
      last.set(block, { word: word[0], left, top });
    }
  }
  return found;
})()`;

describe('text from others', () => {
  it('O-5: shows markup, scripts and hidden characters in every field as text, and runs nothing', async () => {
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
    await expect.poll(() => card.innerText()).toContain('began to consider this call');
    const text = await card.innerText();
    expect(text.split('document.title="owned"').length).toBeGreaterThan(4);
    expect(text).toContain('U+202E');
    expect(text).toContain('p\\u{430}th');
    expect(text).toContain('hidden or look-alike characters');
    expect(await card.locator('img, script, a[href^="javascript"], b:has-text("bold"), u, i').count()).toBe(
      0,
    );
    await readAll(page);
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Edit what will run' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'What will run' }).waitFor();
    await readAll(page);
    await page.keyboard.press('a');
    await page.getByText('You approved this call.').waitFor();
    await page.getByText(/ran with/).waitFor();
    expect(await page.title()).not.toContain('owned');
  });

  it('O-5: shows a megabyte of text to its last line, and stays usable', async () => {
    const [files, agent] = await Promise.all([house.join('files', 'long'), house.join('agent', 'long')]);
    await serve(files, 'write_file', { inputSchema: { type: 'object' } });
    const line = 'a line among many \u202e\u0000 with hidden characters in it\n';
    const content = `${line.repeat(9_000)}the very last line`;
    await propose(agent, 'write_file', { content });
    await propose(agent, 'read_file', { path: '/next' });
    const page = await house.open('reviewer', 'long');
    await page.getByRole('option', { name: /write_file/ }).click();
    await page.getByText(/Scroll to the end to approve/).waitFor();
    await page.keyboard.press('End');
    await page.getByText('the very last line').waitFor();
    expect(await page.getByRole('article').locator('.text.code').innerText()).toContain('\\u{202e}');
    await page.keyboard.press('k');
    await expect.poll(() => page.getByRole('article').innerText()).toContain('/next');
  });

  it('O-5: shows fields of maximum size to their end, and stays usable', async () => {
    const [files, agent, other] = await Promise.all([
      house.join('f'.repeat(64), 'huge'),
      house.join('a'.repeat(64), 'huge'),
      house.join('steward', 'huge'),
    ]);
    const big = (what: string): string => `${`${MARKUP}\n`.repeat(7_000)}the end of the ${what}`;
    // A message about a proposal has at most 1,000 characters.
    const said = (what: string): string => `${MARKUP.repeat(10)} the end of the ${what}`;
    const rows = Array.from({ length: 10_000 }, (_, place) => ({ place, text: `row ${place}` }));
    const [name, handler] = ['t'.repeat(64), () => ({ content: [{ type: 'text', text: big('result') }] })];
    await files.serve([{ name, description: big('description'), inputSchema: { type: 'object' }, handler }]);
    const id = await propose(agent, name, { rows }, { reason: said('reason') });
    await other.status(id, 'considering', said('status'));
    await other.reject(id, 'unsafe', said('rejection'));
    await agent.chat(big('chat'));
    const page = await house.open('reviewer', 'huge');
    // Text locators would read the whole page again and again.
    const shows = async (...ends: readonly string[]): Promise<void> => {
      const missing = async () => {
        const text = String(await page.evaluate('document.querySelector(".main").textContent'));
        return ends.filter((end) => !text.includes(end));
      };
      await expect.poll(missing).toEqual([]);
    };
    const ends = ['reason', 'description', 'status', 'rejection'].map((what) => `the end of the ${what}`);
    await shows(...ends, 'row 9999');
    expect(await page.locator('.main :is(img, script, .card b b)').count()).toBe(0);
    await page.keyboard.press('.');
    await shows('"row 9999"');
    await page.keyboard.press('.');
    await page.keyboard.press('r');
    await page.locator('.bar.reject').waitFor();
    await other.fulfil({ id, method: 'tools/call' }, { name, arguments: { rows } });
    await shows('the end of the result');
    await page.goto(`${house.url}/console/huge/proposals/${id}`);
    await shows('ran this call', 'the end of the result', 'the end of the rejection');
    const client = new MacpClient({ transport: httpTransport({ url: house.url }), auth: devAgent('buyer') });
    const session = new ProposalSession(client);
    await session.start({ intent: said('intent'), participants: ['buyer', 'reviewer'], ttlMs: 600_000 });
    await session.propose('p1', said('title'), { summary: big('offer') });
    await page.goto(`${house.url}/console/huge/negotiations/${session.sessionId}`);
    await shows('the end of the intent', 'the end of the title', 'the end of the offer');
    await session.close();
    expect(await page.title()).toBe('Proffer');
  });

  it('I-7: renders few elements for ten thousand pending proposals, and scrolls to the end', async () => {
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
  }, 120_000);

  it('I-7: does not keep a replaced list alive', async () => {
    const space = 'replaced';
    const agent = await house.join('agent', space);
    // One after the other, so that the seventh is one of those in view.
    const proposeMany = async (prefix: string): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (let place = 0; place < 15; place++)
        ids.push(
          await propose(agent, `${prefix}_${place}`, { path: `/${place}` }, { id: `${prefix}-${place}` }),
        );
      return ids;
    };
    const page = await house.open('reviewer', space);
    const former = await proposeMany('former');
    await expect.poll(() => page.title()).toBe('(15) Proffer');
    // The selection stays, and with it whatever was created for it.
    await page.locator('#row-former-7').click();
    await page.locator('#row-former-7.on').waitFor();
    const others = former.filter((id) => id !== 'former-7');
    for (const id of others) await agent.withdraw(id);
    await proposeMany('later');
    await expect.poll(() => page.title()).toBe('(16) Proffer');
    const left = (id: string): boolean => others.includes(id);
    await expect.poll(async () => (await pendingOnHeap(page)).filter(left)).toEqual([]);
    expect((await pendingOnHeap(page)).filter((id) => !left(id))).toHaveLength(16);
  });

  it('O-5: keeps right-to-left names in place without reordering the text around them', async () => {
    const join = ({ token }: { readonly token: string }) => house.join(token, RIGHT);
    const [server, agent, helper] = await Promise.all([
      join(TOKENS.קבצים),
      join(TOKENS.בונה),
      join(TOKENS.عامل),
    ]);
    const tool = 'כתוב_קובץ';
    await serve(server, tool, { annotations: { destructiveHint: true, openWorldHint: true } });
    const earlier = await propose(agent, tool, { path: '/a' });
    await helper.reject(earlier, 'unsafe', 'not 2 of 3');
    const id = await propose(agent, tool, { path: '/b' }, { to: ['עדה', 'عامل'], ttl: 600_000 });
    await helper.status(id, 'considering');
    const page = await house.open(TOKENS.עדה.token, RIGHT);
    await page.getByText('began to consider this call').waitFor();
    const look = async (shown: string): Promise<void> => {
      await page.getByText(shown).first().waitFor();
      expect(await page.evaluate(REORDERED)).toEqual([]);
    };
    await look('says this tool may overwrite or delete');
    expect(await page.locator('h1').innerText()).toBe(`בונה wants to run ${tool}`);
    await readAll(page);
    await page.keyboard.press('a');
    await look('You approved this call.');
    await page.getByText(/ran with/).waitFor();
    for (const [view, shown] of [
      [`proposals/${id}`, 'approved this call; '],
      ['history', '/b'],
      ['people', 'Serves tools'],
    ] as const) {
      await page.goto(`${house.url}/console/${RIGHT}/${view}`);
      await look(shown);
    }
  });

  it('talks only to its gateway, and its content policy says so', async () => {
    const page = await house.visit('/console/strangers/inbox');
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.getByRole('button', { name: 'reviewer' }).click();
    await page.getByText('Nothing is waiting for you.').waitFor();
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

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { atOnce, looked, propose, serve, useHouse } from './testing/house.js';

const SPACES = ['new', 'burst', 'overtaken', 'edited', 'offered', 'typed', 'held', 'dead', 'click'];
const house = useHouse(`dev: true\nspaces: { ${SPACES.map((name) => `${name}: {}`).join(', ')} }`);

/** Someone who runs a tool, and someone who asks for it. */
async function staffed(space: string) {
  const [files, builder] = await Promise.all([house.join('files', space), house.join('builder', space)]);
  await serve(files, 'write_file');
  return builder;
}

/** Does something in the page as soon as the card has changed, long before anybody could read it. */
async function whenChanged(page: Page, act: string): Promise<void> {
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (!document.querySelector('#bar-note')?.textContent.includes('look first')) return;
    observer.disconnect();
    ${act};
  }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
}

describe('reading comes first', () => {
  it('approves nothing by a key that comes right after the card, and says so', async () => {
    const builder = await staffed('new');
    const page = await house.open('reviewer', 'new');
    await propose(builder, 'write_file', { path: '/first' });
    await propose(builder, 'write_file', { path: '/second' });
    await looked(page);
    await page.keyboard.press('a');
    await page.getByText('You approved this call.').waitFor();
    await whenChanged(page, "dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))");
    await page.keyboard.press('n');
    await page.locator('.key-note.on').waitFor();
    expect(await page.locator('.key-note').innerText()).toMatch(/look first|typed like text/);
    await looked(page);
    expect(builder.pending).toHaveLength(1);
    await page.keyboard.press('a');
    await expect.poll(() => builder.pending.length).toBe(0);
  });

  it('takes letters in a burst for text, whatever is open', async () => {
    const builder = await staffed('burst');
    const page = await house.open('reviewer', 'burst');
    await propose(builder, 'write_file', { path: '/a' });
    await looked(page);
    for (const text of ['a bad idea', 'no, wait', 'reject every call']) {
      await page.keyboard.type(text);
      await page.locator('.key-note.on').waitFor();
    }
    expect(await page.getByLabel('Arguments as JSON').count()).toBe(0);
    expect(builder.pending).toHaveLength(1);
    await page.keyboard.press('Escape');
    await page.clock.fastForward(5_000);
    await page.locator('.key-note:not(.on)').waitFor({ state: 'attached' });
    await page.keyboard.press('a');
    await expect.poll(() => builder.pending.length).toBe(0);
  });

  it('keeps a reason that is being written when somebody else decides, and its letters are no keys', async () => {
    const builder = await staffed('overtaken');
    const other = await house.join('reviewer', 'overtaken');
    const page = await house.open('reviewer', 'overtaken');
    await propose(builder, 'write_file', { path: '/next' });
    const taken = await propose(builder, 'write_file', { path: '/taken' });
    await page
      .getByRole('option', { name: /write_file/ })
      .nth(1)
      .waitFor();
    await page.goto(`${house.url}/console/overtaken/inbox/${taken}`);
    await looked(page);
    await page.keyboard.press('r');
    const words = page.getByLabel('In your own words');
    await words.click();
    await page.keyboard.type('no, ');
    const proposal = other.pending.find(({ id }) => id === taken);
    if (proposal !== undefined) await other.fulfil(proposal);
    await page
      .getByText(/approved this call/)
      .first()
      .waitFor();
    await page.keyboard.type('wait: an error');
    expect(await words.inputValue()).toBe('no, wait: an error');
    await page.keyboard.press('Enter');
    expect(builder.pending).toHaveLength(1);
  });

  it('a reason that is typed right after r goes into its field, also letter by letter', async () => {
    const builder = await staffed('typed');
    const page = await house.open('reviewer', 'typed');
    await propose(builder, 'write_file', { path: '/kept' });
    await looked(page);
    await page.keyboard.press('r');
    await page.getByText('Reject, because').waitFor();
    for (const letter of 'keep it as it is') {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter);
      await page.clock.runFor(140);
    }
    expect(await page.getByLabel('In your own words').inputValue()).toBe('keep it as it is');
    expect(await page.getByText('Edit what will run').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page
      .getByText(/keep it as it is/)
      .first()
      .waitFor();
  });

  /** A card that somebody else approves while something is written about it. */
  async function overtakenIn(space: string) {
    const builder = await staffed(space);
    const other = await house.join('reviewer', space);
    const page = await house.open('reviewer', space);
    await propose(builder, 'write_file', { path: '/taken' });
    await looked(page);
    const overtake = async (): Promise<void> => {
      const [proposal] = other.pending;
      if (proposal !== undefined) await other.fulfil(proposal);
      await page
        .getByText(/approved this call/)
        .first()
        .waitFor();
    };
    return { builder, page, overtake };
  }

  it('keeps an edit that is being written when somebody else decides, with the focus, and sends nothing', async () => {
    const { builder, page, overtake } = await overtakenIn('edited');
    await page.keyboard.press('e');
    const path = page.getByLabel('path');
    await path.fill('/mine');
    await overtake();
    await propose(builder, 'write_file', { path: '/next' });
    await page.keyboard.type('-and more');
    expect(await path.inputValue()).toBe('/mine-and more');
    await page.getByText('What you wrote is still here, but it can no longer be sent.').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.locator('.key-note.on').waitFor();
    expect(builder.pending).toHaveLength(1);
    await page.keyboard.press('Escape');
    await path.waitFor({ state: 'detached' });
    await page.getByText(/ran with/).waitFor();
  });

  it('keeps the reason of an offer when somebody else decides, with the focus, and sends nothing', async () => {
    const { builder, page, overtake } = await overtakenIn('offered');
    await page.keyboard.press('e');
    await page.getByLabel('path').fill('/mine');
    await page.getByRole('button', { name: 'Offer this instead' }).click();
    const why = page.getByLabel('Why you offer something else');
    await page.locator(':focus').and(why).waitFor();
    await page.keyboard.type('safer, ');
    await overtake();
    await propose(builder, 'write_file', { path: '/next' });
    await page.keyboard.type('and a new name');
    expect(await why.inputValue()).toBe('safer, and a new name');
    expect(
      await page.getByRole('button', { name: 'Make the counter-offer' }).getAttribute('aria-disabled'),
    ).toBe('true');
    await page.getByText('What you wrote is still here, but it can no longer be sent.').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.key-note.on').waitFor();
    expect(await why.inputValue()).toBe('safer, and a new name');
    expect(builder.pending).toHaveLength(1);
  });

  it('decides nothing by a key that is held down', async () => {
    const builder = await staffed('held');
    const page = await house.open('reviewer', 'held');
    await propose(builder, 'write_file', { path: '/a' });
    await looked(page);
    await atOnce(page, async () => {
      await page.keyboard.down('x');
      await page.keyboard.down('a');
      await page.keyboard.down('a');
      await page.keyboard.up('a');
      await page.keyboard.up('x');
    });
    await page.locator('.key-note.on').waitFor();
    expect(builder.pending).toHaveLength(1);
  });

  it('says that a key does nothing here', async () => {
    const builder = await staffed('dead');
    const page = await house.open('reviewer', 'dead');
    await propose(builder, 'write_file', { path: '/a' });
    await looked(page);
    await page.keyboard.press('a');
    await page.getByText('You approved this call.').waitFor();
    await page.keyboard.press('e');
    await page.getByText('“e” does nothing here').waitFor();
  });

  it('decides nothing by a click on a card that has just been replaced', async () => {
    const builder = await staffed('click');
    const page = await house.open('reviewer', 'click');
    const first = await propose(builder, 'write_file', { path: '/a' });
    await looked(page);
    // A remark arrives, and the click that was already on its way lands on the changed card.
    await whenChanged(page, "document.querySelector('.bar .go').click()");
    await builder.status(first, 'considering');
    await page.locator('.key-note.on').waitFor();
    expect(builder.pending).toHaveLength(1);
    await looked(page);
    await page.locator('.bar .go').click();
    await expect.poll(() => builder.pending.length).toBe(0);
  });
});

import { expect, it } from 'vitest';
import { propose, readAll, serve, useHouse } from './testing/house.js';

const SPACES = ['offered', 'answered', 'phone'];
const spaces = `{ ${SPACES.map((name) => `${name}: ["*"]`).join(', ')} }`;
const house = useHouse(`dev: true
spaces: { ${SPACES.map((name) => `${name}: {}`).join(', ')} }
participants: { ada: { spaces: ${spaces} }, grace: { spaces: ${spaces} } }`);

/** A server of write_file and an agent, in a space of their own. */
async function staffed(space: string) {
  const [files, agent] = await Promise.all([house.join('files', space), house.join('agent', space)]);
  await serve(files, 'write_file');
  return agent;
}

it('O-40: a reviewer offers something else from the editor, the proposer accepts it, and exactly that runs', async () => {
  const agent = await staffed('offered');
  const id = await propose(agent, 'write_file', { path: '/etc/app' });
  const ada = await house.open('ada', 'offered');
  await ada.getByText(/You approve exactly/).waitFor();
  // Without changes there is nothing to offer: the key opens the editor.
  await ada.keyboard.press('c');
  await ada.getByLabel('path').fill('/tmp/app');
  await ada.getByRole('button', { name: 'Approve the changes' }).waitFor();
  await ada.keyboard.press('Escape');
  await ada.keyboard.press('c');
  await ada.getByLabel('Why you offer something else').fill('not in /etc');
  await ada.keyboard.press('Enter');
  await ada.getByText('Your offer is recorded.').waitFor();
  const offers = ada.locator('.offers-box');
  await expect
    .poll(() => offers.innerText())
    .toMatch(/You offer\s+stands[^]*not in \/etc[^]*\/etc\/app[^]*\/tmp\/app/);

  const asked = await house.visit(`/console/offered/proposals/${id}`);
  await asked.getByLabel('Another name').fill('agent');
  await asked.getByRole('button', { name: 'Enter' }).click();
  await expect
    .poll(() => asked.locator('.steps').innerText())
    .toMatch(/ada offered something else[^]*not in \/etc/);
  await asked.getByRole('button', { name: 'Accept: this runs' }).click();
  await asked.getByText('ran with {"path":"/tmp/app"}').waitFor();
  await expect.poll(() => asked.locator('.steps').innerText()).toMatch(/by an accepted offer/);
  await ada.getByText(/You approved it.*It is done/).waitFor();
});

it('O-40: what the proposer offers in turn is reviewed in full and approved by its own digest', async () => {
  const agent = await staffed('answered');
  const id = await propose(agent, 'write_file', { path: '/etc/app' });
  const ada = await house.join('ada', 'answered');
  const params = (path: string) => ({ name: 'write_file', arguments: { path } });
  const first = await ada.counter(id, params('/tmp/app'), { reason: 'not in /etc' });
  const page = await house.open('grace', 'answered');
  await page.getByText('not in /etc').first().waitFor();
  // What a reviewer offered is for the proposer to accept.
  expect(await page.getByRole('button', { name: 'Review this offer' }).count()).toBe(0);
  await agent.counter(id, params('/srv/app'), { reason: 'it must survive a restart', answers: first.id });
  const answer = page.locator('.counters .counters .counter');
  await expect.poll(() => answer.innerText()).toMatch(/agent answers\s+stands[^]*survive a restart/);
  await answer.getByRole('button', { name: 'Review this offer' }).click();
  await page.getByText('What will run: the offer of agent').waitFor();
  await page.getByText(/You approve exactly|Read on to approve: [1-9]/).waitFor();
  await readAll(page);
  await page.keyboard.press('a');
  await page.getByText('ran with {"path":"/srv/app"}').waitFor();
  await page.getByText(/You approved it.*It is done/).waitFor();
});

it('O-40: an offer that is taken back while it is looked at is not approved', async () => {
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
  await page.getByText('this offer no longer stands').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBe('true');
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(360);
  await page.getByRole('button', { name: 'Back to what was proposed' }).click();
  await page.getByText('What will run: the offer of agent').waitFor({ state: 'detached' });
});

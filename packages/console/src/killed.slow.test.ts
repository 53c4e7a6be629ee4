import { connect, type Participant } from '@proffer/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from './testing/browser.js';
import { type GatewayProcess, startGatewayProcess } from './testing/gateway-process.js';
import { propose } from './testing/proposing.js';

let gateway: GatewayProcess;
let browser: Browser;
const people: Participant[] = [];

beforeAll(async () => {
  const yaml = 'dev: true\nspaces: { sent: {}, running: {} }\n';
  [gateway, browser] = await Promise.all([startGatewayProcess(yaml), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await Promise.all(people.map((one) => one.close()));
  await browser?.close();
  await gateway?.[Symbol.asyncDispose]();
});

async function join(token: string, space: string): Promise<Participant> {
  const participant = await connect({ url: gateway.url, token, space });
  people.push(participant);
  return participant;
}

/** A card waiting for the reviewer's decision. */
async function openCard(space: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${gateway.url}/console/${space}/inbox`);
  await page.getByRole('button', { name: 'reviewer' }).click();
  await page.getByText(/This approval covers exactly/).waitFor();
  return page;
}

it('I-1, I-6: reports an unconfirmed decision when the gateway is killed before recording it, then counts it once', async () => {
  const [files, agent] = await Promise.all([join('files', 'sent'), join('agent', 'sent')]);
  let runs = 0;
  await files.serve([{ name: 'pay', handler: () => `run ${++runs}` }]);
  await propose(agent, 'pay', { amount: 5 });
  const page = await openCard('sent');
  gateway.freeze();
  await page.keyboard.press('a');
  await page.getByText('Waiting for the gateway to record it').waitFor();
  expect(await page.locator('.bar').innerText()).not.toMatch(/approved this call|ran/);
  await gateway.kill();
  await page.getByText('The connection to the gateway was lost.').waitFor();
  await page.getByText('Sent, not confirmed.').waitFor();
  // The page reconnects last: its retry finds the executor.
  await page.context().setOffline(true);
  await gateway.restart();
  await expect.poll(() => files.isConnected).toBe(true);
  await page.context().setOffline(false);
  await page.getByText(/You approved this call.*It ran/).waitFor();
  await page.getByText('run 1').waitFor();
  expect(runs).toBe(1);
});

it('I-1, O-23: keeps to what was recorded when the gateway is killed during execution, and shows the late result', async () => {
  const [files, agent] = await Promise.all([join('files', 'running'), join('agent', 'running')]);
  let runs = 0;
  let finish = (_said: string): void => {};
  const handler = (): Promise<string> => {
    runs++;
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  await files.serve([{ name: 'pay', handler }]);
  await propose(agent, 'pay', { amount: 5 });
  const page = await openCard('running');
  await page.keyboard.press('a');
  await page
    .locator('.bar')
    .getByText(/You approved this call.*files is running it/)
    .waitFor();
  await gateway.kill();
  await page.getByText('The connection to the gateway was lost.').waitFor();
  expect(await page.locator('.bar').innerText()).toMatch(/You approved this call.*files is running it/);
  await gateway.restart();
  await page.getByText('The connection to the gateway was lost.').waitFor({ state: 'detached' });
  expect(await page.locator('.bar').innerText()).not.toMatch(/done/);
  finish('paid in the end');
  await page.getByText('paid in the end').waitFor();
  await page.getByText(/You approved this call.*It ran/).waitFor();
  expect(runs).toBe(1);
});

import { makeSigningKey, registration } from '@proffer/client/participation';
import { type JsonObject, objectOf, objectsIn, textOf } from '@proffer/core/json';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { looked, propose, readAll, serve, useHouse } from './testing/house.js';

const NAMES = ['all', 'lost', 'second', 'thief', 'origin', 'words'];
const SPACES = [
  ...['wide', 'phone'].flatMap((screen) => NAMES.map((name) => `${name}-${screen}`)),
  'first',
  'batch',
];
const all = `{ ${SPACES.map((name) => `${name}: ["*"]`).join(', ')} }`;
const signer = `{ ${SPACES.map((name) => `${name}: [mcp.request.*, mcpx.*, mcpx.approve.proposal]`).join(', ')} }`;
const configured = (more = ''): string => `dev: true
${more}
spaces: { ${SPACES.map((name) => `${name}: { review: [{ call: mcp.request.tools/call:pay, signed: true }] }`).join(', ')} }
participants: { boss: { spaces: ${all} }, ada: { spaces: ${signer} }, grace: { spaces: ${signer} } }`;
const house = useHouse(configured());

const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 720 },
  isMobile: true,
  hasTouch: true,
};

/** A browser with a device that asks who is there, at an address where passkeys work. */
async function open(who: string, space: string, options?: BrowserContextOptions) {
  const page = await house.visit('/healthz', options);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${atLocalhost(house.url)}/console/${space}/people`);
  await page.getByLabel('Another name').fill(who);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByRole('heading', { name: 'People' }).waitFor();
  return {
    page,
    /** Whether its user answers the prompt, or closes it. */
    answers: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    forget: () => cdp.send('WebAuthn.clearCredentials', { authenticatorId }),
  };
}

const atLocalhost = (url: string): string => url.replace('127.0.0.1', 'localhost');

/** Asks the gateway as somebody, as a script does. */
async function ask(who: string, path: string, body?: JsonObject): Promise<JsonObject> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${house.url}${path}`, { ...sent, headers: { authorization: `Bearer ${who}` } });
  return (await answer.json()) as JsonObject;
}

const codeFor = async (who: string, space: string): Promise<string> =>
  textOf(
    objectOf((await ask('boss', `/spaces/${space}/keys/codes`, { participant: who }))['key_code'])['code'],
  );

async function register(page: Page, space: string, who: string, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('The code of an operator').fill(await codeFor(who, space));
  await page.getByLabel('What you call this device').fill(label);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Your passkey is registered').waitFor();
}

async function staffed(space: string) {
  const [till, agent] = await Promise.all([house.join('till', space), house.join('agent', space)]);
  await serve(till, 'pay');
  return agent;
}

async function approve(page: Page, space: string, id: string): Promise<void> {
  await page.goto(`${atLocalhost(house.url)}/console/${space}/proposals/${id}`);
  await page.getByText('An approval of this call is signed with a passkey').waitFor();
  await readAll(page);
  await page.getByRole('button', { name: /^Approve/ }).click();
}

describe.each([
  ['wide', undefined],
  ['phone', PHONE],
])('on a %s screen', (screen, options) => {
  it('O-49: a passkey is registered, signs an approval, and is revoked', async () => {
    const space = `all-${screen}`;
    const agent = await staffed(space);
    const { page } = await open('ada', space, options);
    await register(page, space, 'ada', 'my laptop');
    expect(await barriersOn(page)).toEqual([]);
    await approve(page, space, await propose(agent, 'pay', { path: '/a' }));
    await page
      .getByText(/It ran/)
      .first()
      .waitFor();
    await page.goto(`${atLocalhost(house.url)}/console/${space}/people`);
    await page.getByRole('button', { name: 'Revoke the key my laptop' }).click();
    await page.getByText('That key no longer counts.').waitFor();
    await approve(page, space, await propose(agent, 'pay', { path: '/b' }));
    await page.getByText('you have none here. Add one under People.').waitFor();
  });

  it('O-49: a lost device is revoked, and a code of an operator lets its owner add another one', async () => {
    const space = `lost-${screen}`;
    const agent = await staffed(space);
    const { page, forget } = await open('ada', space, options);
    await register(page, space, 'ada', 'old phone');
    await forget();
    const id = await propose(agent, 'pay', { path: '/a' });
    await approve(page, space, id);
    await page.getByText('Nothing was signed: you cancelled the prompt').waitFor();
    const [lost] = objectsIn((await ask('boss', `/spaces/${space}/keys`))['keys']);
    await ask('boss', `/spaces/${space}/keys/${textOf(lost?.['id'])}/revoke`, { participant: 'ada' });
    await page.goto(`${atLocalhost(house.url)}/console/${space}/people`);
    await register(page, space, 'ada', 'new phone');
    await approve(page, space, id);
    await page
      .getByText(/It ran/)
      .first()
      .waitFor();
  });

  it('O-49: a second device is added with a code, and both count', async () => {
    const space = `second-${screen}`;
    const agent = await staffed(space);
    for (const label of ['laptop', 'phone']) {
      const { page } = await open('ada', space, options);
      await register(page, space, 'ada', label);
      await approve(page, space, await propose(agent, 'pay', { path: `/${label}` }));
      await page
        .getByText(/It ran/)
        .first()
        .waitFor();
    }
    const { keys } = await ask('boss', `/spaces/${space}/keys`);
    expect(objectsIn(keys).map(({ label }) => label)).toEqual(['laptop', 'phone']);
  });

  it('O-49: a replayed assertion, another person and another decision are refused, whoever has all tokens', async () => {
    const space = `thief-${screen}`;
    const agent = await staffed(space);
    const { page } = await open('ada', space, options);
    await register(page, space, 'ada', 'laptop');
    const id = await propose(agent, 'pay', { path: '/a' });
    await approve(page, space, id);
    await page
      .getByText(/It ran/)
      .first()
      .waitFor();
    // The thief has the journal, and every token.
    const { messages } = await ask('boss', `/spaces/${space}/feed?records=true`);
    const record = objectsIn(messages)
      .map((message) => objectOf(message['record']))
      .find(({ type, facts }) => type === 'fulfilled' && objectOf(facts)['proposal'] === id);
    const signature = objectOf(objectOf(objectOf(record?.['envelope'])['payload'])['signature']);
    expect(signature).toHaveProperty('clientDataJSON');
    const other = await propose(agent, 'pay', { path: '/stolen' });
    const { proposal } = await ask('boss', `/spaces/${space}/proposals/${other}`);
    const { digest = '' } = objectOf(proposal);
    const tried = async (who: string, forged: JsonObject) =>
      objectOf(
        (await ask(who, `/spaces/${space}/proposals/${other}/approve`, { digest, signature: forged }))[
          'details'
        ],
      )['why'];
    expect(await tried('ada', signature)).toBe('other_decision');
    expect(await tried('grace', signature)).toBe('unknown_key');
    const unsigned = await ask('ada', `/spaces/${space}/proposals/${other}/approve`, { digest });
    expect(unsigned['code']).toBe('signature_required');
    const { decisionDigest } = await import('@proffer/core/operations');
    const decision = objectOf(unsigned['details'])['decision'] as never;
    const digests = [decisionDigest(decision)];
    expect(await tried('ada', { ...signature, digests, at: Date.now() })).toBe('false');
  });

  it('O-49: a passkey counts only at the addresses that the operator names', async () => {
    const space = `origin-${screen}`;
    const agent = await staffed(space);
    const { page } = await open('ada', space, options);
    await register(page, space, 'ada', 'laptop');
    house.reload(configured('console: { passkey_origins: ["https://approvals.example.com"] }'));
    const id = await propose(agent, 'pay', { path: '/a' });
    await approve(page, space, id);
    await page.getByText('the passkey was used at another address: http://localhost').waitFor();
    house.reload(configured());
    await looked(page);
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page
      .getByText(/It ran/)
      .first()
      .waitFor();
  });

  it('O-49: says what to do about a closed prompt, and at an address where passkeys do not work', async () => {
    const space = `words-${screen}`;
    const agent = await staffed(space);
    const { page, answers } = await open('ada', space, options);
    await register(page, space, 'ada', 'laptop');
    await answers(false);
    const id = await propose(agent, 'pay', { path: '/a' });
    await approve(page, space, id);
    await page.getByText('Nothing was signed: you cancelled the prompt, or it took too long.').waitFor();
    await answers(true);
    await looked(page);
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page
      .getByText(/It ran/)
      .first()
      .waitFor();
    const numbered = await house.open('grace', space);
    await numbered.goto(`${house.url}/console/${space}/people`);
    await numbered.getByRole('button', { name: 'Add a passkey' }).click();
    await numbered.getByLabel('The code of an operator').fill('any');
    await numbered.getByRole('button', { name: 'Add', exact: true }).click();
    await numbered.getByText('Passkeys need a name instead of a number in the address.').waitFor();
  });
});

it('O-49: whoever has only the key of a program adds a first passkey with a code', async () => {
  const by = { code: await codeFor('ada', 'first') };
  const key = await registration(makeSigningKey(), { space: 'first', participant: 'ada', by });
  await ask('ada', '/spaces/first/keys', key);
  const { page } = await open('ada', 'first');
  await page.getByText('You have a key').waitFor();
  await register(page, 'first', 'ada', 'laptop');
});

it('O-35, O-49: several calls are approved with one prompt, and one signature over all of them', async () => {
  const agent = await staffed('batch');
  const { page } = await open('ada', 'batch');
  await register(page, 'batch', 'ada', 'laptop');
  const ids = [];
  for (const path of ['/a', '/b', '/c']) ids.push(await propose(agent, 'pay', { path }));
  await page.goto(`${atLocalhost(house.url)}/console/batch/inbox`);
  await page.getByRole('option', { name: /3 × pay/ }).click();
  await page.getByText('How they differ').waitFor();
  await page.keyboard.press('End');
  await looked(page);
  await page.getByRole('button', { name: 'Approve 3' }).click();
  await expect
    .poll(async () => {
      const { messages } = await ask('boss', '/spaces/batch/feed?records=true');
      return objectsIn(messages)
        .map((message) => objectOf(message['record']))
        .filter(({ type }) => type === 'fulfilled')
        .map(({ envelope }) => objectOf(objectOf(objectOf(envelope)['payload'])['signature'])['digests']);
    })
    .toEqual([expect.any(Array), expect.any(Array), expect.any(Array)]);
  const { messages } = await ask('boss', '/spaces/batch/feed?records=true');
  const signatures = new Set(
    objectsIn(messages)
      .map((message) => objectOf(message['record']))
      .filter(({ type }) => type === 'fulfilled')
      .map(({ envelope }) => objectOf(objectOf(objectOf(envelope)['payload'])['signature'])['signature']),
  );
  expect(signatures.size).toBe(1);
  expect(ids).toHaveLength(3);
});

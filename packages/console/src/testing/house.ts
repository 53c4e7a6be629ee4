import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant } from '@proffer/client';
import { BURST, LOOK_FIRST } from '@proffer/core/gesture';
import type { JsonObject } from '@proffer/core/json';
import { type Gateway, loopbackConfig, startOnLoopback } from '@proffer/gateway';
import { freePorts } from '@proffer/journal/testing';
import { rulesCompanion } from '@proffer/steward/companion';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { CONSOLE_FOLDER } from '../index.js';
import { launchBrowser } from './browser.js';

/** A gateway that serves the console, a browser, and all participants. */
export interface House {
  readonly url: string;
  /** A new page for a signed-in user, at the inbox of a space. */
  open(who: string, space: string, options?: BrowserContextOptions): Promise<Page>;
  /** A page with nobody signed in. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** A participant without a browser. */
  join(who: string, space: string): Promise<Participant>;
  stop(): Promise<void>;
  /** Starts the gateway again, with another configuration if one is given. */
  start(next?: string): Promise<void>;
  reload(yaml: string): void;
}

/**
 * A house for the tests of one file. Each test uses a separate space, so that they need not clean up.
 *
 * @param yaml - the configuration
 */
export function useHouse(yaml: string): House {
  /** Page errors, and content policy violations. */
  const complaints: string[] = [];
  const people: Participant[] = [];
  let browser: Browser;
  let gateway: Gateway | undefined;
  let folder = '';
  let port = 0;

  async function start(next = yaml): Promise<void> {
    ({ gateway } = await startOnLoopback(next, {
      folder,
      port,
      console: CONSOLE_FOLDER,
      companions: [rulesCompanion],
    }));
  }

  beforeAll(async () => {
    if (!existsSync(CONSOLE_FOLDER)) throw new Error('The console is not built: run `npm run build` first.');
    folder = await mkdtemp(join(tmpdir(), 'proffer-console-'));
    // Nobody else gets it while the gateway is stopped.
    [port = 0] = await freePorts(1);
    [browser] = await Promise.all([launchBrowser(), start()]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(people.map((one) => one.close()));
    await browser?.close();
    await gateway?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    expect(complaints).toEqual([]);
  });

  const house: House = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    async visit(path, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      await handClock(page);
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        // Failed requests to a gateway that is stopped or out of reach are what those tests are about.
        const isExpected =
          /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INTERNET_DISCONNECTED|WebSocket connection|status of (?:401|404|503)/.test(
            message.text(),
          );
        if (message.type() === 'error' && !isExpected) complaints.push(message.text());
      });
      await page.goto(`${house.url}${path}`);
      return page;
    },
    async open(who, space, options) {
      const page = await house.visit(`/console/${space}/inbox`, options);
      await page.getByLabel('Another name').fill(who);
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByRole('navigation').waitFor();
      return page;
    },
    async join(who, space) {
      const participant = await connect({ url: house.url, token: who, space });
      people.push(participant);
      return participant;
    },
    start,
    async stop() {
      await gateway?.close();
      gateway = undefined;
    },
    reload: (next) => gateway?.reload(loopbackConfig(next)),
  };
  return house;
}

/** Serves a tool that returns its arguments. */
export async function serve(participant: Participant, name: string, more: JsonObject = {}): Promise<void> {
  const inputSchema = {
    type: 'object',
    properties: { path: { type: 'string' }, count: { type: 'integer' } },
    required: ['path'],
  };
  const description = `Does ${name}.`;
  const handler = (given: JsonObject) => `ran with ${JSON.stringify(given)}`;
  await participant.serve([{ name, description, inputSchema, ...more, handler }]);
}

export { propose } from './proposing.js';

/** Reads a card to its end: the approve key scrolls to what was not visible yet. */
export async function readAll(page: Page): Promise<void> {
  const note = page.locator('#bar-note');
  await note.waitFor();
  // It is gone if everything came into view just before the key was pressed, which then approved.
  const said = async (): Promise<string> => (await note.allInnerTexts())[0] ?? '';
  for (let before = await said(); before.startsWith('Scroll to the end'); before = await said()) {
    await page.keyboard.press('a');
    await expect.poll(said).not.toBe(before);
  }
  await looked(page);
}

/**
 * Gives a page a clock that tests can advance; it runs on by itself, too. Who presses a key takes their time; what is typed
 * (`keyboard.type`) comes at once.
 */
export async function handClock(page: Page): Promise<void> {
  await page.clock.install();
  const { keyboard } = page;
  const press = keyboard.press.bind(keyboard);
  const type = keyboard.type.bind(keyboard);
  keyboard.press = async (...given) => {
    await press(...given);
    await page.clock.fastForward(BURST);
  };
  keyboard.type = (...given) => atOnce(page, () => type(...given));
}

/** Does something while the clock of the page stands still: however busy the machine is, it takes no time there. */
export async function atOnce(page: Page, act: () => Promise<void>): Promise<void> {
  // It cannot be set back, and has run on since it was read.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
  await act();
  await page.clock.resume();
}

/** Lets the reader look: the card has been shown for long enough to be decided. */
export async function looked(page: Page): Promise<void> {
  const ready = page.locator('.bar .go:not([aria-disabled=true])');
  await expect
    .poll(async () => {
      await page.clock.fastForward(LOOK_FIRST);
      return await ready.count();
    })
    .toBeGreaterThan(0);
  // The next letter is no part of a text.
  await page.clock.fastForward(BURST);
}

import { connect, type Participant } from '@proffer/client';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { temporaryFolder } from '../cleanup.js';
import type { GatewayServerOptions } from '../gateway/servers/gateway.js';
import { type GatewayCompanion, startGatewayCompanion } from '../gateway/venue.js';
import { launchChromium } from './browser.js';
import { installProbe } from './page/probe.js';

/** A gateway that serves the console, a browser, and other participants. */
export interface ConsoleVenue extends AsyncDisposable {
  readonly gateway: GatewayCompanion;
  readonly browser: Browser;
  readonly url: string;
  /** A page with an empty cache and the probe installed, with nobody signed in. */
  visit(space: string, options?: BrowserContextOptions): Promise<Page>;
  /** The reviewer's inbox of a space. */
  open(space: string): Promise<Page>;
  join(who: string, space: string, options?: { readonly records?: boolean }): Promise<Participant>;
}

export async function openConsoleVenue(
  spaces: readonly string[],
  options: Pick<GatewayServerOptions, 'dedupWindow'> = {},
): Promise<ConsoleVenue> {
  const folder = await temporaryFolder();
  const gateway = await startGatewayCompanion({ ...options, folder: folder.path, spaces, console: true });
  const browser = await launchChromium();
  const url = `http://127.0.0.1:${gateway.ready.port}`;
  const people: Participant[] = [];
  const venue: ConsoleVenue = {
    gateway,
    browser,
    url,
    async visit(space, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      await context.addInitScript(installProbe);
      const page = await context.newPage();
      await page.goto(`${url}/console/${space}/inbox`);
      return page;
    },
    async open(space) {
      const page = await venue.visit(space);
      await page.getByRole('button', { name: 'reviewer' }).click();
      await page.getByRole('navigation').waitFor();
      return page;
    },
    async join(who, space, options) {
      const one = await connect({ url, token: who, space, ...options });
      people.push(one);
      return one;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(people.map((one) => one.close()));
      await browser[Symbol.asyncDispose]();
      await gateway.end();
      await folder[Symbol.asyncDispose]();
    },
  };
  return venue;
}

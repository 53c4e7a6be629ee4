import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** In the page: what axe finds wrong with what is on the screen. */
const VIOLATIONS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`;

/** What axe finds wrong with what is on the screen, in the light and in the dark theme. */
export async function barriersOn(page: Page): Promise<readonly string[]> {
  // Once for each document: reading it takes as long as looking at the page.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe.source);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion, the colours are there at once.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = (await page.evaluate(VIOLATIONS)) as readonly string[];
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** In the page: the accessibility violations axe finds on the screen. */
const VIOLATIONS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`;

/** The accessibility violations axe finds on the screen, in the light and the dark theme. */
export async function barriersOn(page: Page): Promise<readonly string[]> {
  // Once per document: loading it takes as long as checking the page.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe.source);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without animations, the colours are final at once.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = (await page.evaluate(VIOLATIONS)) as readonly string[];
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

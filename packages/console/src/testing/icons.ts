import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from './browser.js';

/**
 * Renders the icons of the installed app from the drawing. Maskable ones have padding and no round corners.
 */
export async function makeIcons(folder: string): Promise<void> {
  const drawing = await readFile(join(folder, 'icon.svg'), 'utf8');
  const wide = drawing.replace('viewBox="0 0 64 64"', 'viewBox="-8 -8 80 80"').replace('rx="15"', 'rx="0"');
  const browser = await launchBrowser();
  try {
    const draw = async (name: string, svg: string, size: number): Promise<void> => {
      const page = await browser.newPage({ viewport: { width: size, height: size } });
      const sized = svg.replace('<svg ', `<svg width="${size}" height="${size}" `);
      await page.setContent(`<body style="margin:0;background:transparent">${sized}</body>`);
      await page.screenshot({ path: join(folder, name), omitBackground: true });
      await page.close();
    };
    await draw('icon-192.png', drawing, 192);
    await draw('icon-512.png', drawing, 512);
    const filled = wide.replace('<rect width="64" height="64"', '<rect x="-8" y="-8" width="80" height="80"');
    await draw('icon-maskable-512.png', filled, 512);
  } finally {
    await browser.close();
  }
}

// npm run screenshots: takes the console screenshots for the README and the guides, with a real gateway and
// browser, and makes the icons of the installed app.
import { join } from 'node:path';
import { build, ready } from './prepare.mjs';
import { main, step } from './step.mjs';
import { root } from './tools.mjs';

await main(async () => {
  await ready();
  await build();
  await step('Making the pictures of the console', async () => {
    const { runnerImport } = await import('vite');
    const program = join(root, 'packages/console/src/testing/pictures.ts');
    const { module } = await runnerImport(program, {
      configFile: false,
      logLevel: 'error',
      // Node 20 does not support `using`.
      oxc: { target: 'es2022' },
      resolve: { conditions: ['@proffer/source'] },
    });
    /** @typedef {(folder: string) => Promise<void>} Make */
    const { makePictures, makeIcons } = /** @type {{ makePictures: Make, makeIcons: Make }} */ (module);
    await makeIcons(join(root, 'packages/console/src/app/public'));
    await makePictures(join(root, 'docs/pictures'));
  });
  return 0;
});

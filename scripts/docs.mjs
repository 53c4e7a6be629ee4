// npm run docs: see HELP below.
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { install } from './install.mjs';
import { build, ready } from './prepare.mjs';
import { run } from './run.mjs';
import { Failure, main, step } from './step.mjs';
import { root } from './tools.mjs';

const HELP = `npm run docs             makes the documentation as a site, with search: docs/site/dist/html
npm run docs -- --serve  and serves it on this machine until Ctrl-C

A link that leads nowhere is an error. PROFFER_DOCS_BASE=/proffer/ npm run docs is for a site in a folder of a server.
`;

const site = join(root, 'docs/site');

await main(async () => {
  const { values } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, serve: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  await ready();
  await build();
  // It has a lockfile of its own, so that neither `npm start` nor `npm test` installs what only the site needs.
  await install(site);
  await step('Making the site', async () => {
    const { code, output } = await run(process.execPath, ['build.mjs'], { cwd: site });
    if (code !== 0) throw new Failure(output.trim());
  });
  console.log('Open docs/site/dist/html on a web server, or run npm run docs -- --serve.');
  if (values.serve !== true) return 0;
  const vitepress = join(site, 'node_modules/vitepress/bin/vitepress.js');
  const { code } = await run(process.execPath, [vitepress, 'preview', '--host', '127.0.0.1'], {
    cwd: site,
    stream: true,
  });
  return code;
});

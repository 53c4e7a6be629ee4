// Makes the site: `npm run docs` in the repository's root installs what this needs, builds the packages and runs it.
import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startOnLoopback } from '@proffer/gateway';
import { apiOptions } from './api.mjs';
import { httpPage } from './http-page.mjs';
import { createPages } from './pages.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const target = `${here}dist/pages`;

await rm(`${here}dist`, { recursive: true, force: true });
await mkdir(target, { recursive: true });

const { navigation, problems } = await createPages(root, target);
if (problems.length > 0) throw new Error(`These links lead nowhere:\n${problems.join('\n')}`);
await writeFile(`${here}dist/navigation.json`, JSON.stringify(navigation));
await cp(`${root}/docs/pictures`, `${target}/pictures`, { recursive: true });

// The gateway describes its own routes.
const { gateway, url } = await startOnLoopback();
const description = await (await fetch(new URL('/openapi.json', url.replace(/^ws/, 'http')))).json();
await gateway.close();
await mkdir(`${target}/public`);
await writeFile(`${target}/public/openapi.json`, JSON.stringify(description, null, 2));
await writeFile(`${target}/http-api.md`, httpPage(description));

await writeFile(`${here}dist/tsconfig.json`, JSON.stringify(apiOptions(root).tsconfig));
await writeFile(`${here}dist/typedoc.json`, JSON.stringify(apiOptions(root).typedoc));
for (const line of [
  ['node_modules/typedoc/bin/typedoc', '--options', 'dist/typedoc.json'],
  ['node_modules/vitepress/bin/vitepress.js', 'build'],
]) {
  const { stderr } = await promisify(execFile)(process.execPath, line, { cwd: here, maxBuffer: 2 ** 26 });
  process.stderr.write(stderr);
}

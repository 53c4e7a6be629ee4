// npm run bench:against: see HELP below.
import { execFile } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs, promisify } from 'node:util';
import { build, ready } from './prepare.mjs';
import { Failure, main, step } from './step.mjs';
import { node, root, tool } from './tools.mjs';

const HELP = `npm run bench:against -- REVISION       what core costs for each message now, and at another revision
npm run bench:against -- REVISION 3000  in so many rounds; default 1000

Both take turns in one process, and processor time is counted, so that it says something on a busy machine, too.
`;

const run = promisify(execFile);

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  const [revision, rounds = '1000'] = positionals;
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (revision === undefined || !/^[1-9]\d*$/.test(rounds)) throw new Failure(HELP);
  await ready();
  await build();
  const before = await step(`Building core of ${revision}`, () => buildCoreOf(revision));
  const measure = join(root, 'scripts/against/measure.mjs');
  const { code } = await node([measure, before, join(root, 'packages/core/dist'), rounds], { stream: true });
  return code;
});

/**
 * Builds core at a revision. Returns the output folder.
 *
 * @param {string} revision
 */
async function buildCoreOf(revision) {
  const folder = join(root, 'node_modules/.cache/against');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = join(folder, 'core.tar');
  const git = ['archive', `--output=${archive}`, revision, 'packages/core', 'tsconfig.base.json'];
  await run('git', git, { cwd: root }).catch((/** @type {unknown} */ error) => {
    throw new Failure(`git cannot give the sources of ${revision}: ${String(error)}`);
  });
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const { code, output } = await tool('tsc', ['-p', join(folder, 'packages/core')]);
  if (code !== 0) throw new Failure(`core of ${revision} does not compile:\n${output}`);
  return join(folder, 'packages/core/dist');
}

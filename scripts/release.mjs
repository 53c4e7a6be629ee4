// npm run release: see HELP below.
import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs, promisify } from 'node:util';
import { build, ready } from './prepare.mjs';
import { nextVersion, releaseChangelog, withVersion } from './release-plan.mjs';
import { Failure, main, step } from './step.mjs';
import { node, root, tool } from './tools.mjs';

const HELP = `npm run release -- minor --dry-run  what a release would change and publish; packs and checks, changes nothing
npm run release -- minor            does it: versions, changelog, all tests, commit, tag, publish

In place of minor: major, patch, or a version such as 0.2.0. All packages have the same version.
A release needs a clean work tree on main and a login at the registry (npm login, or a workflow with provenance).
`;

/** Files besides package.json that name the version. */
const SOURCES = ['packages/gateway/src/version.ts', 'packages/mcp/src/bridge/server-session.ts'];

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, 'dry-run': { type: 'boolean' } },
  });
  const [asked, ...more] = positionals;
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (asked === undefined || more.length > 0) throw new Failure(HELP);
  const isDry = values['dry-run'] === true;
  await ready();
  const current = JSON.parse(await read('packages/core/package.json')).version;
  const version = nextVersion(current, asked);
  const { changes, notes } = await planRelease(current, version);
  console.log(
    `${current} → ${version}\n\n${notes}\n\nFiles:\n${[...changes.keys()].map(indent).join('\n')}\n`,
  );
  if (!isDry) await checkTree();

  if (!isDry) for (const [path, text] of changes) await writeFile(join(root, path), text);
  if (!isDry) await must('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund']);
  // What is left of files that are gone would be published.
  for (const room of await readdir(join(root, 'packages')))
    await rm(join(root, 'packages', room, 'dist'), { recursive: true, force: true });
  await build();
  if (isDry) {
    await step('Checking the packed packages', async () => {
      const { code, output } = await tool('vitest', ['run', 'conformance/packed']);
      if (code !== 0) throw new Failure(output);
    });
  } else if ((await node(['scripts/test.mjs', '--all'], { stream: true })).code !== 0) {
    throw new Failure('Nothing was published. `git restore .` takes the new versions back.');
  }

  const rooms = Object.keys(JSON.parse(await read('conformance/layers.json')));
  const packed = await must('npm', ['pack', '--dry-run', '--json', ...rooms.flatMap(workspace)]);
  /** @type {readonly { name: string, size: number, entryCount: number }[]} */
  const packages = Object.values(JSON.parse(packed));
  for (const { name, size, entryCount } of packages)
    console.log(indent(`${name}@${version}  ${entryCount} files, ${Math.ceil(size / 1024)} KiB`));
  if (isDry) {
    console.log(
      `\nA release would publish these ${packages.length} packages, commit, and tag v${version}. Nothing was changed.`,
    );
    return 0;
  }
  await must('git', ['commit', '--all', '--message', `release: ${version}`]);
  await must('git', ['tag', '--annotate', `v${version}`, '--message', notes]);
  // Each after those that it uses, so that none can be installed too early.
  for (const room of rooms) await must('npm', ['publish', ...workspace(room)]);
  console.log(`\nPublished ${version}. Next: git push --follow-tags`);
  return 0;
});

/**
 * The new contents of every file that a release changes.
 *
 * @param {string} current
 * @param {string} version
 */
async function planRelease(current, version) {
  /** @type {Map<string, string>} */
  const changes = new Map();
  const date = new Date().toISOString().slice(0, 10);
  const { text, notes } = releaseChangelog(await read('CHANGELOG.md'), version, date);
  changes.set('CHANGELOG.md', text);
  const folders = (await readdir(join(root, 'packages'))).map((name) => `packages/${name}`);
  for (const folder of [...folders, 'conformance', 'bench', 'examples'])
    changes.set(`${folder}/package.json`, withVersion(await read(`${folder}/package.json`), version));
  for (const path of SOURCES) {
    const source = await read(path);
    if (!source.includes(`'${current}'`)) throw new Failure(`${path} does not name the version ${current}.`);
    changes.set(path, source.replace(`'${current}'`, `'${version}'`));
  }
  return { changes, notes };
}

async function checkTree() {
  const branch = await must('git', ['rev-parse', '--abbrev-ref', 'HEAD']);
  if (branch.trim() !== 'main') throw new Failure(`Releases are made on main; this is ${branch.trim()}.`);
  const changed = await must('git', ['status', '--porcelain']);
  if (changed !== '') throw new Failure(`Commit or stash these first:\n${changed}`);
}

/**
 * The output of a program that must succeed.
 *
 * @param {string} command
 * @param {readonly string[]} args
 */
async function must(command, args) {
  const options = { cwd: root, shell: process.platform === 'win32', maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(command, [...args], options).catch(
    (/** @type {unknown} */ error) => {
      throw new Failure(String(error));
    },
  );
  return stdout;
}

/** @param {string} path */
function read(path) {
  return readFile(join(root, path), 'utf8');
}

/** @param {string} line */
function indent(line) {
  return `  ${line}`;
}

/** @param {string} room */
function workspace(room) {
  return ['--workspace', `packages/${room}`];
}

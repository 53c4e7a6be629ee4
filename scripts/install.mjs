import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { run } from './run.mjs';
import { Failure, step } from './step.mjs';

/**
 * Installs the lockfile's packages, unless they are installed. npm removes `node_modules` first and the
 * marker is written last, so an interrupted installation is repeated.
 *
 * @param {string} root - the folder with the lockfile
 * @param {{ development?: boolean }} [options] - `development: false` leaves out what only checks and tests need
 */
export async function install(root, { development = true } = {}) {
  const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const mark = join(root, 'node_modules', '.proffer-installed');
  const platform = `${process.platform} ${process.arch}`;
  const wanted = `${createHash('sha256').update(lockfile).digest('hex')} ${platform}`;
  const marked = readIfThere(mark);
  if (marked === wanted || (!development && marked === `${RUN_ONLY}${wanted}`)) return;
  // The binaries in node_modules are for one platform, so a folder that was moved counts as not installed.
  const moved = marked !== undefined && !marked.endsWith(` ${platform}`);
  // npm may have been run by hand.
  const isComplete =
    !moved && matchesLockfile(lockfile, readIfThere(join(root, 'node_modules', '.package-lock.json')));
  if (!isComplete) {
    if (development && marked?.startsWith(RUN_ONLY) === true)
      process.stderr.write(
        'npm start installed only what running needs; checks and tests need more packages.\n',
      );
    await step('Installing dependencies (npm ci)', async () => {
      // Without a network, npm's retry delays would take minutes.
      const options = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retry-mintimeout=1000'];
      const omit = development ? [] : ['--omit=dev', '--omit=peer'];
      const { code, output } = await npm(['ci', ...options, '--fetch-retry-maxtimeout=5000', ...omit], root);
      if (code !== 0) throw new Failure(`${output.trim()}\n\n${explainInstallFailure(output)}`);
    });
  }
  writeFileSync(mark, development || isComplete ? wanted : `${RUN_ONLY}${wanted}`);
}

/** What the marker begins with if only what running needs is installed. */
const RUN_ONLY = 'run-only ';

/**
 * Whether npm has installed exactly the packages of a lockfile, according to the list that npm leaves in
 * `node_modules`; the list omits packages for other platforms.
 *
 * @param {string} lockfile
 * @param {string | undefined} list
 */
export function matchesLockfile(lockfile, list) {
  if (list === undefined) return false;
  /** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean }>} Packages */
  const { '': _self, ...wanted } = /** @type {Packages} */ (JSON.parse(lockfile).packages);
  const found = /** @type {Packages} */ (JSON.parse(list).packages);
  return (
    Object.entries(found).every(
      ([path, { version, integrity }]) =>
        wanted[path]?.version === version && wanted[path]?.integrity === integrity,
    ) && Object.entries(wanted).every(([path, { optional }]) => optional === true || path in found)
  );
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/**
 * Explains why `npm ci` failed and what to do.
 *
 * @param {string} output - everything npm printed
 */
export function explainInstallFailure(output) {
  if (
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|E?TIMEDOUT|EHOSTUNREACH|ENETDOWN)\b/.test(
      output,
    )
  ) {
    return 'npm could not reach its registry: there is no network, or a proxy is in the way. Connect (or set the proxy with `npm config set proxy …`) and run the same command again.';
  }
  if (output.includes('EUSAGE')) {
    return 'package.json and package-lock.json do not agree. Run `npm install` and keep both files together.';
  }
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return 'npm may not write here. Check who owns this folder and your npm cache (`npm config get cache`).';
  }
  if (output.includes('ENOSPC')) return 'The disk is full. Make room and run the same command again.';
  return 'npm ci failed; what it said is above. Correct that and run the same command again.';
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function npm(args, cwd) {
  const script = process.env['npm_execpath'];
  if (script !== undefined && basename(script) === 'npm-cli.js') {
    return run(process.execPath, [script, ...args], { cwd });
  }
  // On Windows npm is a batch file, which needs a shell.
  return run('npm', args, { cwd, shell: process.platform === 'win32' });
}

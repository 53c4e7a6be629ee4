import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** The frameworks used by the adapters in `examples/python`. */
const PACKAGES = ['langgraph==1.2.22', 'openai-agents==0.24.0'];

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'proffer', 'python-packages');

/** Messages if the Python examples, or their adapters, cannot be tested. */
export const WITHOUT_PYTHON =
  'Not tested: examples/python, because there is no python3 (3.9 or newer) on the PATH.';
export const WITHOUT_PYTHON_PACKAGES = `Not tested: the adapters in examples/python, because ${PACKAGES.join(' and ')} could not be installed with pip.`;

/**
 * The Python for the tests.
 *
 * @returns {string | undefined} nothing if none is new enough
 */
export function findPython() {
  const check = 'import sys; sys.exit(sys.version_info < (3, 9))';
  return ['python3', 'python'].find(
    (name) => spawnSync(name, ['-c', check], { timeout: 30_000 }).status === 0,
  );
}

/**
 * The folder with the frameworks, in the repository's cache. Installs nothing.
 *
 * @returns {string | undefined}
 */
export function findPythonPackages() {
  return existsSync(cache) ? cache : undefined;
}

/**
 * Like `findPythonPackages`, but installs them if they are missing.
 *
 * @param {string} python
 * @returns {Promise<string | undefined>} nothing if that is not possible here
 */
export async function installPythonPackages(python) {
  mkdirSync(dirname(cache), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  // Without a network, nobody should wait for minutes.
  const pip = [
    '-m',
    'pip',
    'install',
    '--disable-pip-version-check',
    '--no-input',
    '--retries',
    '1',
    '--timeout',
    '15',
  ];
  try {
    const { code } = await run(python, [...pip, '--target', folder, ...PACKAGES]).catch(() => ({ code: 1 }));
    if (code !== 0) return undefined;
    rmSync(cache, { recursive: true, force: true });
    renameSync(folder, cache);
    return cache;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

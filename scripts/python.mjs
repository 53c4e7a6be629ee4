import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** The frameworks that the adapters in `examples/python` are for. */
const PACKAGES = ['langgraph==1.2.22', 'openai-agents==0.24.0'];

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'proffer', 'python-packages');

/** What to say where the examples in Python, or their adapters, cannot be tested. */
export const WITHOUT_PYTHON =
  'Not tested: examples/python, because there is no python3 (3.9 or newer) on the PATH.';
export const WITHOUT_PYTHON_PACKAGES = `Not tested: the adapters in examples/python, because ${PACKAGES.join(' and ')} could not be installed with pip.`;

/**
 * The Python that the tests start.
 *
 * @returns {string | undefined} nothing if there is none that is new enough
 */
export function findPython() {
  const check = 'import sys; sys.exit(sys.version_info < (3, 9))';
  return ['python3', 'python'].find(
    (name) => spawnSync(name, ['-c', check], { timeout: 30_000 }).status === 0,
  );
}

/**
 * The folder with the frameworks, in the cache of this repository. Installs nothing.
 *
 * @returns {string | undefined}
 */
export function findPythonPackages() {
  return existsSync(cache) ? cache : undefined;
}

/**
 * The same, and installs them if they are not there.
 *
 * @param {string} python
 * @returns {Promise<string | undefined>} nothing if that is impossible here
 */
export async function installPythonPackages(python) {
  mkdirSync(dirname(cache), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  // Somebody without a network is not kept waiting for minutes.
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

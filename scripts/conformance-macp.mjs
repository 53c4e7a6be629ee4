// npm run conformance:macp: runs other people's MACP programs, unchanged, against a gateway that was started as a
// replacement of their runtime. It installs none of them and says which are missing; conformance/README.md has how.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { build, ready } from './prepare.mjs';
import { run } from './run.mjs';
import { main } from './step.mjs';
import { root } from './tools.mjs';

const PROFFER = join(root, 'packages/cli/bin/proffer.js');
const CHECKS = join(root, 'conformance/macp');
const {
  MACP_PYTHON = 'python3',
  MACP_TYPESCRIPT_SDK,
  MACP_CONFORM = 'macp-conform',
  MACP_FIXTURES,
  MACP_RUST_CLIENTS,
} = process.env;

/** The clients of the reference runtime, one for each mode, and the port that they always use. */
const RUST_CLIENTS = [
  'client',
  ...['proposal', 'task', 'handoff', 'quorum', 'multi_round'].map((mode) => `${mode}_client`),
];
const RUST_PORT = 50_051;

/** What shells say of a program that they do not find. */
const MISSING = 127;

/** @typedef {{ grpc: string, http: string }} Addresses */

/** Something that talks to a runtime: how it is found, and how it is run. `undefined`: it is missing. */
const PEERS = [
  {
    name: 'the Python SDK',
    missing: 'pip install "macp-sdk-python[receipts]", or name another Python in MACP_PYTHON',
    isThere: async () => (await quietly(MACP_PYTHON, ['-c', 'import macp_sdk, cryptography'])).code === 0,
    /** @param {Addresses} addresses */
    run: ({ grpc }) => [[MACP_PYTHON, [join(CHECKS, 'check_sdk.py'), grpc]]],
  },
  {
    name: 'the TypeScript SDK',
    missing: 'build macp-sdk-typescript, and name its folder in MACP_TYPESCRIPT_SDK',
    isThere: async () => MACP_TYPESCRIPT_SDK !== undefined,
    /** @param {Addresses} addresses */
    run: ({ grpc }) => [[process.execPath, [join(CHECKS, 'check-sdk.mjs'), grpc, MACP_TYPESCRIPT_SDK ?? '']]],
  },
  {
    name: 'the Rust clients',
    missing: `cargo install macp-runtime, and name the folder with its programs in MACP_RUST_CLIENTS; they use port ${RUST_PORT}`,
    isThere: async () => MACP_RUST_CLIENTS !== undefined,
    run: () => RUST_CLIENTS.map((name) => [join(MACP_RUST_CLIENTS ?? '', name), []]),
  },
  {
    name: 'macp-conform',
    missing:
      'cargo install macp-conform --features grpc,http, or name the program in MACP_CONFORM; name the folder of its fixtures in MACP_FIXTURES',
    isThere: async () =>
      MACP_FIXTURES !== undefined && (await quietly(MACP_CONFORM, ['--help'])).code !== MISSING,
    /** @param {Addresses} addresses */
    run: ({ grpc, http }) =>
      [
        ['--target', `grpc://${grpc}`],
        ['--transport', 'http', '--target', http],
      ].map((target) => [MACP_CONFORM, [...target, '--fixtures', MACP_FIXTURES ?? '', '--multi-round']]),
  },
];

/** @type {(program: string, args: string[]) => Promise<{ code: number }>} */
const quietly = (program, args) => run(program, args).catch(() => ({ code: MISSING }));

/** @param {string} folder */
async function startGateway(folder) {
  const port = MACP_RUST_CLIENTS === undefined ? await freePort() : RUST_PORT;
  const [grpc, http] = [`127.0.0.1:${port}`, `127.0.0.1:${await freePort()}`];
  const key = join(folder, 'log.key');
  const made = await run(process.execPath, [PROFFER, 'key', '--log', 'example.com/conformance']);
  await writeFile(key, made.output, { mode: 0o600 });
  const child = spawn(process.execPath, [PROFFER, 'up'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      MACP_ALLOW_INSECURE: '1',
      MACP_DATA_DIR: join(folder, 'data'),
      MACP_BIND_ADDR: grpc,
      PROFFER_LISTEN_HTTP: http,
      PROFFER_EVIDENCE_KEY: key,
    },
  });
  const url = `http://${http}`;
  while (child.exitCode === null && !(await isReady(url))) await wait(100);
  if (child.exitCode !== null) throw new Error('The gateway did not start.');
  return {
    grpc,
    http: url,
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** @param {string} url */
async function isReady(url) {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}

await main(async () => {
  await ready();
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'proffer-conformance-macp-'));
  try {
    const gateway = await startGateway(folder);
    let failed = 0;
    let ran = 0;
    try {
      for (const peer of PEERS) {
        if (!(await peer.isThere())) {
          console.error(`\n${peer.name} is missing: ${peer.missing}.`);
          continue;
        }
        for (const [program, args] of peer.run(gateway)) {
          console.error(`\n${peer.name}`);
          ran++;
          const { code, output } = await run(/** @type {string} */ (program), /** @type {string[]} */ (args));
          process.stdout.write(output);
          // The example clients go on after a refusal.
          if (code !== 0 || output.includes('ok=false')) failed++;
        }
      }
    } finally {
      await gateway.stop();
    }
    return failed > 0 || ran === 0 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** A folder outside the repository with every package installed from its tarball, as users have it. */
export interface Consumer extends AsyncDisposable {
  readonly folder: string;
  /** Names such as `@proffer/core`. */
  readonly packages: readonly string[];
  /** Compiles a program in the folder and returns the compiler's output, empty on success. */
  typeCheck(source: string, options: object): Promise<string>;
  /** Runs a program in the folder and returns its output. */
  run(source: string, env?: Record<string, string>): Promise<string>;
}

/** Packs packages, all by default, and installs the tarballs in an empty folder. */
export async function installPacked(chosen?: readonly string[]): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-packed-'));
  const tarballs = join(folder, 'tarballs');
  const project = join(folder, 'project');
  await mkdir(tarballs);
  await mkdir(project);
  const rooms = chosen ?? (await readdir(join(root, 'packages')));
  const workspaces = rooms.flatMap((room) => ['-w', `packages/${room}`]);
  await run(NPM, ['pack', ...workspaces, '--pack-destination', tarballs], { cwd: root });
  await writeFile(
    join(project, 'package.json'),
    '{ "name": "consumer", "private": true, "type": "module" }\n',
  );
  const files = (await readdir(tarballs)).map((file) => join(tarballs, file));
  await run(NPM, ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files], { cwd: project });
  let written = 0;
  const write = async (extension: string, text: string): Promise<string> => {
    const name = `program-${++written}.${extension}`;
    await writeFile(join(project, name), text);
    return name;
  };
  return {
    folder: project,
    packages: rooms.map((room) => `@proffer/${room}`),
    async typeCheck(source, options) {
      const file = await write('ts', source);
      const compilerOptions = {
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        target: 'es2022',
        ...options,
      };
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      return await run(process.execPath, [compiler, '-p', project]).then(
        () => '',
        (error: { readonly stdout: string }) => error.stdout,
      );
    },
    async run(source, env = {}) {
      const file = await write('mjs', source);
      const { stdout } = await run(process.execPath, [file], {
        cwd: project,
        env: { ...process.env, ...env },
      });
      return stdout;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Every name a program can import: `@proffer/core`, `@proffer/core/json` and so on. */
export async function entryPoints(folder: string, name: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  const { exports = {} } = JSON.parse(text) as { readonly exports?: Readonly<Record<string, unknown>> };
  return Object.keys(exports).map((path) => join(name, path));
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A file of this repository: its path relative to the root, with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const FOLDERS = ['packages', 'conformance', 'examples', 'bench', 'scripts'];
const EXCLUDED = new Set(['node_modules', 'dist', 'gen', 'coverage', 'fixtures']);

/** All hand-written TypeScript and JavaScript files; build output and generated code are left out. */
export function sourceFiles(): readonly SourceFile[] {
  return FOLDERS.flatMap((folder) => filesUnder(folder))
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** The pages that people read: every Markdown file that is kept by hand. */
export function pages(): readonly SourceFile[] {
  return [...FOLDERS, 'docs', 'deploy', '.github']
    .flatMap((folder) => filesUnder(folder))
    .concat(readdirSync(root))
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function filesUnder(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return EXCLUDED.has(entry.name) || entry.name.startsWith('.') ? [] : filesUnder(path);
  });
}

/** The part of a package.json that the rules use. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** The names of the package folders in packages/. */
export function packageNames(): readonly string[] {
  return readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'package.json')),
  );
}

/** The package.json of a folder relative to the root; empty if there is none. */
export function manifestOf(folder: string): Manifest {
  const path = join(root, folder, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : {};
}

/** Whether a file is only for tests: a test, or a file in a folder named `testing`. */
export function isForTests(path: string): boolean {
  return path.startsWith('conformance/') || /\.test\.tsx?$/.test(path) || path.includes('/testing/');
}

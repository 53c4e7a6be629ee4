import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A file of this repository: its path from the top folder, with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const FOLDERS = ['packages', 'conformance', 'examples', 'bench', 'scripts'];
const NOT_OURS = new Set(['node_modules', 'dist', 'gen', 'coverage', 'fixtures']);

/** Every TypeScript and JavaScript file that people write here, without what is built or generated. */
export function sourceFiles(): readonly SourceFile[] {
  return FOLDERS.flatMap((folder) => filesUnder(folder))
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function filesUnder(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return NOT_OURS.has(entry.name) || entry.name.startsWith('.') ? [] : filesUnder(path);
  });
}

/** The part of a package.json that the rules of the repository look at. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** The names of the folders in packages/ that are packages. */
export function packageNames(): readonly string[] {
  return readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'package.json')),
  );
}

/** The package.json of a folder, given from the top folder; an empty one where there is none. */
export function manifestOf(folder: string): Manifest {
  const path = join(root, folder, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : {};
}

/** Whether a file is there for tests only: a test, or something in a folder named `testing`. */
export function isForTests(path: string): boolean {
  return path.startsWith('conformance/') || /\.test\.tsx?$/.test(path) || path.includes('/testing/');
}

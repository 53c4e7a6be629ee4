/**
 * The pattern for the deepest folder that contains all paths, such as `/srv/app/**`; `undefined` if
 * that is only the root, or the paths are written in different ways. URLs have none: what follows a
 * host is not a path.
 */
export function commonFolder(paths: readonly string[]): string | undefined {
  const [first] = paths;
  if (first === undefined || !paths.every(looksLikePath)) return undefined;
  const separator = first.includes('\\') ? '\\' : '/';
  if (paths.some((path) => path.includes(separator === '/' ? '\\' : '/'))) return undefined;
  let common = foldersOf(first, separator);
  for (const path of paths.slice(1)) {
    const folders = foldersOf(path, separator);
    const end = common.findIndex((name, index) => folders[index] !== name);
    if (end !== -1) common = common.slice(0, end);
  }
  const [root = '', ...below] = common;
  // The root, a drive, the home or the working folder is too broad to be a folder here.
  const isRoot = below.length === 0 && /^(?:|~.*|\.|[A-Za-z]:)$/.test(root);
  if (common.length === 0 || isRoot) return undefined;
  return [...common, '**'].join(separator);
}

/** The folder of a path, as a pattern. */
export function parentFolder(path: string): string | undefined {
  return commonFolder([path]);
}

function foldersOf(path: string, separator: string): readonly string[] {
  return path.split(separator).slice(0, -1);
}

/** Whether a text looks like a path: absolute, or parts without spaces. */
export function looksLikePath(path: string): boolean {
  if (path.includes('*') || path.includes('://') || /[\r\n]/.test(path)) return false;
  return /^(?:[/~\\]|[A-Za-z]:\\)/.test(path) ? true : /^\S+[/\\]\S+$/.test(path);
}

/**
 * The pattern for the deepest folder that all paths are in, such as `/srv/app/**`; `undefined` when they have none but
 * the root, or are not all written in one way. URLs have none: what follows a host is no path.
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
  // Everything below the root, a drive, the home or the working folder is no place of its own.
  const isRoot = below.length === 0 && /^(?:|~.*|\.|[A-Za-z]:)$/.test(root);
  if (common.length === 0 || isRoot) return undefined;
  return [...common, '**'].join(separator);
}

/** The folder that a path is in, as a pattern. */
export function parentFolder(path: string): string | undefined {
  return commonFolder([path]);
}

function foldersOf(path: string, separator: string): readonly string[] {
  return path.split(separator).slice(0, -1);
}

/** Whether a text is written like a path: absolute, or of parts without spaces. */
export function looksLikePath(path: string): boolean {
  if (path.includes('*') || path.includes('://') || /[\r\n]/.test(path)) return false;
  return /^(?:[/~\\]|[A-Za-z]:\\)/.test(path) ? true : /^\S+[/\\]\S+$/.test(path);
}

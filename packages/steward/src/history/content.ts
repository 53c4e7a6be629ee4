import { isJsonArray, type JsonValue } from '@proffer/core/json';

/** Names of arguments that hold content, as opposed to a destination or an option. */
const CONTENT =
  /^(?:contents?|text|body|message|subject|title|description|comments?|notes?|summary|caption|html|markdown|(?:old|new)_?(?:text|str|string|content)|edits?|replacement)$/i;

/** Names of arguments that control what happens, where or to whom: no rule leaves them open. */
const STEERING =
  /sql|quer|command|cmd|script|code|expr|eval|shell|program|filter|arg|param|option|flag|mode|action|operation|method|ur[il]|link|path|file|dir|folder|host|address|mail|recipient|channel|room|user|account|owner|role|permission|scope|token|secret|password|key|branch|repo|table|database|amount|^(?:to|cc|bcc|from|id)$|_?ids?$/i;

/**
 * Whether an argument that differs from call to call is mere content: its name says so, or it is
 * prose under a name that controls nothing.
 */
export function isContent(name: string, values: readonly (JsonValue | undefined)[]): boolean {
  if (CONTENT.test(name)) return values.every((value) => value !== undefined);
  if (STEERING.test(name)) return false;
  return values.every((value) => typeof value === 'string' && /\S\s+\S/.test(value) && !isTarget(value));
}

/** Whether a value is a destination: a path, an address, or a list of them. */
export function isTarget(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.length > 0 && value.every(isTarget);
  if (typeof value !== 'string') return false;
  return (
    looksLikePath(value) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) || /^[a-z][a-z0-9+.-]*:\S+$/i.test(value)
  );
}

/** Whether an argument that is the same in every call is a destination, which keeps a rule narrow. */
export function isAnchor(name: string, value: JsonValue): boolean {
  if (typeof value === 'string' && value !== '' && TARGETS.test(name)) return true;
  return isTarget(value);
}

const TARGETS =
  /^(?:to|recipients?|channel|room|repo|repository|project|issue|document|page|thread|table)(?:_?(?:id|name))?$/i;

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
function looksLikePath(path: string): boolean {
  if (path.includes('*') || path.includes('://') || /[\r\n]/.test(path)) return false;
  return /^(?:[/~\\]|[A-Za-z]:\\)/.test(path) ? true : /^\S+[/\\]\S+$/.test(path);
}

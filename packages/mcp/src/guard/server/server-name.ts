const RUNNERS = new Set([
  'env',
  'sh',
  'bash',
  'npm',
  'pnpm',
  'yarn',
  'dlx',
  'pipx',
  'podman',
  'npx',
  'node',
  'bunx',
  'bun',
  'deno',
  'uvx',
  'uv',
  'python',
  'python3',
  'docker',
  'cmd',
  'run',
  'exec',
  'x',
  '/c',
]);

/**
 * A short name for a server, from the command that starts it: `npx -y @scope/server-files /home` is
 * `files`. Never the name of an environment variable, as in `docker run -e API_KEY image`. Lower-case letters, digits, `-` and `_`; `server` where nothing else is left.
 */
export function serverNameFrom(command: readonly string[]): string {
  const words = command.map((word) => word.replace(/\\/g, '/'));
  const word = words.find(
    (candidate, index) =>
      !candidate.startsWith('-') &&
      !RUNNERS.has(lastPart(candidate)) &&
      !ASSIGNMENT.test(candidate) &&
      !(TAKES_VARIABLE.has(words[index - 1] ?? '') && VARIABLE.test(candidate)),
  );
  return plainName(word ?? '');
}

/** `NAME=VALUE`, before a command or after `-e`. */
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const VARIABLE = /^[A-Za-z_]\w*$/;
const TAKES_VARIABLE: ReadonlySet<string> = new Set(['-e', '--env']);

/** The same for a server at an address: its host. */
export function serverNameFromUrl(url: URL): string {
  return plainName(url.hostname);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:exe|cmd)$/i, '');
}

function plainName(word: string): string {
  const base = pathName(word)
    .replace(/(.)@.*$/, '$1')
    .replace(/\.[cm]?[jt]s$|\.py$|\.exe$|\.cmd$/i, '')
    .toLowerCase()
    .replace(/^(?:mcp-)?server-|^mcp-|-mcp$|-mcp-server$|-server$/g, '')
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return base === '' ? 'server' : base.slice(0, 60);
}

/** `index.js` says nothing; the folder above `dist` does. */
function pathName(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  while (
    parts.length > 1 &&
    /^(?:index|main|server|cli|dist|build|src|bin)(?:\.[cm]?[jt]s)?$/.test(parts.at(-1) ?? '')
  )
    parts.pop();
  return parts.at(-1) ?? '';
}

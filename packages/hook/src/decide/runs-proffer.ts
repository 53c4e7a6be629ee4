import { beginningOf, type ShellCommand } from '../shell/index.js';

const OWN = /^(?:proffer|proffer-hook)(?:\.(?:[cm]?js|cmd|ps1|exe))?$/i;
const PACKAGE = /^(?:@proffer\/[\w-]+|proffer(?:-hook)?)(?:@.*)?$/i;
const RUNNERS = new Set([
  'npx',
  'npm',
  'pnpm',
  'pnpx',
  'yarn',
  'bun',
  'bunx',
  'node',
  'deno',
  'tsx',
  'corepack',
]);

/** Whether a command runs Proffer's own command line, by name, as a package or as a file. */
export function runsProffer({ words }: ShellCommand): boolean {
  const [program = '', ...args] = words.map(beginningOf);
  const name = lastPart(program);
  if (OWN.test(name)) return true;
  if (!RUNNERS.has(name.replace(/\.(?:cmd|exe)$/, ''))) return false;
  return args.some((arg) => PACKAGE.test(arg) || OWN.test(lastPart(arg)) || /[/\\]@proffer[/\\]/.test(arg));
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}

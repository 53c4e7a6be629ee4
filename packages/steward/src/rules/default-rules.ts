import type { JsonObject } from '@proffer/core/json';
import { formatYaml } from '@proffer/reading';
import { parseRuleData } from './parse-rules.js';
import type { RuleSet } from './rule-set.js';

/** Where secrets usually are: patterns for `path` in rules. */
export const SECRET_PATHS: readonly string[] = [
  '**/.env',
  '**/.env.local',
  '**/.env.*.local',
  '**/.env.production',
  '**/.env.prod',
  '**/.env.staging',
  '**/.envrc',
  '**/.netrc',
  '**/.pgpass',
  '**/.npmrc',
  '**/.pypirc',
  '**/.git-credentials',
  '**/credentials.json',
  '**/.credentials.json',
  '**/.vault-token',
  '**/.htpasswd',
  '**/*.pem',
  '**/*.key',
  '**/*.p12',
  '**/*.pfx',
  '**/*.jks',
  '**/id_rsa',
  '**/id_dsa',
  '**/id_ed25519',
  '**/id_ecdsa',
  '~/.ssh/**',
  '~/.aws/**',
  '~/.gnupg/**',
  '~/.kube/**',
  '~/.docker/config.json',
  '~/.config/gh/**',
  '~/.config/gcloud/**',
  '~/.config/op/**',
  '~/.config/github-copilot/**',
  '~/.azure/**',
  '~/.password-store/**',
  '~/.cargo/credentials*',
  '~/.gem/credentials',
  '~/.m2/settings.xml',
  '~/.terraform.d/credentials.tfrc.json',
  '~/.codex/auth.json',
  '~/.gemini/oauth_creds.json',
  '/etc/shadow',
  // The environment and the words of any program, in which tokens often are.
  '/proc/**/environ',
  '/proc/**/cmdline',
];

const ONLY_READS: JsonObject = {
  name: 'only reads',
  action: 'allow',
  match: { annotations: { readOnlyHint: true } },
};

const SECRETS: JsonObject = { name: 'secrets', action: 'ask', match: { path: [...SECRET_PATHS] } };

/** The rules used without a rule file: a tool that only reads may run, going by hints that count; everything else asks. */
export function defaultRules(): RuleSet {
  return rulesOf([ONLY_READS]);
}

/** The default rules for the hooks of coding agents, which know what shell commands read: files with secrets ask. */
export function defaultHookRules(): RuleSet {
  return rulesOf([SECRETS, ONLY_READS]);
}

/** The default rules of hooks as the text of a file, for adding rules to it. */
export function defaultHookRulesText(): string {
  return formatYaml({ default: 'ask', rules: [SECRETS, ONLY_READS] });
}

function rulesOf(rules: JsonObject[]): RuleSet {
  const parsed = parseRuleData({ default: 'ask', rules }, 'default rules');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}

/** Rules to begin with, for the hooks of coding agents: the text of a file. */
export const STARTER_RULES = `# Starter rules for the hooks of coding agents. People decide everything else.
# A deny rule alone is not always full protection: see "Rules to begin with" in the README of @proffer/hook.
default: ask
rules:
  - name: secrets
    action: deny
    reason: Secrets stay where they are. Ask your user for what you need.
    match:
      path:
${SECRET_PATHS.map((path) => `        - "${path}"`).join('\n')}
  - name: never force
    action: deny
    reason: Nothing on a remote is overwritten or deleted. Push a new branch instead.
    match:
      command:
        - git push ** --force* **
        - git push ** --delete **
        - git push ** --mirror **
        - git push ** --prune **
        - git send-pack ** --force **
  - name: looking around
    action: allow
    match: { command: [ls **, git status, git diff, git log --oneline, pwd] }
  - name: moving around
    action: allow
    match: { command: cd *, path: ./** }
  - name: what only reads
    action: allow
    match: { annotations: { readOnlyHint: true } }
`;

/** The endings of files with secrets that may be anywhere; the others are in hidden folders, which no glob opens. */
const SECRET_ENDINGS: ReadonlySet<string> = new Set(
  SECRET_PATHS.filter((path) => path.startsWith('**/')).map((path) => path.split('.').at(-1) ?? ''),
);

/**
 * Whether the glob of a search finds no hidden files and no secrets: programs search whatever a glob matches, also if it
 * is hidden or ignored. One that excludes, the name of a file, or all names with an ending that secrets do not have.
 */
export function isNarrowGlob(glob: string): boolean {
  if (/^!|^[A-Za-z0-9][\w.-]*$/.test(glob)) return true;
  const [, one, several] = /^(?:(?:\*\*|[\w-]+)\/)*\*(?:\.\w+)*\.(?:(\w+)|\{([\w,]+)\})$/.exec(glob) ?? [];
  const endings = one === undefined ? several?.split(',') : [one];
  return endings?.every((ending) => !SECRET_ENDINGS.has(ending.toLowerCase())) === true;
}

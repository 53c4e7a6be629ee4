import { SECRET_PATHS } from './secret-paths.js';

/** Rules to begin with, for the hooks of coding agents: the text of a file. */
export const STARTER_RULES = `# Rules to begin with, for the hooks of coding agents. People decide about everything else.
# Not every rule that denies is a protection: see "Rules to begin with" in the README of @proffer/hook.
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

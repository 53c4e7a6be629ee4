import type { Participant } from '@proffer/client';
import { parseRules, publishRules } from '@proffer/steward';
import { propose } from './proposing.js';

const RULES = `
version: "2026-11"
rules:
  - { name: secrets stay, action: deny, reason: Secrets stay where they are., match: { arguments: { path: "/**/.env" } } }
  - { name: notes, action: allow, match: { participant: builder, tool: write_file, arguments: { path: /home/ada/notes/** } } }
  - { name: small payments, action: allow, rate: 20 per hour, match: { tool: pay, arguments: { amount: { lte: 100 } } } }
  - { name: what only reads, action: allow, match: { annotations: { readOnlyHint: true } } }
`;

/** Publishes rules to a participant's space, like a guard that decides by them. */
export async function showRules(
  participant: Participant,
  {
    text = RULES,
    source = '/home/ada/rules.yaml',
  }: { readonly text?: string; readonly source?: string } = {},
): Promise<void> {
  const parsed = parseRules(text, source);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  const problems: string[] = [];
  const onProblem = (problem: string): void => void problems.push(problem);
  await publishRules(participant, parsed.value, { owner: 'guard', onProblem });
  if (problems.length > 0) throw new Error(problems.join());
  const { version } = parsed.value;
  const denied = {
    action: 'deny',
    tool: 'filesystem/read_file',
    rule: { index: 0, line: 4, name: 'secrets stay' },
    reason: 'Secrets stay where they are.',
    version,
    at: new Date().toISOString(),
  };
  const allowed = {
    action: 'allow',
    tool: 'filesystem/list_directory',
    rule: { index: 3, line: 7, name: 'what only reads' },
    version,
    calls: [{ at: new Date(Date.now() - 60_000).toISOString() }, { at: new Date().toISOString() }],
  };
  await participant.send({
    kind: 'chat.message',
    payload: { text: 'decided by rules', decisions: [denied, allowed] },
  });
}

/** Consistent decisions, so that a rule can be derived from them. */
export async function decideAlike(agent: Participant, reviewer: Participant): Promise<void> {
  for (const title of ['Typo in the docs', 'Update the licence', 'Broken link', 'Slow search']) {
    const call = { name: 'create_issue', arguments: { repository: 'acme/app', title } };
    const id = await propose(agent, call.name, call.arguments);
    await reviewer.fulfil({ id, method: 'tools/call' }, call);
  }
}

import { parseRules, startSteward } from '@proffer/steward';
import {
  entryOfMessage,
  formatSuggestions,
  type HistoryEntry,
  pastProposals,
  suggestRules,
} from '@proffer/steward/history';
import { expectThat, type LiveStory, line } from '../story.js';
import { openArchive, writing } from './archive.js';

const RULES = `
version: "1"
rules:
  - name: the secrets
    action: deny
    reason: Nobody writes there.
    match: { arguments: { path: /secrets/** } }
  - name: drafts
    action: allow
    match: { participant: agent, tool: write_file, arguments: { path: /drafts/** } }
`;

/** A steward makes the easy decisions and learns the next rule from people. */
export const stewardRules: LiveStory = {
  title: 'What rules may decide',
  about: 'A steward allows, denies and asks by rules; what people decide again and again becomes a rule.',
  async tell(print) {
    await using archive = await openArchive();
    const agent = await archive.join('agent');
    const person = await archive.join('reviewer');
    const parsed = parseRules(RULES, 'rules.yaml');
    expectThat(parsed.ok, 'the rules are right');
    const listeners = new Map<string, () => void>();
    const isLeft = (id: string): Promise<void> => new Promise((resolve) => listeners.set(id, resolve));
    const steward = startSteward({
      participant: await archive.join('steward'),
      rules: parsed.value,
      onEvent: (event) => {
        if (event.type !== 'decided') return;
        print(line('steward', event.outcome, `→ ${event.proposal.id}: ${event.decision.reason}`));
        if (event.outcome === 'left') listeners.get(event.proposal.id)?.();
      },
    });

    await agent.propose('tools/call', writing('/drafts/plan.txt'), { id: 'draft' });
    const trick = agent.propose('tools/call', writing('/drafts/../secrets/key'), {
      id: 'trick',
      to: 'steward',
    });
    const refused = await trick.then(
      () => false,
      () => true,
    );
    expectThat(refused, 'dots in a path do not lead past a rule');

    for (const name of ['may', 'june', 'july']) {
      const path = `/reports/${name}.txt`;
      const left = isLeft(name);
      const proposal = agent.propose('tools/call', writing(path), { id: name });
      await left;
      await person.fulfil({ id: name, method: 'tools/call', params: writing(path) });
      await proposal;
      print(line('reviewer', `approves ${name}`, `→ ${path}`));
    }
    expectThat(!archive.written.includes('/secrets/key'), 'nothing was written where nobody writes');

    const entries: HistoryEntry[] = [];
    for await (const message of agent.feed({ after: 0 })) {
      const entry = entryOfMessage(message);
      if (entry !== undefined) entries.push(entry);
      if (message.seq >= agent.seq) break;
    }
    const found = suggestRules(pastProposals(entries));
    const text = formatSuggestions(found);
    for (const row of text.trimEnd().split('\n')) print(`    ${row}`);
    expectThat(found.suggestions.length === 1, 'one rule follows from what people decided');

    const learned = parseRules(text, 'suggested.yaml');
    expectThat(learned.ok, 'what is suggested can be used as it is');
    steward.use(learned.value);
    await agent.propose('tools/call', writing('/reports/august.txt'), { id: 'august' });
    expectThat(archive.written.at(-1) === '/reports/august.txt', 'the next report needs nobody');
    steward.stop();
  },
};

import { visible } from '../terminal/visible.js';
import type { Hint } from './hint.js';
import type { SessionView } from './session-view.js';

/** So many commands are shown for one offer. */
const MOST_COMMANDS = 3;

/**
 * What has to be said yet for the offer that is nearest to agreement: that whoever made it has to accept it
 * too, where the policy says so, and the commands. Nothing when it can be committed, and when nobody is missing.
 */
export function showMissing(
  { metadata, projection, eligibility }: SessionView,
  { style, command, as }: Hint,
): readonly string[] {
  if (metadata.state !== 'OPEN') return [];
  const notes: string[] = [];
  for (const { proposal_id, participants } of eligibility?.missing ?? []) {
    const proposer = projection.proposals.get(proposal_id)?.proposer;
    if (proposer === undefined || !participants.includes(proposer)) continue;
    notes.push(
      `${JSON.stringify(proposer)} made ${JSON.stringify(proposal_id)} and has to accept it too: ` +
        `${metadata.policy_version} does not take the one for the other.`,
    );
  }
  const [nearest] = eligibility?.missing ?? [];
  const commands = (nearest?.participants ?? [])
    .slice(0, MOST_COMMANDS)
    .map((name) => `${command('accept', metadata.session_id)} ${nearest?.proposal_id ?? ''}${as(name)}`);
  return [
    ...notes.map((note) => `  ${visible(note)}`),
    ...commands.map((line) => `  ${style.cyan('→')} ${visible(line)}`),
  ];
}

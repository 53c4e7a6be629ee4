import { type Missing, ProposalProjection } from '@proffer/core/negotiation';
import { visible } from '../terminal/visible.js';
import type { Hint } from './hint.js';
import type { SessionView } from './session-view.js';

/** The maximum number of commands shown for one offer. */
const MAX_COMMANDS = 3;

/**
 * What is still missing for the offer that is nearest to agreement, with the commands; also that its proposer has to
 * accept it, if the policy says so. Empty if it can be committed, if no one is missing, and for an offer that was
 * rejected terminally.
 */
export function showMissing(view: SessionView, { style, command }: Hint): readonly string[] {
  const { metadata, projection, eligibility } = view;
  if (metadata.state !== 'OPEN' || !(projection instanceof ProposalProjection)) return [];
  const committer = eligibility?.committer;
  const notes: string[] = [];
  const isOver = new Set(projection.terminalRejections.map(({ proposalId }) => proposalId));
  const open = (projection.explain(committer)?.missing ?? []).filter(
    ({ proposal_id }) => !isOver.has(proposal_id),
  );
  for (const missing of open) {
    const { proposal_id, participants } = missing;
    const proposer = projection.proposals.get(proposal_id)?.proposer;
    if (proposer === undefined || !participants.includes(proposer)) continue;
    notes.push(
      `${JSON.stringify(proposer)} made ${JSON.stringify(proposal_id)} but must accept it too: ` +
        `under ${metadata.policy_version}, making an offer does not count as accepting it.${exemption(projection, missing, committer)}`,
    );
  }
  const [nearest] = open;
  // Participants who rejected the offer have already answered.
  const hasRejected = (name: string): boolean =>
    projection.rejections.some(
      ({ sender, proposalId }) => sender === name && proposalId === nearest?.proposal_id,
    );
  const commands = (nearest?.participants ?? [])
    .filter((name) => !hasRejected(name))
    .slice(0, MAX_COMMANDS)
    .map((sender) => command('accept', [metadata.session_id, nearest?.proposal_id ?? ''], { sender }));
  return [
    ...notes.map((note) => `  ${visible(note)}`),
    ...commands.map((line) => `  ${style.cyan('→')} ${visible(line)}`),
  ];
}

/** Committing counts as accepting (N-9): without the reason, it would look as if that were not true for everyone. */
function exemption(
  projection: ProposalProjection,
  { proposal_id, participants }: Missing,
  committer: string | undefined,
): string {
  if (committer === undefined || participants.includes(committer)) return '';
  const hasAccepted = projection.accepts.get(committer)?.proposalId === proposal_id;
  return hasAccepted ? '' : ` ${JSON.stringify(committer)} accepts by committing.`;
}

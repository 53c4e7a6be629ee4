import { attachCall, QuorumSession } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import { EXIT, type ExitCode } from '../../command-failure.js';
import { createConnection } from '../../connection/connection.js';
import { briefArguments, visibleName } from '../../display/operation.js';
import { findProposal } from '../../proposals/find-proposal.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';
import { createHint } from '../hint.js';
import { negotiate } from '../negotiator.js';
import { DEV_SENDER, type SendInSessionOptions } from '../send-in-session.js';

/** Command-line options of `negotiate review`. */
export interface NegotiateReviewFlags extends SendInSessionOptions {
  readonly participant: readonly string[];
  readonly ttl: number;
  readonly space: string;
  readonly policy?: string;
}

/** The id of the one request in such a session. */
const REQUEST = 'r1';

/** Starts a quorum about a proposal (O-53), and prints the next commands. */
export async function reviewInSession(
  id: string,
  options: NegotiateReviewFlags,
  shell: Shell,
): Promise<ExitCode> {
  const { participant: participants, ttl: ttlMs, space, policy, sender } = options;
  return await negotiate(options, { shell, role: DEV_SENDER }, async ({ client, endpoint }) => {
    const connection = createConnection({ ...endpoint, space }, shell.name);
    const { proposal } = await findProposal(connection, id, { pending: true });
    const { digest, review } = proposal;
    await using session = new QuorumSession(client);
    const by = defined({ sender });
    const summary = `${visibleName(proposal)} ${briefArguments(proposal, [])}`.trimEnd();
    const intent = `review ${proposal.id}`;
    await session.start({ intent, participants, ttlMs, ...defined({ policyVersion: policy }), ...by });
    const accepted = await session.requestApproval(REQUEST, intent, {
      summary,
      details: attachCall({ space, proposal: proposal.id, digest }),
      requiredApprovals: Math.min(review?.needed ?? participants.length, participants.length),
      ...by,
    });
    const { sessionId } = session;
    if (options.json === true) {
      printJson({ ...accepted }, shell);
      return EXIT.done;
    }
    const { style } = shell;
    const { command } = createHint(endpoint, shell);
    const [first = 'NAME'] = participants;
    const ballot = { more: `request_id=${REQUEST}`, sender: first };
    const outcome = { more: `--call ${REQUEST} --action review --reason "…"` };
    shell.print(
      `Started ${style.bold(visible(sessionId))} about ${visible(proposal.id)}.`,
      style.dim(`  to approve:  ${visible(command('send', [sessionId, 'Approve'], ballot))}`),
      style.dim(`  to reject:   ${visible(command('send', [sessionId, 'Reject'], ballot))}`),
      style.dim(`  at the end:  ${visible(command('commit', [sessionId], outcome))}`),
    );
    return EXIT.done;
  });
}

import { type Acknowledgement, type MacpClient, MacpError } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import { ProposalProjection } from '@proffer/core/negotiation';
import { EXIT, type ExitCode } from '../command-failure.js';
import { sameOptions } from '../connection/endpoint.js';
import { commandAbout, printJson, type Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { type AnySession, phaseWord } from './any-session.js';
import type { FailureWording } from './failures.js';
import { createHint, type Hint } from './hint.js';
import { showMissing } from './missing-view.js';
import { type Negotiator, negotiate } from './negotiator.js';
import type { NegotiatorOptions } from './negotiator-options.js';
import { type OfferRemark, tellOffer } from './offer-failure.js';
import { readSession } from './read-session.js';
import { commitCommand, statusWord } from './session-view.js';

/** Options of every command that sends a message in a session. */
export interface SendInSessionOptions extends NegotiatorOptions {
  readonly sender?: string;
}

/** Who sends in dev mode by default. */
export const DEV_SENDER = 'agent';

/** What to say in a session. */
export interface MessageAction<Session extends AnySession> {
  readonly join: (client: MacpClient, sessionId: string) => Promise<Session>;
  readonly say: (session: Session, by: { readonly sender?: string }) => Promise<Acknowledgement>;
  /** The offer it is about, so that a refusal can list the existing offers. */
  readonly about?: OfferRemark;
  /** How to word a refusal of the message. Default: in the gateway's words. */
  readonly explain?: (error: unknown, session: Session, hint: Hint) => FailureWording;
}

/** Joins a session, sends a message, and prints the state of the session. */
export async function sendInSession<Session extends AnySession>(
  text: string,
  options: SendInSessionOptions,
  shell: Shell,
  { join, say, about, explain }: MessageAction<Session>,
): Promise<ExitCode> {
  let tell: ((error: unknown) => FailureWording) | undefined;
  return await negotiate(
    options,
    { shell, role: DEV_SENDER, tell: (error) => tell?.(error) ?? {} },
    async ({ client, find, endpoint }: Negotiator) => {
      await using session = await join(client, await find(text));
      const by = defined({ sender: options.sender });
      const { projection, sessionId } = session;
      if (about !== undefined && projection instanceof ProposalProjection) {
        const options = sameOptions(endpoint);
        const command = (offers: readonly string[], more = ''): string =>
          commandAbout(`${shell.name} negotiate ${about.command}`, [sessionId, ...offers], { more, options });
        tell = (error) => tellOffer(error, about, projection, command);
      }
      if (explain !== undefined) tell = (error) => explain(error, session, createHint(endpoint, shell));
      const accepted = await say(session, by);
      if (accepted.messageId === '') throw nothingRecorded(accepted);
      if (options.json === true) {
        printAnswer(session, accepted, shell);
        return EXIT.done;
      }
      const { state = 'OPEN' } = session;
      const { style } = shell;
      const word = accepted.duplicate ? 'Recorded before' : 'Recorded';
      shell.print(
        `${style.green('✓')} ${word}.  ${statusWord(state, style)}  ${phaseWord(projection, style)}`.trimEnd(),
      );
      if (state === 'OPEN')
        shell.print(...(await standing(client, sessionId, createHint(endpoint, shell), shell)));
      return EXIT.done;
    },
  );
}

/** Cancelling twice has no effect, but the user expected one. */
function nothingRecorded({ state, sessionId }: Acknowledgement): MacpError {
  const what = `The session is already ${state}; nothing was recorded.`;
  return new MacpError('SESSION_NOT_OPEN', what, { sessionId });
}

/** The result of a message, and the state of the session, for programs. */
function printAnswer(session: AnySession, accepted: Acknowledgement, shell: Shell): void {
  const { projection, state = 'OPEN' } = session;
  const standing = projection instanceof ProposalProjection ? rightsOf(projection) : {};
  printJson({ ...accepted, state, ...standing }, shell);
}

function rightsOf(projection: ProposalProjection): object {
  const agreed = projection.acceptedProposal();
  return {
    phase: projection.phase,
    isConverged: projection.isConverged(),
    ...defined({ acceptedProposal: agreed }),
  };
}

/** What is missing for an agreement, or how to commit it; only how to look if that cannot be read now. */
async function standing(
  client: MacpClient,
  sessionId: string,
  hint: Hint,
  { now }: Shell,
): Promise<readonly string[]> {
  const { style, command } = hint;
  const show = style.dim(`  ${visible(command('show', [sessionId]))}`);
  // The message is recorded, whatever happens next.
  const view = await readSession(client, sessionId, { now: now() }).catch(() => undefined);
  if (view === undefined) return [show];
  const { committer = '', outcomes = [], reasons = [] } = view.eligibility ?? {};
  const converged =
    view.projection instanceof ProposalProjection ? view.projection.explain(committer)?.converged : undefined;
  if (converged !== undefined && outcomes.length === 0) return [show];
  const [commit] = commitCommand(view, hint);
  if (converged !== undefined && commit !== undefined)
    return [style.dim(`  ${visible(`All agree on ${converged}:  ${commit}`)}`)];
  const which = outcomes.includes('positive')
    ? 'It can be committed'
    : 'It can only be committed as negative';
  return [
    ...reasons.map((reason) => `  ${visible(reason)}`),
    ...showMissing(view, hint),
    ...(commit === undefined ? [show] : [style.dim(`  ${visible(`${which}:  ${commit}`)}`)]),
  ];
}

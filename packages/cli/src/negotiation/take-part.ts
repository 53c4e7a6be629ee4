import { type Acknowledgement, ProposalSession } from '@proffer/client';
import { sameOptions, whereOptions } from '../connection/gateway-url.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import type { Telling } from './failures.js';
import { type Negotiator, type NegotiatorOptions, negotiate } from './negotiator.js';
import { type OfferRemark, tellOffer } from './offer-failure.js';
import { phaseWord, statusWord } from './session-view.js';

/** Options of every command that says something in a session. */
export interface SpeakerOptions extends NegotiatorOptions {
  readonly sender?: string;
}

/** Who speaks in dev mode when nobody says. */
export const SPEAKER = 'agent';

/**
 * Joins a session, says something, and prints where the session stands then.
 *
 * @param about - the offer that it is said about, so that a refusal can be told with the offers there are
 */
export async function takePart(
  text: string,
  options: SpeakerOptions,
  shell: Shell,
  say: (session: ProposalSession, by: { readonly sender?: string }) => Promise<Acknowledgement>,
  about?: OfferRemark,
): Promise<ExitCode> {
  let tell: ((error: unknown) => Telling) | undefined;
  return await negotiate(
    options,
    { shell, role: SPEAKER, tell: (error) => tell?.(error) ?? {} },
    async ({ client, find, endpoint }: Negotiator) => {
      await using session = await ProposalSession.join(client, await find(text));
      const by = options.sender === undefined ? {} : { sender: options.sender };
      const { projection, sessionId } = session;
      if (about !== undefined) {
        const command = `${shell.name} negotiate ${about.command} ${sessionId}`;
        tell = (error) => tellOffer(error, about, projection, { command, options: sameOptions(endpoint) });
      }
      const accepted = await say(session, by);
      printStanding(
        session,
        accepted,
        { ...options, at: whereOptions({ ...endpoint, space: 'main' }) },
        shell,
      );
      return EXIT.done;
    },
  );
}

/** What became of a message, and where the session stands. */
function printStanding(
  session: ProposalSession,
  accepted: Acknowledgement,
  { json, at }: Pick<NegotiatorOptions, 'json'> & { readonly at: string },
  shell: Shell,
): void {
  const { projection, state = 'OPEN', sessionId } = session;
  const agreed = projection.acceptedProposal();
  const isConverged = projection.isConverged();
  if (json === true) {
    const standing = {
      phase: projection.phase,
      isConverged,
      ...(agreed === undefined ? {} : { acceptedProposal: agreed }),
    };
    shell.print(JSON.stringify({ ...accepted, state, ...standing }));
    return;
  }
  const { style, name } = shell;
  const word = accepted.duplicate ? 'Accepted before' : 'Accepted';
  shell.print(
    `${style.green('✓')} ${word}.  ${statusWord(state, style)}  ${phaseWord(projection.phase, style)}`,
  );
  if (state !== 'OPEN') return;
  const next = isConverged
    ? `All agree on ${agreed ?? ''}:  ${name} negotiate commit ${sessionId} --action … --scope … --reason …${at}`
    : `${name} negotiate show ${sessionId}${at}`;
  shell.print(style.dim(`  ${visible(next)}`));
}

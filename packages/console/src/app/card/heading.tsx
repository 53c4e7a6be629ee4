import type { Origin, Proposal } from '@proffer/core/operations';
import {
  describeDeadline,
  describeReservation,
  describeState,
  describeTrustQuestion,
  trustQuestionIn,
} from '@proffer/core/words';
import { nameOf, type Served } from '../space/tools.js';
import { useNow } from '../state/clock.js';
import { Marked } from '../text/marked.js';
import { useVoice } from '../text/voice.js';
import { When } from '../text/when.js';

/** The last two minutes are marked. */
const SOON = 120_000;

/** Whether little time is left to decide. */
function isUrgent({ expiresAt }: Pick<Proposal, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt - now < SOON;
}

interface HeadingProps {
  readonly proposal: Proposal;
  readonly me: string;
  readonly served: Served | undefined;
}

/** Who wants what, when they asked, and the time left. */
export function Heading({ proposal, me, served }: HeadingProps) {
  const now = useNow();
  const { proposer, proposedAt, phase } = proposal;
  const voice = useVoice(me);
  const reserved = describeReservation(proposal, voice);
  const { word, tone } = describeState(proposal);
  const question = trustQuestionIn(proposal);
  return (
    <header class="heading" data-section="heading">
      <h1 id="card-title">
        {question === undefined ? (
          <>
            <Marked text={proposer} /> {phase === 'pending' ? 'wants to run' : 'asked for'}{' '}
            <code>
              <Marked text={nameOf(proposal)} />
            </code>
          </>
        ) : (
          describeTrustQuestion(question, voice)
        )}
      </h1>
      <From origin={proposal.origin} />
      <p class="by">
        {served !== undefined && (
          <>
            on <Marked text={served.by} /> ·{' '}
          </>
        )}
        asked <When at={proposedAt} />
        {' · '}
        {phase === 'pending' ? (
          <span class={isUrgent(proposal, now) ? 'soon' : undefined}>
            {withSmallLetter(describeDeadline(proposal, now, voice))}
          </span>
        ) : (
          <span class={`tone-${tone}`}>{word}</span>
        )}
        {phase === 'pending' && reserved !== undefined && <> · {reserved}</>}
      </p>
    </header>
  );
}

/** The program and user it comes from, and for an agent the folder and session, as far as known. */
function From({ origin = {} }: { readonly origin: Origin | undefined }) {
  const { client, version, user, folder, session } = origin;
  const program = [client, version].filter((part) => part !== undefined).join(' ');
  const parts = [
    ...(program === '' ? [] : [program]),
    ...(user === undefined ? [] : [`for ${user}`]),
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...(session === undefined ? [] : [`session ${session}`]),
  ];
  if (parts.length === 0) return null;
  return (
    <p class="by from">
      <Marked text={parts.join(' · ')} />
    </p>
  );
}

/** A phrase in the middle of a line. */
function withSmallLetter(phrase: string): string {
  return phrase.charAt(0).toLowerCase() + phrase.slice(1);
}

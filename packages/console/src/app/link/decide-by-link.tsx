import { isJsonObject } from '@proffer/core/json';
import { definitionDigest } from '@proffer/core/operations';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Arguments } from '../card/arguments.js';
import { Heading } from '../card/heading.js';
import { assessRisk } from '../card/risk.js';
import { RiskView } from '../card/risk-view.js';
import { useSeen } from '../card/shown-version.js';
import { ToolView } from '../card/tool-view.js';
import { Words } from '../card/words.js';
import { KeyNote } from '../keys/key-note.js';
import { useKeys } from '../keys/layers.js';
import { AskError } from '../session/http.js';
import { Icon } from '../shell/icon.js';
import { nameOf } from '../space/tools.js';
import { writeRoute } from '../state/route.js';
import { plainLine } from '../text/marked.js';
import { LinkBar } from './link-bar.js';
import { decideByLink, type LinkDecision, type LinkQuestion, lookUp } from './link-question.js';

/** The state of the link page. */
type State =
  | { readonly is: 'loading' }
  | {
      readonly is: 'open';
      readonly asked: LinkQuestion;
      readonly isSending: boolean;
      readonly problem?: string;
    }
  | { readonly is: 'decided'; readonly asked: LinkQuestion; readonly decision: LinkDecision['decision'] }
  | { readonly is: 'closed'; readonly error: AskError };

/** The page of a link that decides: the whole card of one proposal, and the decision. Nobody is signed in. */
export function DecideByLink({ secret }: { readonly secret: string }) {
  const [state, setState] = useState<State>({ is: 'loading' });
  const load = (): void => {
    setState({ is: 'loading' });
    lookUp(secret)
      .then((asked) => setState({ is: 'open', asked, isSending: false }))
      .catch((error: unknown) => setState({ is: 'closed', error: asAskError(error) }));
  };
  useEffect(load, [secret]);

  async function decide(asked: LinkQuestion, decision: LinkDecision): Promise<void> {
    setState({ is: 'open', asked, isSending: true });
    try {
      await decideByLink(secret, decision);
      setState({ is: 'decided', asked, decision: decision.decision });
    } catch (error) {
      const { message, code } = asAskError(error);
      // The next lookup tells whether it counted: a used link says so.
      if (code === undefined || ENDED.has(code)) return load();
      setState({ is: 'open', asked, isSending: false, problem: message });
    }
  }

  if (state.is === 'loading') return <p class="starting dim">Loading the call behind this link …</p>;
  if (state.is === 'closed') return <LinkNotice error={state.error} onAgain={load} />;
  if (state.is === 'decided') {
    const { asked, decision } = state;
    const what = `${plainLine(asked.proposal.proposer)}’s call to ${plainLine(nameOf(asked.proposal))}`;
    return <LinkNotice title={decision === 'approve' ? 'Approved' : 'Rejected'} what={what} about={asked} />;
  }
  const { asked, isSending, problem } = state;
  return (
    <AskedCard
      asked={asked}
      isSending={isSending}
      problem={problem}
      onDecide={(decision) => void decide(asked, decision)}
    />
  );
}

/** Refusals after which the page has to be read again, or the link can no longer decide anything. */
const ENDED = new Set([
  'used_link',
  'expired_link',
  'unknown_link',
  'proposal_not_pending',
  'changed_since_shown',
]);

interface AskedCardProps {
  readonly asked: LinkQuestion;
  readonly isSending: boolean;
  readonly problem: string | undefined;
  readonly onDecide: (decision: LinkDecision) => void;
}

function AskedCard({ asked, isSending, problem, onDecide }: AskedCardProps) {
  const { proposal, participant, reason, served, executor } = asked;
  const [raw, setRaw] = useState(false);
  const box = useRef<HTMLElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const risk = useMemo(() => assessRisk(proposal, { served, past: undefined }), [proposal, served]);
  const schema = served?.definition['inputSchema'];
  const what = useMemo(
    () => ({
      all: [proposal.id, proposal.digest, executor ?? '', definitionDigest(served?.definition) ?? ''],
    }),
    [asked],
  );
  const { share, readOn } = useSeen(box, text, { what, isReady: true });
  useKeys({ '.': () => setRaw(!raw) });
  return (
    <main class="card-pane alone by-link">
      <article ref={box} class="card" tabIndex={0} aria-labelledby="card-title">
        <div class="card-body">
          <p class="dim by-link-who">
            You are deciding as <b>{plainLine(participant)}</b>, through the link in your message. The link
            works once.
          </p>
          <div ref={text}>
            <Heading proposal={proposal} me={participant} served={served} />
            <RiskView risk={risk} />
            <Words proposer={proposal.proposer} reason={reason} />
            <Arguments
              proposal={proposal}
              schema={schema !== undefined && isJsonObject(schema) ? schema : undefined}
              raw={raw}
              onRaw={setRaw}
            />
            <ToolView
              proposal={proposal}
              servers={served === undefined ? [] : [served]}
              served={served}
              mustChoose={false}
              onChoose={() => {}}
            />
          </div>
          <footer class="fine mono">
            <span>{proposal.id}</span>
            <span>{proposal.digest}</span>
          </footer>
        </div>
      </article>
      <LinkBar
        asked={asked}
        share={share}
        isSending={isSending}
        problem={problem}
        onReadOn={readOn}
        onDecide={onDecide}
      />
      <KeyNote />
    </main>
  );
}

function asAskError(error: unknown): AskError {
  return error instanceof AskError
    ? error
    : new AskError(error instanceof Error ? error.message : String(error));
}

type LinkNoticeProps =
  | { readonly title: string; readonly what: string; readonly about: LinkQuestion; readonly error?: never }
  | { readonly error: AskError; readonly onAgain: () => void };

const TITLES: Readonly<Record<string, string>> = {
  used_link: 'This link has already been used',
  expired_link: 'This link is too old',
  unknown_link: 'This link does not work',
  proposal_not_pending: 'This call has already been decided',
  digest_mismatch: 'This call has changed',
};

/** The result of a link, and where to go next. */
export function LinkNotice(props: LinkNoticeProps) {
  const { error } = props;
  const isDone = error === undefined;
  const title = isDone ? props.title : (TITLES[error.code ?? ''] ?? 'This link cannot be opened');
  const place = isDone ? props.about : error.details;
  const id = isDone ? props.about.proposal.id : place['proposal'];
  const { space } = place;
  const isKnown = typeof space === 'string' && typeof id === 'string';
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <Icon name="mark" />
        <h1>{title}</h1>
        {isDone ? (
          <p role="status">
            {props.what} has been decided, and this link no longer works. You can close this page.
          </p>
        ) : (
          <p role="alert">{error.message}</p>
        )}
        {!isDone && error.code === undefined && (
          <button type="button" class="button go" onClick={props.onAgain}>
            Try again
          </button>
        )}
        <a class="button" href={isKnown ? writeRoute({ space, view: 'proposals', item: id }) : '/console/'}>
          {isKnown ? 'See it in the console' : 'Open the console'}
        </a>
      </div>
    </main>
  );
}

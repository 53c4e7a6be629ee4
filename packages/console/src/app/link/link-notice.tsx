import type { AskError } from '../session/http.js';
import { Icon } from '../shell/icon.js';
import { writeRoute } from '../state/route.js';
import type { LinkQuestion } from './link-question.js';

type LinkNoticeProps =
  | { readonly title: string; readonly what: string; readonly about: LinkQuestion; readonly error?: never }
  | { readonly error: AskError; readonly onAgain: () => void };

const TITLES: Readonly<Record<string, string>> = {
  used_link: 'This link was used',
  expired_link: 'This link is too old',
  unknown_link: 'This link does not work',
  proposal_not_pending: 'This was already decided',
  digest_mismatch: 'This has changed',
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
            {props.what} is decided, and this link has done its work. You can close the page.
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

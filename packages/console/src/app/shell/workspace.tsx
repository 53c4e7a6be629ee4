import { useEffect, useMemo, useState } from 'preact/hooks';
import { forgetDecisions } from '../decide/decisions.js';
import { forgetRemarks } from '../decide/remarks.js';
import { Inbox } from '../inbox/inbox.js';
import { KeyNote } from '../keys/key-note.js';
import { useKeys } from '../keys/layers.js';
import { PairingQuestion } from '../pairing/pairing-question.js';
import { followPushes } from '../push/pushed.js';
import { renewalProblem, type SignInSession, signOut } from '../session/session.js';
import { enterSpace, type Space } from '../space/space.js';
import { useNow } from '../state/clock.js';
import { go, lost, route, type View } from '../state/route.js';
import { useStore } from '../state/store.js';
import { plainLine } from '../text/marked.js';
import { DialogOf } from './dialog-of.js';
import { closeDialog, dialog } from './dialogs.js';
import { NAV_VIEWS, Nav } from './nav.js';
import { useNotifications } from './notifications.js';
import { type LoadView, OnDemand } from './on-demand.js';
import { PauseBanner } from './pause-banner.js';
import { WaitingList } from './waiting-list.js';

/** Everything after sign-in: one space, its views, and global keys. */
export function Workspace({ session }: { readonly session: SignInSession }) {
  const { space: asked } = useStore(route);
  const name = session.spaces.find((space) => space === asked) ?? session.spaces[0];
  const [space, setSpace] = useState<Space>();

  useEffect(() => {
    if (name === undefined) return undefined;
    if (name !== asked) {
      if (asked !== undefined)
        lost.set(`There is no space “${plainLine(asked)}” open to you. This is ${plainLine(name)}.`);
      go({ space: name, view: 'inbox' }, { replace: true });
    }
    setSpace(undefined);
    const leaving = new AbortController();
    enterSpace(session, name, leaving.signal)
      .then((entered) => {
        if (leaving.signal.aborted) return entered.close();
        setSpace(entered);
        return undefined;
      })
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) signOut(error instanceof Error ? error.message : String(error));
      });
    return () => leaving.abort();
  }, [name]);

  if (name === undefined)
    return (
      <main class="sign-in">
        <div class="sign-in-box">
          <h1>{plainLine(session.participant)} has access to no space</h1>
          <p>The token is valid, but the configuration gives it no space. Ask whoever runs the gateway.</p>
          <button type="button" class="button" onClick={() => signOut()}>
            Sign in as someone else
          </button>
        </div>
      </main>
    );
  if (space === undefined) return <Connecting name={name} />;
  return <Inside key={space.name} space={space} session={session} />;
}

/** How long to wait before showing that there is no answer, in milliseconds. */
const TIMEOUT = 3_000;

function Connecting({ name }: { readonly name: string }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), TIMEOUT);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="starting dim" role="status">
      {isLong ? 'The gateway is not responding. Still trying …' : `Entering ${plainLine(name)} …`}
    </p>
  );
}

function Inside({ space, session }: { readonly space: Space; readonly session: SignInSession }) {
  const status = useStore(space.status);
  const { view } = useStore(route);
  const { waiting, count } = useWaiting(space);
  useNotifications(space, waiting);
  useEffect(() => followPushes(() => space.token), [space]);

  useEffect(
    () => () => {
      closeDialog();
      space.close();
      forgetDecisions();
      forgetRemarks();
    },
    [space],
  );
  useEffect(() => {
    if (status.state !== 'over') return;
    signOut(
      status.reason.reason === 'credential_revoked'
        ? 'You were signed out: your token was revoked or has expired. Sign in again with a new one.'
        : status.reason.message,
    );
  }, [status]);
  useKeys({
    '?': () => dialog.set('help'),
    'mod+k': () => dialog.set('palette'),
    ...Object.fromEntries(NAV_VIEWS.map(({ key, view: next }) => [`g ${key}`, () => go({ view: next })])),
  });
  return (
    <div class="app">
      <Nav space={space} session={session} waiting={count} current={view} />
      <main class="main">
        <ConnectionBanner space={space} />
        <PauseBanner space={space} />
        <PairingQuestion token={() => space.token} />
        <Lost />
        <ViewOf view={view} space={space} />
      </main>
      <KeyNote />
      <DialogOf space={space} session={session} />
    </div>
  );
}

/** Says that the URL led nowhere. */
function Lost() {
  const why = useStore(lost);
  if (why === undefined) return null;
  return (
    <p class="banner" role="alert">
      {why}
    </p>
  );
}

/**
 * What waits for this user, and how many; the count is also in the tab's title and on the installed app's
 * icon.
 */
function useWaiting(space: Space): { readonly waiting: WaitingList; readonly count: number } {
  useStore(space.changes);
  const waiting = useMemo(() => new WaitingList(space.proposals), [space]);
  useEffect(() => () => waiting.close(), [waiting]);
  const count = waiting.countFor({ me: space.me, rights: space.rights() });
  useEffect(() => {
    document.title = count === 0 ? 'Proffer' : `(${count.toLocaleString()}) Proffer`;
    if (count === 0) void navigator.clearAppBadge?.().catch(() => {});
    else void navigator.setAppBadge?.(count).catch(() => {});
  }, [count]);
  return { waiting, count };
}

/** Says that the connection is lost, or will be because the token could not be renewed. */
function ConnectionBanner({ space }: { readonly space: Space }) {
  const status = useStore(space.status);
  const problem = useStore(renewalProblem);
  return (
    <div role="status" class="banner-place">
      {status.state === 'lost' && (
        <p class="banner">
          The connection to the gateway was lost. What you see may be out of date.{' '}
          <Retry at={status.retryAt} />
        </p>
      )}
      {problem !== undefined && (
        <p class="banner">
          Your sign-in could not be renewed and ends soon ({problem}). Sign out and sign in again to stay
          signed in.
        </p>
      )}
    </div>
  );
}

function Retry({ at }: { readonly at: number }) {
  useNow(500);
  const seconds = Math.ceil((at - Date.now()) / 1_000);
  return <span aria-hidden="true">{seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again …'}</span>;
}

/** Views that are not needed to decide are loaded on demand. */
const LOADED: Readonly<Record<Exclude<View, 'inbox'>, LoadView>> = {
  proposals: async () => (await import('../proposal/proposal-view.js')).ProposalView,
  history: async () => (await import('../history/history.js')).History,
  negotiations: async () => (await import('../negotiations/negotiations.js')).Negotiations,
  rules: async () => (await import('../rules/rules.js')).Rules,
  insights: async () => (await import('../insights/insights.js')).Insights,
  people: async () => (await import('../people/people.js')).People,
};

/** The view named in the URL. */
function ViewOf({ view, space }: { readonly view: View; readonly space: Space }) {
  const { item } = useStore(route);
  if (view === 'inbox') return <Inbox space={space} />;
  return <OnDemand key={view} load={LOADED[view]} props={{ space, item }} />;
}

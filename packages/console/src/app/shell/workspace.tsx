import { useEffect, useState } from 'preact/hooks';
import { forgetDecisions } from '../decide/decisions.js';
import { forgetRemarks } from '../decide/remarks.js';
import { KeyNote } from '../keys/key-note.js';
import { useKeys } from '../keys/layers.js';
import { PairingQuestion } from '../pairing/pairing-question.js';
import { followPushes } from '../push/pushed.js';
import { type SignInSession, signOut } from '../session/session.js';
import { enterSpace, type Space } from '../space/space.js';
import { go, lost, route } from '../state/route.js';
import { useStore } from '../state/store.js';
import { plainLine } from '../text/marked.js';
import { ConnectionBanner } from './connection-banner.js';
import { DialogOf } from './dialog-of.js';
import { closeDialog, dialog } from './dialogs.js';
import { Nav, SHOWN } from './nav.js';
import { useNotifications } from './notifications.js';
import { PauseBanner } from './pause-banner.js';
import { ViewOf } from './view-of.js';
import { useWaiting } from './waiting.js';

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
          <h1>No space is open to {plainLine(session.participant)}</h1>
          <p>The token is valid, but the configuration gives it no space. Ask whoever runs the gateway.</p>
          <button type="button" class="button" onClick={() => signOut()}>
            Sign in as somebody else
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
        ? 'You were signed out: your token was revoked or has expired.'
        : status.reason.message,
    );
  }, [status]);
  useKeys({
    '?': () => dialog.set('help'),
    'mod+k': () => dialog.set('palette'),
    ...Object.fromEntries(SHOWN.map(({ key, view: next }) => [`g ${key}`, () => go({ view: next })])),
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

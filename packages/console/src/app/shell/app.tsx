import { useEffect, useState } from 'preact/hooks';
import { redeem, signInPaired } from '../session/device.js';
import { isAway } from '../session/http.js';
import { sessionFor } from '../session/methods.js';
import { rememberedToken, signedIn, signIn, signOut } from '../session/session.js';
import type { Tokens } from '../session/tokens.js';
import { useStore } from '../state/store.js';
import { OnDemand } from './on-demand.js';
import { Workspace } from './workspace.js';

/** The console: the page of a link, else the sign-in page, or a space. */
export function App() {
  const [key, setKey] = useState(() => takeLinkSecret('decide'));
  useEffect(() => {
    const follow = (): void => setKey((before) => takeLinkSecret('decide') ?? before);
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return key === undefined ? (
    <Signed />
  ) : (
    <OnDemand key={key} load={loadDecideByLink} props={{ secret: key }} />
  );
}

/** The sign-in page, or a space. */
function Signed() {
  const who = useStore(signedIn);
  const [isByLink] = useState(() => hasLinkSecret('code'));
  const [progress, setProgress] = useState<Progress>('signing in');
  const begin = (): Promise<void> => enter(() => setProgress('away')).then(() => setProgress('done'));
  // A paired browser whose token ended while it slept signs in again. One that was revoked is told so.
  const isOut = who.session === undefined && who.why !== undefined;
  useEffect(() => {
    if (!isOut || progress !== 'done') return;
    setProgress('signing in');
    void begin();
  }, [isOut]);
  useEffect(() => {
    // Pasting a link into a tab of the console does not reload it.
    const follow = (): void => void (hasLinkSecret('code') && begin());
    void begin();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  if (who.session !== undefined) return <Workspace key={who.session.participant} session={who.session} />;
  if (progress !== 'done')
    return (
      <p class="starting dim" role="status">
        {progress === 'away' ? AWAY : isByLink ? BY_LINK : 'Signing in …'}
      </p>
    );
  return <OnDemand key={who.why} load={loadSignIn} props={{ why: who.why }} />;
}

type Progress = 'signing in' | 'away' | 'done';

const BY_LINK = 'Signing in … You may have to confirm on the computer.';
const AWAY = 'The gateway is not responding. Trying again …';

/** Whoever is signed in needs no sign-in page. */
const loadSignIn = async () => (await import('../session/sign-in.js')).SignIn;

/** Most people never see the link page, so it is loaded on demand. */
const loadDecideByLink = async () => (await import('../link/decide-by-link.js')).DecideByLink;

/**
 * Signs in with a link, else with the token of this tab, else with the key of this browser. An invalid link
 * leaves the current user signed in.
 */
async function enter(onAway: () => void): Promise<void> {
  const code = takeLinkSecret('code');
  const token = rememberedToken();
  let why: string | undefined;
  if (code !== undefined) {
    try {
      return signIn(await sessionFor(await redeem(code)));
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
  }
  const isIn = await resume(() => (token === undefined ? signInPaired() : Promise.resolve({ token })), {
    refused: token === undefined ? UNPAIRED : TOKEN_REFUSED,
    onAway,
  });
  if (!isIn && why !== undefined) signOut(why);
}

const UNPAIRED =
  'The computer no longer knows this browser: its pairing was revoked. Pair it again: on the computer, press Notifications, then Pair a phone.';
const TOKEN_REFUSED =
  'You were signed out: your token was revoked or has expired. Sign in again with a new one.';

/** Signs in again; whether there was a credential. A gateway that does not answer may be back in a moment. */
async function resume(
  credential: () => Promise<Tokens | undefined>,
  { refused, onAway }: { readonly refused: string; readonly onAway: () => void },
): Promise<boolean> {
  for (;;) {
    try {
      const tokens = await credential();
      if (tokens !== undefined) signIn(await sessionFor(tokens));
      return tokens !== undefined;
    } catch (error) {
      if (!isAway(error)) {
        signOut(refused);
        return true;
      }
      onAway();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

/** The secret in a link's fragment: a code that signs in once, or a key that decides once. */
type LinkSecret = 'code' | 'decide';

/** Whether the page was opened by a link with such a secret. */
function hasLinkSecret(name: LinkSecret): boolean {
  return fragment().has(name);
}

/** The secret of a link. It is removed from the URL, so that neither the history nor a bookmark keeps it. */
function takeLinkSecret(name: LinkSecret): string | undefined {
  const secret = fragment().get(name);
  if (secret === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return secret;
}

function fragment(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

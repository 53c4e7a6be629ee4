import { useEffect, useState } from 'preact/hooks';
import { AskError } from '../session/http.js';
import { hasLinkSecret, redeem, takeLinkSecret } from '../session/link.js';
import { sessionFor } from '../session/methods.js';
import { rememberedToken, signedIn, signIn, signOut } from '../session/session.js';
import { SignIn } from '../session/sign-in.js';
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
  const [isResuming, setResuming] = useState(() => isByLink || rememberedToken() !== undefined);
  useEffect(() => {
    const begin = (): Promise<void> => enter().then(() => setResuming(false));
    // Pasting a link into a tab of the console does not reload it.
    const follow = (): void => void (hasLinkSecret('code') && begin());
    void begin();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  if (who.session !== undefined) return <Workspace key={who.session.participant} session={who.session} />;
  if (isResuming)
    return (
      <p class="starting dim">
        {isByLink ? 'Signing in … The computer may ask you to confirm.' : 'Signing in again …'}
      </p>
    );
  return <SignIn key={who.why} why={who.why} />;
}

/** Most people never see the link page, so it is loaded on demand. */
const loadDecideByLink = async () => (await import('../link/decide-by-link.js')).DecideByLink;

/**
 * Signs in with a link, else with the token of this tab. An invalid link leaves the current user signed in.
 */
async function enter(): Promise<void> {
  const code = takeLinkSecret('code');
  const token = rememberedToken();
  if (code !== undefined) {
    try {
      return signIn(await sessionFor(await redeem(code)));
    } catch (error) {
      if (token === undefined) return signOut(error instanceof Error ? error.message : String(error));
    }
  }
  if (token !== undefined) await resume(token);
}

/** Resumes with the token of this tab. A gateway that does not answer may be back in a moment. */
async function resume(token: string): Promise<void> {
  for (;;) {
    try {
      return signIn(await sessionFor({ token }));
    } catch (error) {
      if (!(error instanceof AskError) || error.code !== undefined)
        return signOut('You were signed out: the gateway no longer accepts your token.');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

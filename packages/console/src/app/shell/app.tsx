import { useEffect, useState } from 'preact/hooks';
import { AskError } from '../session/http.js';
import { sessionFor } from '../session/methods.js';
import { rememberedToken, signedIn, signIn, signOut } from '../session/session.js';
import { SignIn } from '../session/sign-in.js';
import { useStore } from '../state/store.js';
import { Workspace } from './workspace.js';

/** The console: signing in, or a space. */
export function App() {
  const who = useStore(signedIn);
  const [isResuming, setResuming] = useState(() => rememberedToken() !== undefined);
  useEffect(() => {
    const token = rememberedToken();
    if (token === undefined) return;
    void resume(token).then(() => setResuming(false));
  }, []);
  if (who.session !== undefined) return <Workspace key={who.session.participant} session={who.session} />;
  if (isResuming) return <p class="starting dim">Signing in again …</p>;
  return <SignIn key={who.why} why={who.why} />;
}

/** Goes on with the token of this tab. A gateway that does not answer may be there in a moment. */
async function resume(token: string): Promise<void> {
  for (;;) {
    try {
      return signIn(await sessionFor({ token }));
    } catch (error) {
      if (!(error instanceof AskError) || error.code !== undefined)
        return signOut('You were signed out: the gateway no longer takes your token.');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../shell/icon.js';
import { redeem } from './device.js';
import { AskError } from './http.js';
import { type SignInMethod, sessionFor, signInMethods } from './methods.js';
import type { OidcMethod } from './oidc.js';
import { signIn } from './session.js';
import type { Tokens } from './tokens.js';

/** The purpose of each of dev mode's default names. */
const ROLES: Readonly<Record<string, string>> = {
  reviewer: 'full access; approves and rejects',
  agent: 'may only propose',
  steward: 'decides by rules',
  tools: 'runs what is approved',
};

/** The sign-in page, with the ways to sign in. */
export function SignIn({ why }: { readonly why?: string | undefined }) {
  const [methods, setMethods] = useState<readonly SignInMethod[]>();
  const [problem, setProblem] = useState(why);
  const [isBusy, setBusy] = useState(false);

  async function load(): Promise<void> {
    try {
      const offered = await signInMethods();
      setMethods(offered);
      const issuer = offered.find((method) => method.type === 'oidc');
      if (issuer === undefined) return;
      const { finishSignIn, isBackFromIssuer } = await import('./oidc.js');
      if (isBackFromIssuer()) await enter(finishSignIn(issuer));
    } catch (error) {
      setProblem(wordsOf(error));
    }
  }
  useEffect(() => {
    void load();
  }, []);

  async function enter(tokens: Tokens | Promise<Tokens>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      signIn(await sessionFor(await tokens));
    } catch (error) {
      setProblem(wordsOf(error));
      setBusy(false);
    }
  }

  const withToken = (token: string): Promise<void> => enter({ token });
  async function leave(issuer: OidcMethod): Promise<void> {
    const { leaveForIssuer } = await import('./oidc.js');
    await enter(leaveForIssuer(issuer));
  }

  const names = methods?.find((method) => method.type === 'name');
  const issuer = methods?.find((method) => method.type === 'oidc');
  const isPairing = methods?.some((method) => method.type === 'pairing') === true;
  const hasTokens = methods !== undefined && names === undefined && !isPairing;
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <Icon name="mark" />
        <h1>Proffer</h1>
        <p class="dim">Agents propose. You decide.</p>
        {problem !== undefined && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        {methods === undefined && problem === undefined && <p class="dim">Asking the gateway …</p>}
        {methods === undefined && problem !== undefined && (
          <button type="button" class="button" onClick={() => void load()}>
            Try again
          </button>
        )}
        {names !== undefined && <Names names={names.names} isBusy={isBusy} onChoose={withToken} />}
        {issuer !== undefined && <Issuer issuer={issuer} isBusy={isBusy} onLeave={leave} />}
        {hasTokens && <Token isBusy={isBusy} onGiven={withToken} />}
        {isPairing && <PairHere isBusy={isBusy} onGiven={(link) => enter(pairWith(link))} />}
      </div>
    </main>
  );
}

interface NamesProps {
  readonly names: readonly string[];
  readonly isBusy: boolean;
  readonly onChoose: (name: string) => Promise<void>;
}

/** Dev mode: the token is simply the name. */
function Names({ names, isBusy, onChoose }: NamesProps) {
  const [other, setOther] = useState('');
  const order = [...names].sort((left, right) => rank(left) - rank(right));
  return (
    <>
      <p class="notice">This gateway runs in dev mode, on this machine only. Choose who you are.</p>
      <ul class="choices">
        {order.map((name) => (
          <li key={name}>
            <button type="button" disabled={isBusy} onClick={() => void onChoose(name)}>
              <b>{name}</b>
              <span class="dim">{ROLES[name] ?? 'as configured'}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (other.trim() !== '') void onChoose(other.trim());
        }}
      >
        <input
          value={other}
          onInput={({ currentTarget }) => setOther(currentTarget.value)}
          placeholder="Another name"
          aria-label="Another name"
          autocomplete="off"
        />
        <button type="submit" class="button" disabled={isBusy || other.trim() === ''}>
          Enter
        </button>
      </form>
    </>
  );
}

function rank(name: string): number {
  const place = Object.keys(ROLES).indexOf(name);
  return place === -1 ? Object.keys(ROLES).length : place;
}

interface IssuerProps {
  readonly issuer: OidcMethod;
  readonly isBusy: boolean;
  readonly onLeave: (issuer: OidcMethod) => Promise<void>;
}

function Issuer({ issuer, isBusy, onLeave }: IssuerProps) {
  return (
    <div class="issuer">
      <button type="button" class="button go" disabled={isBusy} onClick={() => void onLeave(issuer)}>
        Sign in with {new URL(issuer.issuer).host}
      </button>
      <p class="dim small">or with a token</p>
    </div>
  );
}

interface TokenProps {
  readonly isBusy: boolean;
  readonly onGiven: (text: string) => Promise<void>;
}

/** For a browser that is not paired, such as the one inside another app. A token would not help it. */
function PairHere({ isBusy, onGiven }: TokenProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        const link = input.current?.value.trim() ?? '';
        if (link !== '') void onGiven(link);
      }}
    >
      <p>
        This browser is not paired with your computer. On the computer, open the inbox, press Notifications,
        then Pair a phone, and scan the code.
      </p>
      <p class="dim small">If you paired another browser on this phone, open this page there.</p>
      <label for="pairing">Or paste the link shown with the code</label>
      <input id="pairing" ref={input} autocomplete="off" spellcheck={false} placeholder="https://…#code=…" />
      <button type="submit" class="button" disabled={isBusy}>
        Pair this browser
      </button>
    </form>
  );
}

/** Pairs with a pasted link, or with its code alone. */
function pairWith(text: string): Promise<Tokens> {
  return redeem(text.slice(text.lastIndexOf('=') + 1));
}

function Token({ isBusy, onGiven }: TokenProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        const token = input.current?.value.trim() ?? '';
        if (token !== '') void onGiven(token);
      }}
    >
      <label for="token">Your token</label>
      <input
        id="token"
        ref={input}
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="pf_…"
        aria-describedby="token-note"
      />
      <p id="token-note" class="dim small">
        Your token is kept in this tab only and is gone when you close it. To make one, run{' '}
        <code>npx proffer token NAME</code>; the operator adds its hash to the configuration.
      </p>
      <p class="dim small">
        Is this the inbox of a guard or hook on this computer? <code>npx proffer inbox --guard --open</code>{' '}
        opens it signed in.
      </p>
      <button type="submit" class="button go" disabled={isBusy}>
        Sign in
      </button>
    </form>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof AskError && error.code === 'unauthenticated')
    return 'The gateway does not recognise this token. Check that it is complete and has not been revoked.';
  return error instanceof Error ? error.message : String(error);
}

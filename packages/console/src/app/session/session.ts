import { defined } from '@proffer/core/json';
import { createStore, type Store } from '../state/store.js';
import { holdTokens, type TokenHolder, type Tokens } from './tokens.js';

/** The identity in this tab: a token and its owner. */
export interface SignInSession {
  readonly tokens: TokenHolder;
  readonly participant: string;
  readonly spaces: readonly string[];
}

/** Signed in or not, with a message if signing in again is needed. */
export type SignedIn =
  | { readonly session: SignInSession }
  | { readonly session?: never; readonly why?: string };

/** Why the token could not be renewed, as text; `undefined` while all is well. */
export const renewalProblem: Store<string | undefined> = createStore<string | undefined>(undefined);

const KEY = 'proffer.token';

/** Who is signed in in this tab. */
export const signedIn: Store<SignedIn> = createStore<SignedIn>({});

/** The token of this tab, if it was signed in before a reload. It does not outlive the tab. */
export function rememberedToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** Holds tokens for as long as the tab is open. */
export function keepTokens(tokens: Tokens): TokenHolder {
  const keep = (token: string): void => {
    if (tokens.isMemoryOnly !== true) sessionStorage.setItem(KEY, token);
  };
  keep(tokens.token);
  return holdTokens(tokens, {
    onChange(token) {
      keep(token);
      renewalProblem.set(undefined);
    },
    onFailure: (error) => renewalProblem.set(error instanceof Error ? error.message : String(error)),
  });
}

/** Signs in for as long as the tab is open. */
export function signIn(session: SignInSession): void {
  signedIn.set({ session });
}

/** @param why - the message for the user, if they did not do it themselves */
export function signOut(why?: string): void {
  signedIn.get().session?.tokens.close();
  sessionStorage.removeItem(KEY);
  renewalProblem.set(undefined);
  signedIn.set(defined({ why }));
}

import type { JsonObject } from '@proffer/core/json';
import type { GatewayConfig } from '../config/index.js';
import { type ConsolePages, createConsolePages } from './pages.js';
import { describeSignIn } from './sign-in.js';

/** The gateway's part of the console: the sign-in methods, and its pages if they are served. */
export interface Console {
  readonly signIn: JsonObject;
  readonly pages?: ConsolePages;
}

/** @param folder - with the console's files. Throws if there is no console in it */
export function createConsole(config: GatewayConfig, folder: string | undefined): Console {
  const signIn = describeSignIn(config);
  if (folder === undefined) return { signIn };
  const { jwt, oidc } = config;
  const issuers = jwt === undefined || oidc === undefined ? [] : [new URL(jwt.issuer).origin];
  return { signIn, pages: createConsolePages(folder, issuers) };
}

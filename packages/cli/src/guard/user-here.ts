import { userInfo } from 'node:os';

/** Who started the client, and so this: the user of the machine, where the system knows one. */
export function userHere(): { readonly user?: string } {
  try {
    const { username } = userInfo();
    return username === '' ? {} : { user: username };
  } catch {
    return {};
  }
}

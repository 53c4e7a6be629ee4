import { userInfo } from 'node:os';

/** The user who started the client, and so this process, where the system knows it. */
export function userHere(): { readonly user?: string } {
  try {
    const { username } = userInfo();
    return username === '' ? {} : { user: username };
  } catch {
    return {};
  }
}

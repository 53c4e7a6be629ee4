import { userInfo } from 'node:os';

/** The user who started the client, and thus this process, if the system knows. */
export function userHere(): { readonly user?: string } {
  try {
    const { username } = userInfo();
    return username === '' ? {} : { user: username };
  } catch {
    return {};
  }
}

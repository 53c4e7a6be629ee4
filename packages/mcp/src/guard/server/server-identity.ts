import { digestJson } from '@proffer/core';

/**
 * What distinguishes a server process from another of the same name: its command with all arguments, and its working
 * folder, since what it works on may depend on either. A digest, so that nothing of it can be read in an id.
 * Environment variables do not count: clients change some of them each time.
 *
 * @param folder - as an absolute path
 */
export function identityOfCommand(command: readonly string[], folder: string): string {
  return digestJson({ command, folder });
}

/** The identity of a server at an address: the address without name, password and fragment. Headers do not count. */
export function identityOfUrl(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  plain.hash = '';
  return digestJson({ url: plain.href });
}

import { digestJson } from '@proffer/core';

/**
 * What tells a server that is started as a process from another of the same name: its command with all
 * arguments, and the folder that it is started in, since what it works on may depend on either. A digest, so
 * that nothing of it can be read in an id. Its variables do not count: clients set some of them anew each time.
 *
 * @param folder - as an absolute path
 */
export function identityOfCommand(command: readonly string[], folder: string): string {
  return digestJson({ command, folder });
}

/** The same for a server at an address: the address without name, password and fragment. Headers do not count. */
export function identityOfUrl(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  plain.hash = '';
  return digestJson({ url: plain.href });
}

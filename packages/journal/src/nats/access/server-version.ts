/** The first version with atomic batches. */
export const OLDEST_SERVER = '2.12';

/** Whether a server is too old to store a journal. */
export function isOldServer(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 2 || (major === 2 && minor < 12);
}

/** Node requirements of this repository's tools: the oldest supported release of each line. */
const OLDEST = { 20: 19, 22: 12 };

/**
 * Returns what is wrong with a Node version, or nothing if it is supported: 20 from 20.19, 22 from 22.12, and
 * everything newer.
 *
 * @param {string} version - as in `process.versions.node`
 * @returns {string | undefined}
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 20 || major === 22 ? minor >= OLDEST[major] : major > 22) return undefined;
  return (
    `Proffer needs Node 20.19 or newer (for Node 22: 22.12 or newer), and this is Node ${version}. ` +
    'Install a current release from https://nodejs.org or with your version manager ' +
    '(for example: nvm install 22), then run the same command again.'
  );
}

import { Failure } from './step.mjs';

/** @typedef {{ version?: string } & Record<string, unknown>} Manifest */

/**
 * The version of a release.
 *
 * @param {string} current
 * @param {string} asked - `major`, `minor`, `patch`, or a version that is not older than the current one
 */
export function nextVersion(current, asked) {
  const [major = 0, minor = 0, patch = 0] = numbers(current) ?? [];
  if (asked === 'major') return `${major + 1}.0.0`;
  if (asked === 'minor') return `${major}.${minor + 1}.0`;
  if (asked === 'patch') return `${major}.${minor}.${patch + 1}`;
  const given = numbers(asked);
  if (given === undefined) throw new Failure(`${asked} is not a version. Say major, minor, patch, or X.Y.Z.`);
  const place = [major, minor, patch].findIndex((each, index) => each !== given[index]);
  if (place >= 0 && (given[place] ?? 0) < ([major, minor, patch][place] ?? 0))
    throw new Failure(`${asked} is older than the current version, ${current}.`);
  return asked;
}

/** @param {string} version */
function numbers(version) {
  return /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version) ? version.split('.').map(Number) : undefined;
}

const UNRELEASED = '## Unreleased';

/**
 * The changelog with what was unreleased under the version, and its text for the announcement.
 *
 * @param {string} changelog
 * @param {string} version
 * @param {string} date - such as 2026-11-18
 */
export function releaseChangelog(changelog, version, date) {
  const [before, after, ...more] = changelog.split(`\n${UNRELEASED}\n`);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Failure(`CHANGELOG.md needs exactly one section "${UNRELEASED}".`);
  const [notes = ''] = after.split(/^## /m);
  if (!/^- /m.test(notes)) throw new Failure(`CHANGELOG.md says nothing under "${UNRELEASED}".`);
  const text = `${before}\n${UNRELEASED}\n\n## ${version} - ${date}\n${after}`;
  return { text, notes: notes.trim() };
}

/**
 * A package.json with another version, of itself and of the packages of this repository that it uses.
 *
 * @param {string} text
 * @param {string} version
 */
export function withVersion(text, version) {
  return text
    .replace(/^( {2}"version": ")[^"]*"/m, `$1${version}"`)
    .replaceAll(/^( +"@proffer\/[a-z]+": ")\d+\.\d+\.\d+"/gm, `$1${version}"`);
}

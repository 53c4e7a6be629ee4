import { describe, expect, it } from 'vitest';
import { nextVersion, releaseChangelog, withVersion } from './release-plan.mjs';

describe('the version of a release', () => {
  it.each([
    ['major', '1.0.0'],
    ['minor', '0.3.0'],
    ['patch', '0.2.10'],
    ['0.2.9', '0.2.9'],
    ['0.10.0', '0.10.0'],
    ['1.0.0', '1.0.0'],
  ])('%s of 0.2.9 is %s', (asked, version) => {
    expect(nextVersion('0.2.9', asked)).toBe(version);
  });

  it.each(['0.2.8', '0.1.10', '1.0', 'v1.0.0', '01.0.0', ''])('%j is refused', (asked) => {
    expect(() => nextVersion('0.2.9', asked)).toThrow(/version/);
  });
});

describe('the changelog of a release', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- A door.\n\n## 0.1.0 - 2026-01-02\n\n- A house.\n';

  it('puts what was unreleased under the version, and leaves an empty section for what comes next', () => {
    const { text, notes } = releaseChangelog(changelog, '0.2.0', '2026-02-03');
    expect(text).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n### Added\n\n- A door.\n\n## 0.1.0 - 2026-01-02\n\n- A house.\n',
    );
    expect(notes).toBe('### Added\n\n- A door.');
  });

  it('says so if there is nothing to release', () => {
    const { text } = releaseChangelog(changelog, '0.2.0', '2026-02-03');
    expect(() => releaseChangelog(text, '0.3.0', '2026-02-04')).toThrow('says nothing under');
    expect(() => releaseChangelog('# Changelog\n', '0.3.0', '2026-02-04')).toThrow('exactly one section');
  });
});

it('a package.json gets the version, also for the packages of this repository that it uses', () => {
  const manifest = JSON.stringify(
    {
      name: '@proffer/mcp',
      version: '0.1.0',
      dependencies: { '@proffer/core': '0.1.0', '@proffer/journal': '0.1.0', ws: '8.0.0' },
      exports: { '.': { '@proffer/source': './src/index.ts' } },
    },
    undefined,
    2,
  );
  const changed = JSON.parse(withVersion(manifest, '0.2.0')) as unknown;
  expect(changed).toEqual({
    name: '@proffer/mcp',
    version: '0.2.0',
    dependencies: { '@proffer/core': '0.2.0', '@proffer/journal': '0.2.0', ws: '8.0.0' },
    exports: { '.': { '@proffer/source': './src/index.ts' } },
  });
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The names in the export lists of a file. */
function namesIn(path: string): readonly string[] {
  const source = readFileSync(new URL(path, import.meta.url), 'utf8');
  return [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').flatMap((name) => name.trim() || []),
  );
}

it('has at most 40 names at its root; the others are in ./participation and ./negotiation', () => {
  const names = [...namesIn('./index.ts'), ...namesIn('./node.ts')];
  expect(names).toContain('connect');
  expect(names.length).toBeLessThanOrEqual(40);
});

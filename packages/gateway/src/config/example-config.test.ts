import { createReport } from '@proffer/reading';
import { describe, expect, it } from 'vitest';
import { createToken } from '../token.js';
import { exampleConfig } from './example-config.js';
import { NEGOTIATION_KEYS } from './fields/negotiation-fields.js';
import { PARTICIPANT, SPACE } from './fields/participant-fields.js';
import type { Field } from './read/field.js';
import { findTree, parseYamlTree } from './read/tree.js';
import { SCHEMA } from './schema.js';
import { configured } from './testing/configured.js';

const example = exampleConfig({
  agent: createToken().hash,
  reviewer: createToken().hash,
  tools: createToken().hash,
});
/** The example with all commented-out keys in use. */
const complete = example.replace(/^(\s*)#(?=[a-z])/gm, '$1');

function keysOf(field: Field<unknown>, path: readonly string[] = []): string[][] {
  const keys = Array.from(field.keys ?? []);
  return keys.flatMap(([key, child]) => {
    const own = [...path, key];
    return [own].concat(keysOf(child, own));
  });
}

describe('example configuration', () => {
  it('works as it is', () => {
    const config = configured(example);
    expect([...config.participants.keys()]).toEqual(['agent', 'reviewer', 'tools']);
    expect(config.tokens).toHaveLength(3);
    expect(config.listen.grpc).toEqual({ host: '127.0.0.1', port: 50_051 });
    expect(config.journal.backend).toBe('local');
    expect(config.participants.get('agent')?.spaces.get('main')).toContainEqual(
      expect.objectContaining({ source: 'mcp.proposal.*' }),
    );
  });

  it('O-26: lets executors announce what they run, and nobody else but guards', () => {
    const { participants } = configured(example);
    const mayAnnounce = [...participants].filter(([, { spaces }]) =>
      spaces
        .get('main')
        ?.some(({ source }) => typeof source === 'string' && source.startsWith('mcpx.announce')),
    );
    expect(mayAnnounce.map(([name]) => name)).toEqual(['tools']);
  });

  it('has every key', () => {
    const { problems, report } = createReport();
    const tree = parseYamlTree(complete, 'example', report);
    expect(problems).toEqual([]);
    const paths = [
      ...keysOf(SCHEMA),
      ...keysOf(SPACE, ['spaces', 'main']),
      ...keysOf(PARTICIPANT, ['participants', 'reviewer']),
      ...NEGOTIATION_KEYS.map((key) => ['participants', 'reviewer', 'negotiation', key]),
    ];
    expect(paths.length).toBeGreaterThan(50);
    const missing = paths.filter((path) => tree === undefined || findTree(tree, path) === undefined);
    expect(missing).toEqual([]);
  });

  it('shows the actual defaults', () => {
    const spelledOut = configured(
      complete.replace(/^ {2}jwks: .*\n/m, '').replace(/^ {4}(default_ttl|max_ttl): .*\n/gm, ''),
    );
    const { jwt, tls, capabilities, ...defaults } = spelledOut;
    const { participants, capabilities: lists, ...expected } = configured(example);
    expect(defaults).toMatchObject(expected);
    expect({ jwt, tls }).toMatchObject({ jwt: { clockSkew: 30_000 }, tls: { cert: 'gateway.crt' } });
    expect([...capabilities.keys()]).toEqual([...lists.keys()]);
    expect([...participants.keys()]).toEqual([...spelledOut.participants.keys()]);
  });
});

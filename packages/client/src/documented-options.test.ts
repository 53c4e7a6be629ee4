import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The property names of an interface, from its source. */
function propertiesOf(path: string, name: string): readonly string[] {
  const [, body = ''] =
    new RegExp(`export interface ${name}\\b[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(read(path)) ?? [];
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, property = '']) => property);
}

/** Set by the client itself, to distinguish it from another one under its name. */
const INTERNAL = new Set(['instance']);

it.each([
  ['./connect.ts', 'ConnectOptions'],
  ['./connection/addresses.ts', 'Destination'],
  ['./operations/propose.ts', 'ProposeOptions'],
  ['./negotiation/grpc/grpc-on-demand.ts', 'GrpcTransportOptions'],
  ['./negotiation/http/http-transport.ts', 'HttpTransportOptions'],
])('every option in %s %s is in the README', (path, name) => {
  const options = propertiesOf(path, name).filter((option) => !INTERNAL.has(option));
  expect(options).not.toEqual([]);
  const [, section = ''] = read('../README.md').split('## Options\n');
  for (const option of options) expect(section).toMatch(new RegExp(`\`${option}[\`.]`));
});

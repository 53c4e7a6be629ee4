import { createHash } from 'node:crypto';
import { STREAM_PARTICIPANTS, STREAM_SPACE } from '../kill/stream-load.js';
import { VARIETY_YAML } from '../kill/variety.js';

/** All participants by space; tokens equal names. */
const EVERYBODY: readonly (readonly [space: string, names: readonly string[]])[] = [
  ['main', ['alice', 'bob', 'first', 'second', 'tools', 'buyer', 'seller']],
  [STREAM_SPACE, STREAM_PARTICIPANTS],
];

/** Gateways reachable from other machines have no dev mode, so everyone has a token. */
export const NEMESIS_YAML = [
  'listen: { allow_insecure: true }',
  'participants:',
  ...EVERYBODY.flatMap(([space, names]) =>
    names.map((name) => {
      const hash = createHash('sha256').update(name).digest('hex');
      return `  ${name}: { tokens: ["sha256:${hash}"], spaces: { ${space}: ["*"] } }`;
    }),
  ),
  VARIETY_YAML,
  `  ${STREAM_SPACE}: {}`,
].join('\n');

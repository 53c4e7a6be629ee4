import { createHash } from 'node:crypto';
import { VARIETY_YAML } from '../kill/variety.js';

/** Everybody who takes part; the token of each is its name. */
const EVERYBODY = ['alice', 'bob', 'first', 'second', 'tools', 'buyer', 'seller'];

/** Gateways that others than this machine can reach have no dev mode, so everybody has a token. */
export const NEMESIS_YAML = [
  'listen: { allow_insecure: true }',
  'participants:',
  ...EVERYBODY.map((name) => {
    const hash = createHash('sha256').update(name).digest('hex');
    return `  ${name}: { tokens: ["sha256:${hash}"], spaces: { main: ["*"] } }`;
  }),
  VARIETY_YAML,
].join('\n');

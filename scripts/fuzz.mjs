// npm run fuzz: see HELP below.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ready } from './prepare.mjs';
import { Failure, main } from './step.mjs';
import { tool } from './tools.mjs';

const HELP = `npm run fuzz                            a million random histories of decisions on two gateways
npm run fuzz -- --histories 10000       fewer, or more
npm run fuzz -- --seed 4711             begin with this one; a failure names the seed to look at
`;

await main(async () => {
  const { values } = parseArgs({
    options: {
      histories: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const { histories, seed } = values;
  if (![histories, seed].every((text) => /^[1-9]\d{0,9}$/.test(text)))
    throw new Failure(`--histories and --seed take a whole number from 1.\n\n${HELP}`);
  await ready();
  const env = { PROFFER_FUZZ: histories, PROFFER_FUZZ_SEED: seed };
  const files = 'packages/core/src/operations/testing/fuzz';
  const { code } = await tool('vitest', ['run', '--maxWorkers=1', files], { stream: true, env });
  return code;
});

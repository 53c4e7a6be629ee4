// npm run fuzz: see HELP below.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ready } from './prepare.mjs';
import { Failure, main } from './step.mjs';
import { node } from './tools.mjs';

const HELP = `npm run fuzz                            a million random histories of decisions on two gateways
npm run fuzz -- --histories 10000       fewer, or more
npm run fuzz -- --seed 4711             begin with this one; a fault names the seed to look at
npm run fuzz -- --mutants               break one rule after another, and see that each is noticed
npm run fuzz -- --shell                 a million random shell lines: what rules allow runs in real shells, with
                                        programs that only note that they ran
npm run fuzz -- --shell --lines 10000   fewer, or more
npm run fuzz -- --frames                ten million malformed frames over WebSocket, HTTP and gRPC, in a space and in a
                                        session of each mode: the gateway goes on, its memory does not grow, and
                                        nothing of it is in the history
npm run fuzz -- --frames --count 10000  fewer, or more
`;

/** Enough to catch every mutant with some margin. */
const RUNS_PER_MUTANT = '40000';

await main(async () => {
  const { values } = parseArgs({
    options: {
      histories: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      mutants: { type: 'boolean' },
      shell: { type: 'boolean' },
      lines: { type: 'string', default: '1000000' },
      frames: { type: 'boolean' },
      count: { type: 'string', default: '10000000' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const { histories, lines, count, seed } = values;
  if (![histories, lines, count, seed].every((text) => /^[1-9]\d{0,9}$/.test(text)))
    throw new Failure(`--histories, --lines, --count and --seed take a whole number from 1.\n\n${HELP}`);
  await ready();
  if (values.mutants) return huntMutants(seed);
  const { bundleFrameFuzz, bundleFuzz, bundleShellFuzz } = await import('./fuzz/bundle.mjs');
  const run = async () => {
    if (values.shell) return [await bundleShellFuzz(), seed, lines];
    return values.frames ? [await bundleFrameFuzz(), seed, count] : [await bundleFuzz(), seed, histories];
  };
  const { code } = await node(await run(), { stream: true });
  return code;
});

/** @param {string} seed */
async function huntMutants(seed) {
  const { bundleMutant } = await import('./fuzz/bundle.mjs');
  const { MUTANTS } = await import('./fuzz/mutants.mjs');
  let survivors = 0;
  for (const mutant of MUTANTS) {
    const { output } = await node([await bundleMutant(mutant), seed, RUNS_PER_MUTANT, 'first'], {});
    const noticed = /^seed .*$/m.exec(output)?.[0];
    if (noticed === undefined) survivors++;
    process.stdout.write(`${mutant.breaks}\n    ${noticed ?? 'NOT NOTICED'}\n`);
  }
  process.stdout.write(`${MUTANTS.length - survivors} of ${MUTANTS.length} were noticed.\n`);
  return survivors === 0 ? 0 : 1;
}

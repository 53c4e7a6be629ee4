// npm test: see HELP below.
import process from 'node:process';
import { findNatsServer, installNatsServer, WITHOUT_NATS } from './nats-server.mjs';
import { build, ready } from './prepare.mjs';
import {
  findPython,
  findPythonPackages,
  installPythonPackages,
  WITHOUT_PYTHON,
  WITHOUT_PYTHON_PACKAGES,
} from './python.mjs';
import { Failure, main, since, step } from './step.mjs';
import { tool } from './tools.mjs';

const HELP = `npm test                    every check: format, lint, types, tests
npm test -- FILE…           only the tests in files whose path contains FILE, without the other checks
npm test -- -t "O-12"       only the tests whose title contains O-12; other options go to vitest too
npm run test:long           every check, with many more cases from each property test
npm test -- --long FILE…    the same for some files
`;

/** @type {ReadonlyArray<{ name: string, what: string, check: () => Promise<void> }>} */
const CHECKS = [
  {
    name: 'format',
    what: 'Checking the format',
    check: () =>
      quiet('biome', ['check', '--error-on-warnings', '.'], 'Run `npm run format`, which corrects it.'),
  },
  {
    name: 'lint',
    what: 'Checking the code (oxlint)',
    check: () => quiet('oxlint', ['--type-aware', '--deny-warnings'], 'Correct the above.'),
  },
  {
    name: 'types',
    what: 'Checking the types of the tests',
    check: () => quiet('tsc', ['-b'], 'Correct the above.'),
  },
];

await main(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const start = process.hrtime.bigint();
  const long = args.includes('--long');
  const chosen = args.filter((arg) => arg !== '--long');

  await ready();
  // It takes a while, and only the tests need it.
  const gettingPython = getPython(chosen);
  /** @type {string[]} */
  const failed = [];
  await attempt('build', build, failed);
  if (chosen.length === 0) {
    for (const { name, what, check } of CHECKS) await attempt(name, () => step(what, check), failed);
  }
  const nats = findNatsServer() ?? (await step('Getting a NATS server', installNatsServer));
  const withoutPython = await step('Getting what the examples in Python need', () => gettingPython);
  await attempt('tests', () => step('Testing', () => test(chosen, { long, nats }), { stream: true }), failed);
  const missing = [
    ...(nats === undefined ? [WITHOUT_NATS] : []),
    ...(withoutPython === undefined ? [] : [withoutPython]),
  ];
  const untested = chosen.length === 0 ? missing.map((text) => `${text}\n`).join('') : '';
  // In CI, a check that cannot run is a failure. Python is only for examples.
  if (chosen.length === 0 && nats === undefined && process.env['CI']) failed.push('what could not be tested');

  const time = since(start);
  if (failed.length > 0) {
    const hint = chosen.length === 0 ? '' : ' `npm test -- --help` says how to choose tests.';
    process.stdout.write(`\nFailed: ${failed.join(', ')} (${time}). What is wrong is said above.${hint}\n`);
    process.stdout.write(untested);
    return 1;
  }
  process.stdout.write(
    chosen.length === 0
      ? `\nEverything passed: build, ${CHECKS.map(({ name }) => name).join(', ')}, tests (${time}).\n`
      : `\nThe chosen tests passed (${time}). Run plain \`npm test\` for every check.\n`,
  );
  process.stdout.write(untested);
  return 0;
});

/**
 * Installs the frameworks for the Python adapters, unless only other tests were selected.
 *
 * @param {readonly string[]} chosen
 * @returns {Promise<string | undefined>} what cannot be tested, if anything
 */
async function getPython(chosen) {
  const python = findPython();
  if (python === undefined) return WITHOUT_PYTHON;
  if (findPythonPackages() !== undefined) return undefined;
  const isNeeded = chosen.length === 0 || chosen.some((name) => name.includes('python'));
  const folder = isNeeded ? await installPythonPackages(python) : undefined;
  return folder === undefined ? WITHOUT_PYTHON_PACKAGES : undefined;
}

/**
 * Runs a part and continues if it fails, so that one run shows all problems.
 *
 * @param {string} name
 * @param {() => Promise<void>} part
 * @param {string[]} failed - gets the name if the part fails
 */
async function attempt(name, part, failed) {
  try {
    await part();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failed.push(name);
    if (error.message !== '') console.error(`\n${error.message}\n`);
  }
}

/**
 * @param {Parameters<typeof tool>[0]} name
 * @param {readonly string[]} args
 * @param {string} advice
 */
async function quiet(name, args, advice) {
  const { code, output } = await tool(name, args);
  if (code !== 0) throw new Failure(`${output.trim()}\n\n${advice}`);
}

/**
 * @param {readonly string[]} chosen
 * @param {{ long: boolean, nats: string | undefined }} options
 */
async function test(chosen, { long, nats }) {
  /** @type {Record<string, string>} */
  const env = long ? { PROFFER_LONG: '1' } : {};
  if (nats !== undefined) env['NATS_SERVER_PROGRAM'] = nats;
  // Plain text if the output goes to a file or a log.
  if (!process.stdout.isTTY && process.env['FORCE_COLOR'] === undefined) env['NO_COLOR'] = '1';
  const { code } = await tool('vitest', ['run', ...chosen], { stream: true, env });
  if (code !== 0) throw new Failure('');
}

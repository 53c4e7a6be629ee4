// npm test, npm run test:all and npm run test:long: see HELP below.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { root, tool } from './tools.mjs';

const HELP = `npm test                    what every change must pass: build, format, lint, types, quick tests
npm run test:all            every test: the quick ones, the slow ones (*.slow.test.ts), with new random cases
npm run test:long           every test, with many more random cases
npm test -- FILE…           only the tests in files whose path contains FILE, quick or slow, without the other checks
npm test -- -t "O-12"       only the tests whose title contains O-12; other options go to vitest too
npm test -- --long FILE…    many more random cases in these files
npm test -- --seed 4711 …   the random cases of an earlier run, which printed this seed
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

/** Where vitest leaves what each test did, and how long it took. */
const REPORT = join(root, 'node_modules', '.cache', 'proffer', 'tests.json');

/** What a command line asks for. */
/** @typedef {{ tests: 'quick' | 'all' | 'chosen', long: boolean, seed: string | undefined, chosen: string[] }} Wanted */

await main(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const start = process.hrtime.bigint();
  const wanted = parse(args);
  const { tests } = wanted;

  await ready();
  /** @type {string[]} */
  const failed = [];
  // It takes a while, and only the tests need it.
  const gettingPython = getPython(wanted);
  await attempt('build', build, failed);
  const checks = tests === 'quick' ? CHECKS : [];
  for (const { name, what, check } of checks) await attempt(name, () => step(what, check), failed);
  const nats = findNatsServer() ?? (await step('Getting a NATS server', installNatsServer));
  const python = await step('Getting what the examples in Python need', () => gettingPython);
  await attempt('tests', () => step('Testing', () => test(wanted, nats), { stream: true }), failed);

  const missing = [...(nats === undefined ? [WITHOUT_NATS] : []), ...(python === undefined ? [] : [python])];
  const untested = tests === 'chosen' ? [] : missing;
  // In CI, a test that cannot run is a failure.
  if (untested.length > 0 && process.env['CI']) failed.push('what could not be tested');

  const time = since(start);
  const passed = ['build', ...checks.map(({ name }) => name)].join(', ');
  const says = {
    quick: () =>
      `Everything passed: ${passed}, ${count()} quick tests (${time}). \`npm run test:all\` runs all tests.`,
    all: () => `Everything passed: ${passed}, all ${count()} tests (${time}).`,
    chosen: () => `The chosen tests passed (${time}). Run plain \`npm test\` for every check.`,
  };
  const last =
    failed.length === 0
      ? says[tests]()
      : `Failed: ${failed.join(', ')} (${time}). See the errors above.${advice(wanted)}`;
  process.stdout.write(`\n${[last, ...untested].join('\n')}\n`);
  return failed.length === 0 ? 0 : 1;
});

/**
 * @param {readonly string[]} args
 * @returns {Wanted}
 */
function parse(args) {
  const chosen = [...args];
  const take = (/** @type {string} */ flag) => {
    const index = chosen.indexOf(flag);
    if (index !== -1) chosen.splice(index, 1);
    return index;
  };
  const long = take('--long') !== -1;
  const all = take('--all') !== -1;
  const place = take('--seed');
  const [given] = place === -1 ? [] : chosen.splice(place, 1);
  if (place !== -1 && !/^\d{1,9}$/.test(given ?? ''))
    throw new Failure(`--seed takes a whole number of up to nine digits.\n\n${HELP}`);
  const tests = chosen.length > 0 ? 'chosen' : all || long ? 'all' : 'quick';
  const seed = given ?? (tests === 'all' ? String(randomInt(1_000_000_000)) : undefined);
  return { tests, long, seed, chosen };
}

/**
 * What to try after a failure.
 *
 * @param {Wanted} wanted
 */
function advice({ tests, seed }) {
  if (tests === 'chosen') return ' `npm test -- --help` says how to choose tests.';
  return seed === undefined ? '' : ` \`npm test -- --seed ${seed} FILE\` repeats the random cases of a file.`;
}

/**
 * Installs the frameworks for the Python adapters, if tests that use them were selected.
 *
 * @param {Wanted} wanted
 * @returns {Promise<string | undefined>} what cannot be tested, if anything
 */
async function getPython({ tests, chosen }) {
  if (tests === 'quick') return undefined;
  const python = findPython();
  if (python === undefined) return WITHOUT_PYTHON;
  if (findPythonPackages() !== undefined) return undefined;
  const isNeeded = tests === 'all' || chosen.some((name) => name.includes('python'));
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
 * @param {Wanted} wanted
 * @param {string | undefined} nats
 */
async function test({ tests, long, seed, chosen }, nats) {
  /** @type {Record<string, string>} */
  const env = long ? { PROFFER_LONG: '1' } : {};
  if (nats !== undefined) env['NATS_SERVER_PROGRAM'] = nats;
  if (seed !== undefined) env['PROFFER_SEED'] = seed;
  // Plain text if the output goes to a file or a log.
  if (!process.stdout.isTTY && process.env['FORCE_COLOR'] === undefined) env['NO_COLOR'] = '1';
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
  const args = { quick: ['--project', 'quick', ...report], all: report, chosen }[tests];
  const { code } = await tool('vitest', ['run', ...args], { stream: true, env });
  if (code !== 0) throw new Failure('');
}

/** How many tests passed in this run. */
function count() {
  const report = /** @type {{ numPassedTests: number }} */ (JSON.parse(readFileSync(REPORT, 'utf8')));
  return report.numPassedTests.toLocaleString('en');
}

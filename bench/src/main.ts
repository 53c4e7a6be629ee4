import process from 'node:process';
import { type Options, parseOptions, USAGE } from './options.js';
import { choose, listing } from './registry.js';
import { run } from './run.js';
import { formatReport } from './table.js';

process.exitCode = await main(process.argv.slice(2));

/** Does what the command line asks for. Gives the exit code: 2 when it could not be understood. */
async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(args);
  } catch (error) {
    return misunderstood(error instanceof Error ? error.message : String(error), USAGE);
  }
  if (options.help || options.list) {
    console.log(options.help ? USAGE : listing());
    return 0;
  }
  const { chosen, unknown } = choose(options.names);
  if (chosen === undefined) return misunderstood(`There is no benchmark "${unknown}". There are:`, listing());
  const report = await run(chosen, options);
  console.log(options.json ? JSON.stringify(report, null, 2) : `\n${formatReport(report)}`);
  return 0;
}

function misunderstood(what: string, help: string): number {
  console.error(`${what}\n\n${help}`);
  return 2;
}

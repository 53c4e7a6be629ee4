import process from 'node:process';
import { type Options, parseOptions, USAGE } from './options.js';
import { choose, listing } from './registry.js';
import { run } from './run.js';
import { formatReport } from './table.js';

process.exitCode = await main(process.argv.slice(2));

/** Runs what the command line asks for. Returns the exit code: 2 for invalid arguments. */
async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(args);
  } catch (error) {
    return printUsageError(error instanceof Error ? error.message : String(error), USAGE);
  }
  if (options.help || options.list) {
    console.log(options.help ? USAGE : listing());
    return 0;
  }
  const { chosen, unknown } = choose(options.names);
  if (chosen === undefined)
    return printUsageError(`There is no benchmark "${unknown}". There are:`, listing());
  const report = await run(chosen, options);
  console.log(options.json ? JSON.stringify(report, null, 2) : `\n${formatReport(report)}`);
  return 0;
}

function printUsageError(what: string, help: string): number {
  console.error(`${what}\n\n${help}`);
  return 2;
}

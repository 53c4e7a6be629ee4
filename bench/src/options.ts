import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface Options {
  readonly names: readonly string[];
  readonly help: boolean;
  readonly json: boolean;
  readonly list: boolean;
  readonly quick: boolean;
  readonly smoke: boolean;
}

export const USAGE = `npm run bench -- [NAME…] [--quick] [--json]

  NAME      a group (core) or one of its benchmarks (core/reading); without any, everything runs
  --quick   smaller sizes and fewer rounds: seconds instead of minutes
  --smoke   whether it works at all: figures that mean nothing, in a moment
  --json    the report as JSON on stdout; what is going on is told on stderr
  --list    what can be named
  --help    this`;

/** Reads the command line. Throws with a sentence for people on an option that does not exist. */
export function parseOptions(args: readonly string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: flag, json: flag, list: flag, quick: flag, smoke: flag },
  });
  return { ...values, quick: values.quick || values.smoke, names: positionals };
}

import { parseArgs } from 'node:util';

/** Parsed command-line options. */
export interface Options {
  readonly names: readonly string[];
  readonly help: boolean;
  readonly json: boolean;
  readonly list: boolean;
  readonly quick: boolean;
  readonly smoke: boolean;
}

export const USAGE = `npm run bench -- [NAME…] [--quick] [--json]

  NAME      a group (core) or one of its benchmarks (core/reading); default: all
  --quick   smaller sizes and fewer rounds: seconds instead of minutes
  --smoke   checks that everything runs; the figures mean nothing
  --json    print the report as JSON on stdout, progress on stderr
  --list    list all benchmarks
  --help    show this help`;

/** Parses the command line. Throws with a readable message on an unknown option. */
export function parseOptions(args: readonly string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: flag, json: flag, list: flag, quick: flag, smoke: flag },
  });
  return { ...values, quick: values.quick || values.smoke, names: positionals };
}

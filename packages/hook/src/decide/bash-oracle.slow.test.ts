import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groundsOf, shellCall } from '../testing/calls.js';
import { decideCall } from './index.js';

/**
 * A real bash shows what really ran: `zap` is a program that leaves a mark. The rules deny it and
 * allow everything else, so anything that hides it from them is found.
 */
const GROUNDS = groundsOf('{ default: allow, rules: [{ action: deny, match: { command: zap ** } }] }');

const long = process.env['PROFFER_LONG'] !== undefined;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proffer-oracle-'));
  const zap = join(folder, 'zap');
  writeFileSync(zap, `#!/bin/sh\n: > "${folder}/mark"\n`);
  chmodSync(zap, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function runsZap(line: string): boolean {
  const mark = join(folder, 'mark');
  rmSync(mark, { force: true });
  spawnSync('bash', ['-c', line], {
    cwd: folder,
    env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder },
    timeout: 5_000,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return existsSync(mark);
}

/** Ways to write the program's name. */
const NAMES = [
  'zap',
  '\\zap',
  'z""ap',
  "'zap'",
  '"zap"',
  "$'\\x7aap'",
  './zap',
  '$PWD/zap',
  'z${x}ap',
  '`echo zap`',
];
const PROGRAM = fc.constantFrom(...NAMES);

/** Ways to run a command through another program. */
const WRAPPERS: readonly ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `env ${inner}`,
  (inner) => `env A=1 ${inner}`,
  (inner) => `env -i PATH="$PATH" ${inner}`,
  (inner) => `nohup ${inner}`,
  (inner) => `nice -n 1 ${inner}`,
  (inner) => `timeout 5 ${inner}`,
  (inner) => `command ${inner}`,
  (inner) => `exec ${inner}`,
  (inner) => `echo a | xargs ${inner}`,
  (inner) => `echo a | xargs -I{} ${inner} {}`,
  (inner) => `find . -maxdepth 0 -exec ${inner} {} \\;`,
  (inner) => `eval ${JSON.stringify(inner)}`,
  (inner) => `sh -c ${JSON.stringify(inner)}`,
  (inner) => `bash -c '${inner.replaceAll("'", "'\\''")}'`,
  (inner) => `bash <<'E'\n${inner}\nE\n`,
  (inner) => `bash <<< ${JSON.stringify(inner)}`,
  (inner) => `echo ${JSON.stringify(inner)} | sh`,
  (inner) => `trap ${JSON.stringify(inner)} EXIT`,
  (inner) => `f() { ${inner}\n}; f`,
  (inner) => `shopt -s expand_aliases\nalias ls=${JSON.stringify(inner)}\nls`,
  (inner) => `g() { "$@"; }; g ${inner}`,
  (inner) => `x=${JSON.stringify(inner)}; $x`,
  (inner) => `x=(${inner}); "\${x[@]}"`,
  (inner) => `. <(echo ${JSON.stringify(inner)})`,
  (inner) => `let 'a[$(${inner} >&2)]=1'`,
  (inner) => `[[ -v 'a[$(${inner} >&2)]' ]]`,
  (inner) => `printf -v 'a[$(${inner} >&2)]' x`,
  (inner) => `hash -p "$(command -v zap)" ls; ls; ${inner}`,
];

/** Ways to embed a command in a line. */
const CONTEXTS: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `true; ${command}`,
  (command) => `true && ${command}`,
  (command) => `false || ${command}`,
  (command) => `echo a | { ${command}\n}`,
  (command) => `( ${command}\n)`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `echo \`${command.replaceAll(/[\\`$]/g, '\\$&')}\``,
  (command) => `cat <(${command}\n)`,
  (command) => `cat <<E\n$(${command}\n)\nE\n`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `for i in 1; do ${command}\ndone`,
  (command) => `while ${command}\ndo break; done`,
  (command) => `case a in a) ${command}\n;; esac`,
  (command) => `echo \${x:-$(${command}\n)}`,
  (command) => `echo $(( 1 + $(${command}\n) ))`,
  (command) => `x=$(${command}\n)`,
  (command) => `[ -n "$(${command}\n)" ]`,
  (command) => `{ ${command}\n} > /dev/null 2>&1`,
  (command) => `# comment\n${command}`,
  (command) => `echo a # b\n${command}`,
  (command) => `coproc { ${command}\n}; wait`,
  (command) => `! ${command}`,
  (command) => `time ${command}`,
];

const LINE = fc
  .tuple(
    PROGRAM,
    fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 2 }),
    fc.array(fc.constantFrom(...CONTEXTS), { maxLength: 3 }),
  )
  .map(([program, wrappers, contexts]) => {
    const wrapped = wrappers.reduce((line, wrap) => wrap(line), `${program} a b`);
    return contexts.reduce((line, put) => put(line), wrapped);
  });

describe('a denied command', () => {
  it('can be compared with a real shell', () => {
    expect(execFileSync('bash', ['-c', 'echo $BASH_VERSION'], { encoding: 'utf8' })).toMatch(/^[45]/);
    expect(runsZap('zap')).toBe(true);
    expect(runsZap('echo zap')).toBe(false);
  });

  it('is never allowed, however the line is written, if bash would run it', () => {
    let ran = 0;
    fc.assert(
      fc.property(LINE, (line) => {
        const isAllowed = decideCall(shellCall(line), GROUNDS).action === 'allow';
        // Only allowed lines need checking with the shell; a few others show that the lines are real.
        if (isAllowed || ran < 20) {
          const runs = runsZap(line);
          if (runs) ran++;
          expect({ line, slips: isAllowed && runs }).toEqual({ line, slips: false });
        }
      }),
      { numRuns: long ? 20_000 : 1_000 },
    );
    expect(ran).toBeGreaterThan(0);
  });

  it('is not found in lines that do not run it', () => {
    for (const line of ['echo zap', 'grep zap file', "echo 'zap a'", '# zap', 'ls; echo "zap"', 'cat zap'])
      expect([line, decideCall(shellCall(line), GROUNDS).action]).toEqual([line, 'allow']);
  });
});

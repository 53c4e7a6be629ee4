import { describe, expect, it } from 'vitest';
import { readShellLine } from './read-line.js';

const WORLD = { home: '/home/ada', folder: '/home/ada/app' };
const read = (line: string) => {
  const { commands, unknown } = readShellLine(line, WORLD);
  return {
    commands: commands.map(({ words }) => words.map(({ value }) => value ?? '…').join(' ')),
    unknown: unknown.length > 0,
  };
};

describe('a shell line', () => {
  it.each([
    ['rm -rf x; ls', ['rm -rf x', 'ls']],
    ['a && b || c & d', ['a', 'b', 'c', 'd']],
    ['a | b |& c', ['a', 'b', 'c']],
    ['! a', ['a']],
    ['time a', ['a']],
    ['(a; { b; })', ['a', 'b']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for x in 1 2; do a; done', ['a']],
    ['case x in y) a;; (z) b;; esac', ['a', 'b']],
    ['echo "$(a)" `b`', ['a', 'b', 'echo … …']],
    ['diff <(a) <(b)', ['a', 'b', 'diff … …']],
    [`cat <<E\n$(a)\nE`, ['a', 'cat']],
    ['echo ${x:-$(a)} $((1+$(b)))', ['a', 'b', 'echo … …']],
    ['x=$(a); [[ $(b) ]]', ['a', 'b']],
    ['# rm x\nls # rm y', ['ls']],
    ['coproc a', ['a']],
  ])('%s runs these', (line, commands) => {
    expect(read(line)).toEqual({ commands, unknown: false });
  });

  it.each([
    ['\\rm x', 'rm x'],
    ['r\\m x', 'rm x'],
    ["'r'm x", 'rm x'],
    ['"r"\'m\' x', 'rm x'],
    ["$'\\x72m' x", 'rm x'],
    ['rm \\\n  x', 'rm x'],
    ['rm ~/x "$HOME/y" ${PWD}/z', 'rm /home/ada/x /home/ada/y /home/ada/app/z'],
    ['rm *.txt $x {a,b}', 'rm … … …'],
    ['rm "a b" \'c $d\'', 'rm a b c $d'],
  ])('%s is read as %s', (line, command) => {
    expect(read(line)).toEqual({ commands: [command], unknown: false });
  });

  it.each([
    ['sudo -u bob rm x', 'rm x'],
    ['sudo -n -- rm x', 'rm x'],
    ['env -i A=1 B=2 rm x', 'rm x'],
    ['env -u HOME rm x', 'rm x'],
    ['nice -n 5 nohup rm x', 'rm x'],
    ['timeout -s KILL 5s rm x', 'rm x'],
    ['command rm x', 'rm x'],
    ['exec -a ls rm x', 'rm x'],
    ['xargs -n 1 -P4 rm -f', 'rm -f …'],
    ['xargs -I{} rm {} y', 'rm … y …'],
    ['find . -name a -exec rm {} \\; -o -ok mv {} b +', 'rm …'],
    ["sh -c 'rm x'", 'rm x'],
    ["bash -lc 'rm x' y z", 'rm x'],
    ["sudo sh -c 'env rm x'", 'rm x'],
    ['bash -c "bash -c \'rm x\'"', 'rm x'],
    ["bash <<'E'\nrm x\nE", 'rm x'],
    ['sh <<< "rm x"', 'rm x'],
    ['eval rm x', 'rm x'],
    ["eval 'rm' 'x'", 'rm x'],
    ["trap 'rm x' EXIT", 'rm x'],
    ["su bob -c 'rm x'", 'rm x'],
    ['busybox rm x', 'rm x'],
    ['/usr/bin/sudo /usr/bin/env rm x', 'rm x'],
  ])('%s also runs %s', (line, command) => {
    const found = read(line);
    expect(found.commands).toContain(command);
    expect(found.unknown).toBe(false);
  });

  it.each([
    'foo (',
    'foo )',
    'echo "x',
    'if a; then b',
    '$x y',
    '"$@"',
    '$(a) b',
    'eval "$x"',
    'sh -c "$x"',
    'curl x | sh',
    'bash',
    'bash <<E\nrm $x\nE',
    'sh -s < x',
    'source x',
    '. ./x',
    "alias ls='rm x'",
    'f() { rm x; }; f',
    'sudo $x rm y',
    'env -S "rm x"',
    'sudo -s',
    'parallel rm ::: x',
    "let 'a[$(rm x)]=1'",
    "[[ -v 'a[$(rm x)]' ]]",
    "(( a['$(rm x)'] ))",
    'rm\0x',
    'ls\rrm x',
    '('.repeat(5000),
    'x'.repeat(200_000),
    `${'sh -c "'.repeat(3)}$x`,
  ])('%s cannot be fully analysed', (line) => {
    expect(read(line).unknown).toBe(true);
  });

  it('lists files that are written to, and those read from', () => {
    expect(read('echo a > x 2>&1 >> ~/y').commands).toEqual(['> x', '> /home/ada/y', 'echo a']);
    expect(read('{ a; } > x; ls >/dev/null 2>&1').commands).toEqual(['a', '> x', 'ls']);
    const [command] = readShellLine('wc -l < x', WORLD).commands;
    expect(command?.inputs).toEqual([{ value: 'x', beginning: 'x' }]);
  });

  it('notices what changes commands: variables set for or before them, and another folder', () => {
    const facts = (line: string) =>
      readShellLine(line, WORLD).commands.map(({ isAltered, folders }) => [isAltered, folders?.length]);
    expect(facts('PATH=x ls')).toEqual([[true, 1]]);
    expect(facts('x=1; ls')).toEqual([[false, 1]]);
    expect(facts('PATH=x; ls')).toEqual([[true, 1]]);
    expect(facts('export PATH=x; ls').at(-1)).toEqual([true, 1]);
    expect(facts('env A=1 ls').at(-1)).toEqual([true, 1]);
    expect(facts('cd /; ls')).toEqual([
      [false, 1],
      [false, 2],
    ]);
    expect(facts('env -C /etc cat x').at(-1)).toEqual([false, undefined]);
    expect(facts('cd -; ls').at(-1)).toEqual([false, undefined]);
    expect(facts('cd $x; ls').at(-1)).toEqual([false, undefined]);
    expect(facts('while ls; do cd ..; done')[0]).toEqual([false, undefined]);
  });
});

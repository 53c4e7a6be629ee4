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
    ['a && b || c', ['a', 'b', 'c']],
    ['a | b', ['a', 'b']],
    ['(a; { b; })', ['a', 'b']],
    ['{ a\n}\n\n( b ) ;', ['a', 'b']],
    ['# Looks around\nls\n  # and here', ['ls']],
    ['a &&\n b |\n c', ['a', 'b', 'c']],
    ['a > /dev/null 2>&1 | b >&2 3<&0', ['a', 'b']],
    ["cat <<'E' | wc -l\n$(rm x) `rm y`\nE\nls", ['cat', 'wc -l', 'ls']],
    ['cat <<-E\n\tplain\n\tE', ['cat']],
    ["node -e 'f(`${x}`)'", ['node -e f(`${x}`)']],
    ['find . ! -name x -exec cat {} +', ['find . ! -name x -exec cat {} +', 'cat …']],
  ])('%s is understood', (line, commands) => {
    expect(read(line)).toEqual({ commands, unknown: false });
  });

  it.each([
    ['\\rm x', 'rm x'],
    ['r\\m x', 'rm x'],
    ["'r'm x", 'rm x'],
    ['"r"\'m\' x', 'rm x'],
    ['rm \\\n  x', 'rm x'],
    ['rm ~/x "$HOME/y" ${PWD}/z', 'rm /home/ada/x /home/ada/y /home/ada/app/z'],
    ['rm *.txt $x "${y}"', 'rm … … …'],
    ['rm "a b" \'c $d\' e\\ f "g\\"h\\$i\\j"', 'rm a b c $d e f g"h$i\\j'],
    ['git diff HEAD~1 HEAD^ a#b x=y', 'git diff HEAD~1 HEAD^ a#b x=y'],
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
    ["su bob -c 'rm x'", 'rm x'],
    ['busybox rm x', 'rm x'],
    ['/usr/bin/sudo /usr/bin/env rm x', 'rm x'],
  ])('%s also runs %s', (line, command) => {
    const found = read(line);
    expect(found.commands).toContain(command);
    expect(found.unknown).toBe(false);
  });

  it.each([
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for x in 1 2; do a; done', ['a']],
    ['case x in y) a;; (z) b;; esac', ['a', 'b']],
    ['echo "$(a)" `b`', ['a', 'b', 'echo … …']],
    ['diff <(a) <(b)', ['a', 'b', 'diff … …']],
    ['cat <<E\n$(a)\nE', ['a', 'cat']],
    ['echo ${x:-$(a)} $((1+$(b)))', ['a', 'b', 'echo … …']],
    ['a & b', ['a', 'b']],
    ['a |& b', ['a', 'b']],
    ['! a', ['a']],
    ['time a', ['a']],
    ['coproc a', ['a']],
    ["$'\\x72m' x", ['rm x']],
    ['sh <<< "rm x"', ['sh', 'rm x']],
    ["eval 'rm' 'x'", ['eval rm x', 'rm x']],
    ["trap 'rm x' EXIT", ['trap rm x EXIT', 'rm x']],
    ['echo $(<x)', ['< x', 'echo …']],
    ['while read y; do z; done < x', ['read y', 'z', '< x']],
  ])('%s is not understood, but can be denied for what it runs', (line, commands) => {
    expect(read(line)).toEqual({ commands, unknown: true });
  });

  it('lists files that are written to and read from', () => {
    expect(read('echo a > x 2>&1 >> ~/y').commands).toEqual(['> x', '> /home/ada/y', 'echo a']);
    expect(read('{ a; } > x; ls >/dev/null 2>&1').commands).toEqual(['a', '> x', 'ls']);
    expect(read('ls > 7; ls > -').commands).toEqual(['> 7', 'ls', '> -', 'ls']);
    expect(read('wc -l < x').commands).toEqual(['< x', 'wc -l']);
  });

  it('notices variables that are set for or before a command', () => {
    const facts = (line: string) =>
      readShellLine(line, WORLD).commands.map(({ variables }) =>
        variables.map(({ name, value }) => `${name}=${value ?? '…'}`).join(' '),
      );
    expect(facts('PATH=x ls')).toEqual(['PATH=x']);
    expect(facts('x=1; ls')).toEqual(['x=1', 'x=1']);
    expect(facts('A=$B C="d e" ls')).toEqual(['A=… C=d e']);
    expect(facts('export PATH=x; ls').at(-1)).toBe('PATH=…');
    expect(facts('env A=1 ls')).toEqual(['', 'A=1']);
    expect(facts('ls; A=1 true; ls')).toEqual(['', 'A=1', '']);
    expect(read('HOME=/etc; cat ~/x').commands.at(-1)).toBe('cat …');
  });

  it('notices another folder', () => {
    const facts = (line: string) => readShellLine(line, WORLD).commands.map(({ folders }) => folders?.length);
    expect(facts('cd /; ls')).toEqual([1, 2]);
    expect(facts('env -C /etc cat x').at(-1)).toBe(undefined);
    expect(facts('cd -; ls').at(-1)).toBe(undefined);
    expect(facts('cd $x; ls').at(-1)).toBe(undefined);
    expect(facts('while ls; do cd ..; done')[0]).toBe(undefined);
  });
});

/** Pieces of lines, for the grammar in `bash-lines.ts`. `zap` is the program that no rule allows. */

/** Pieces without spaces. */
const words = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

/** Pieces with spaces, separated by `¦`. */
const phrases = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.split(' ¦ '));

export const NAMES = words('x X y Z HOME PWD PATH z _ RANDOM BASH_ENV');

export const LITERALS = words(
  'a b ls zap -l --all 1 0 7 - . .. ./a d/e a=b x:y @ %1 + ^a HEAD~1 a#b #a ~ ~/a ~root ~+ =ls =zap a=~',
  '{} ! !! if do done in then time function { } [[ ]] [ ] a] é \u00a0 -exec -c ; \\; 10 /dev/null --output=a',
  'repeat noglob a,b x= -I{}',
);

export const ESCAPED = ['\\ ', '\\\n', ...words('\\a \\$x \\; \\" \\\' \\\\ \\~ \\=ls \\* \\# \\!')];

export const SINGLE = ["'a b'", "'\n'", ...words("'a' '' '$(zap)' '`zap`' 'a[$(zap)]' '\\' '\"' '!'")];

export const IN_DOUBLE = [' ', '\n', ...words('a \\" \\$x \\\\ \\a \' ! [a] * ~ \\`zap\\`')];

export const EXPANSIONS = [
  ...words(
    '$1 $@ $* $# $? $$ $! $- $0 ${1} ${@} ${#x} ${!x} ${x[1]} $x[1] ${x@P} ${x@E} ${!x*} ${x[@]} ${#x[@]} ${!x[@]}',
    "${PWD:x} ${x:0:y} ${x^^} ${x,} ${(e)x} ${x:h} $x:h ${^x} ${=x} $+x $~x $[1+1] $[x] $'a' $'\\x7aap' $\"a\"",
    '${|zap;} $ $x[$y] ${x[$y]} ${X} $X "$X" "${Y}" $Y $Z',
  ),
  '${ zap; }',
];

export const OPERATORS_IN_BRACES = words('- :- = := + :+ ? # ## % / // : @');

export const GLOBS = words('* ? [a] [a-z]* *(a) ?(a) @(a|b) +(a) !(a) *(e:zap:) *(.) **/* <1-2>');

export const BRACES = words('{a,b} {1..3} {a,zap} {,-l} {a,{b,c}} {a} {$x,b} {}');

export const NUMBERS = words("1 x X Y a[1] a[$(zap)] a['$(zap)'] PATH=1 x++ $x 07 16#ff x?y:z");

export const ASSIGNED = words("a 1 '$(zap)' 'a[$(zap)]' ~/a a:~ $x \"$Y\"");

export const ASSIGNMENTS = phrases(
  "x+=a ¦ x[1]=a ¦ x['$(zap)']=a ¦ x=(a b) ¦ x=([0]=a) ¦ x+=(a) ¦ x[X]=1 ¦ PATH=. ¦ IFS=a",
);

export const REDIRECTIONS = words('> > >> < >| <> >& <& &> &>> <<< 2> 2>& 9> 10> {x}> >! >>|');

export const TARGETS = [
  ...words('a o 7 - 1 2 &1 /dev/null ~/o "$X" $Z /dev/tcp/127.0.0.1/1 1-2 2x'),
  "'b c'",
];

export const DELIMITERS = phrases("E ¦ 'E' ¦ \"E\" ¦ \\E ¦ E'F' ¦ 'E F' ¦ $x ¦ - ¦ é");

export const IN_DOCUMENT = [...words('a $x $(zap) `zap` \\$x E $((x)) ${x@P} \\'), '\tE', ' E', 'E ', ''];

export const PROGRAMS = phrases(
  'ls ¦ ls ¦ ls ¦ git status ¦ git diff ¦ echo ¦ cat ¦ cd d ¦ cd .. ¦ pwd ¦ true ¦ : ¦ zap',
);

/** What shells do themselves, and what runs other programs. */
export const BUILTINS = phrases(
  "eval zap ¦ eval 'zap' ¦ exec zap ¦ command zap ¦ builtin eval zap ¦ . ./a ¦ source a ¦ trap zap EXIT",
  "let 'a[$(zap)]=1' ¦ test -v 'a[$(zap)]' ¦ [ -v 'a[$(zap)]' ] ¦ printf -v 'a[$(zap)]' b ¦ printf %d 'a[$(zap)]'",
  "unset 'a[$(zap)]' ¦ read 'a[$(zap)]' <<<b ¦ declare 'a[$(zap)]=1' ¦ export 'x=$(zap)' ¦ typeset -i x=Y",
  'set -- a ¦ hash -p ./zap ls ¦ alias ls=zap ¦ enable -n echo ¦ shopt -s expand_aliases ¦ wait -n ¦ sh -c zap',
  "mapfile -C zap -c 1 <<<a ¦ exit 'a[$(zap)]' ¦ return 'a[$(zap)]' ¦ noglob zap ¦ nocorrect zap ¦ - zap ¦ r",
  "repeat 1 zap ¦ zmodload a ¦ foreach i (a) zap; end ¦ () { zap } ¦ { zap } always { ls } ¦ sh -c 'ls; zap'",
  'bash -c "$Y" ¦ env zap ¦ env -S zap ¦ env A=1 zap ¦ env ls ¦ env sh -c \'zap\' ¦ echo a | xargs zap ¦ nice zap',
  'xargs -I{} ls {} ¦ xargs zap ¦ coproc zap ¦ time zap ¦ ! zap ¦ time -p ls ¦ command -v zap ¦ command ls',
  "exec ls ¦ bash <<<'zap' ¦ timeout 5 zap ¦ timeout 5 ls ¦ nohup zap ¦ builtin echo a ¦ sh a ¦ bash -s",
  "bash -c ls ¦ dash -c 'ls a' ¦ bash -c '(ls)' ¦ sh -c \"ls 'a b'; cat a\"",
);

export const TESTS = phrases(
  "-v x ¦ -v 'a[$(zap)]' ¦ X -eq 1 ¦ 'a[$(zap)]' -eq 0 ¦ x == * ¦ x =~ (a) ¦ -n $x ¦ ! a ¦ a && b ¦ -f a ¦ a < b",
);

/** The first seven are of the closed grammar, and so are most of the next four. */
export const SEPARATORS = '; ¦;¦\n¦ && ¦ || ¦ | ¦|¦\n\n¦;\n¦ &&\n¦\n# a\n¦ & ¦ |& ¦ # a\n¦;;¦&|'.split('¦');

export const PLAIN_WORDS = phrases(
  'a ¦ -l ¦ \'a b\' ¦ "$X" ¦ $Y ¦ * ¦ ~/a ¦ "a b" ¦ a\\ b ¦ $Z ¦ x=y ¦ ? ¦ HEAD~1 ¦ ""',
);

export const PLAIN_REDIRECTIONS = [
  '',
  '',
  '',
  ' > o',
  ' >> o',
  ' 2>&1',
  ' < a',
  ' 2> o',
  " > 'b c'",
  ' >| ~/o',
];

/** What is put into a line at random. */
export const ODD = [
  ...'$`\'"\\!#&*()[]{}|;<>?~=^%@+-,:/ \t\n\r\0\u00a0\u2028\u0007\u007f01xé'.split(''),
  ...phrases(
    '$(zap) ¦ `zap` ¦ ; zap ¦ &zap ¦ (( ¦ )) ¦ [[ ¦ ${ ¦ <( ¦ $x ¦ && ¦ || ¦ ;; ¦ >& ¦ 2> ¦ $(( ¦ !! ¦ {a,b}',
  ),
  ...'\nzap¦ zap ¦\\\n¦<<E\n¦x=1 ¦ =zap'.split('¦'),
];

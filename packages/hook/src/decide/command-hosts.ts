import { hostInUrl } from '@proffer/steward/guard';
import {
  beginningOf,
  type CommandOptions,
  listedOperands,
  type ShellCommand,
  type ShellWord,
} from '../shell/index.js';

/** Programs whose words are URLs, with or without a scheme, and the options with which they talk to nobody else. */
const BROWSERS: ReadonlyMap<string, CommandOptions | undefined> = new Map([
  [
    'curl',
    {
      letters: 'sSfLiIkvgGNOJR#46',
      valued: 'XHdoAmwFubcerTD',
      long: [
        'silent show-error fail fail-with-body location include head insecure verbose compressed get remote-name globoff',
        'request= header= data= data-raw= data-binary= data-urlencode= json= output= user-agent= max-time= user= cookie=',
        'connect-timeout= retry= retry-delay= write-out= form= referer= upload-file= range= http1.1 http2 no-progress-meter',
      ].join(' '),
    },
  ],
  [
    'wget',
    {
      letters: 'qcNvSd',
      valued: 'OPtTUo',
      long: [
        'quiet continue no-verbose timestamping no-check-certificate content-disposition spider server-response',
        'output-document= directory-prefix= tries= timeout= user-agent= header= method= body-data= post-data=',
      ].join(' '),
    },
  ],
  ['http', undefined],
  ['https', undefined],
  ['xh', undefined],
]);

/** Programs whose words name hosts, also as in `USER@HOST:PATH`. */
const CALLERS: ReadonlySet<string> = new Set(
  'nc ncat netcat telnet ssh scp sftp rsync ftp git ping dig'.split(' '),
);

const GIT: CommandOptions = {
  letters: 'qv',
  valued: 'b',
  long: 'quiet verbose depth= branch= single-branch bare',
};

/** Also one of several with commas between them. Schemes are short, so that a long word is read once. */
const URL_PART = /[a-z][a-z0-9+.-]{0,30}:\/\/(?:(?!,[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s'"`()<>])+/gi;
const CALLED = /^(?:[^\s:/]*@)?([\w-]+(?:\.[\w-]+)+|localhost)\.?(?::|\/|$)/;

/** The hosts that a command may talk to; `null` for an unknown one. */
export function hostsOf({ words }: ShellCommand): readonly (string | null)[] {
  const program = programOf(words);
  return words.slice(1).flatMap((word) => hostsInWord(word, program));
}

function hostsInWord(word: ShellWord, program: string): readonly (string | null)[] {
  const { value } = word;
  const isNetwork = BROWSERS.has(program) || CALLERS.has(program);
  if (value === null) return isNetwork || /^[a-z][a-z0-9+.-]*:\/\//i.test(beginningOf(word)) ? [null] : [];
  const urls = value.match(URL_PART) ?? [];
  if (urls.length > 0) return urls.map(hostOf);
  if (!isNetwork || value.startsWith('-')) return [];
  const named = namedIn(value, program);
  return named === undefined ? [] : [named];
}

/** The host in a word without a scheme. */
function namedIn(word: string, program: string): string | undefined {
  const host = BROWSERS.has(program) ? hostInUrl(`http://${word}`) : CALLED.exec(word)?.[1];
  return host !== undefined && /\.|^localhost$|^\[/.test(host) ? host : undefined;
}

/** The host of a URL; `null` if it has none. */
export function hostOf(url: string): string | null {
  return hostInUrl(url) ?? null;
}

/**
 * Whether a command talks to no other hosts than those that are found in it. Not so if it is made to connect and has
 * an option that may name another one, such as a proxy, or a word that may be a host, such as `intranet` or `0x7f000001`.
 */
export function namesAllHosts({ words }: ShellCommand): boolean {
  const program = programOf(words);
  const isClear = (word: ShellWord | undefined): boolean =>
    word !== undefined && /^\S+$/.test(word.value ?? '') && hostsInWord(word, program).length === 1;
  const args = words.slice(1);
  if (BROWSERS.has(program))
    return listedOperands(args, BROWSERS.get(program) ?? {})?.every(isClear) === true;
  if (program === 'git') return isClear(listedOperands(args.slice(1), GIT)?.[0]);
  if (!CALLERS.has(program)) return true;
  const operands = listedOperands(args, {});
  if (program === 'scp' || program === 'rsync')
    return operands?.every((word) => word.value?.includes(':') === false || isClear(word)) === true;
  return isClear(operands?.[0]);
}

function programOf([program]: readonly ShellWord[]): string {
  const name = program?.value?.split('/').at(-1) ?? '';
  return name.toLowerCase().replace(/\.exe$/, '');
}

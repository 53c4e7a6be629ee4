/** Whether a host is this machine, in any notation: `localhost`, `0x7f.1`, `2130706433`, `[::ffff:7f00:1]`. */
export function isThisMachine(host: string): boolean {
  const plain = host.replace(/%(?:25)?\w+(?=\]?$)/, '');
  const url = `http://${plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain}`;
  const name = (URL.canParse(url) ? new URL(url).hostname : plain).toLowerCase().replace(/\.$/, '');
  return LOCAL_NAME.test(name) || LOCAL_V4.test(name) || LOCAL_V6.test(name);
}

const LOCAL_NAME = /(?:^|\.)localhost(?:\.localdomain)?$|^ip6-(?:localhost|loopback)$/;
const LOCAL_V4 = /^(?:127(?:\.\d+){3}|0\.0\.0\.0)$/;
/** Also the addresses of the older protocol inside the newer. */
const LOCAL_V6 = /^\[::(?:1|(?:ffff:)?(?:7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0))?\]$/;

/** An address, which cannot be another name of this machine. */
const ADDRESS = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

/** How a text names one of some ports: on this machine, on a host that may be this machine, or not at all. */
export type PortMention = 'here' | 'maybe here' | undefined;

const NUMBER = /(?<![0-9a-z])(?:0x[0-9a-f]+|\d+)(?![0-9a-z])/gi;
/** An address in brackets. Bounded, as everything here is found in one pass over a long text. */
const BRACKETS = '\\[[^\\]\\s]{0,64}\\]';
/** `HOST:PORT` and `:PORT`. */
const PLACE = new RegExp(`(${BRACKETS}|(?<![^\\s:/@,=])[^\\s:/@,=]*):(0x[0-9a-f]+|\\d+)(?![0-9a-z])`, 'gi');
/** A host before something that is only known at run time. */
const OPEN_PLACE = new RegExp(
  `(${BRACKETS}|(?<![^\\s:/@,='"])[^\\s:/@,='"]+)["']?[:/\\s]["']?\\d{0,10}(?=[$\`*?{[])`,
  'g',
);
const HOST_LIKE = new RegExp(`${BRACKETS}|(?<![\\w.-])[\\w.-]+`, 'g');
const OPTION = /(?:-p|--port)[ =]?["']?(0x[0-9a-f]+|\d+)(?![0-9a-z])/gi;
/** Programs that take a host and a port as two words. */
const CONNECTS =
  /(?<![\w.-])(?:nc|ncat|netcat|telnet|socat|curl|wget|http|https|xh|ssh|sftp|wscat|websocat)(?![\w.-])/;

/**
 * Whether a text names one of some ports, as an address would. It counts as here if a name of this machine, or
 * something unknown in the place of a host, is in the text, too.
 */
export function mentionsPort(text: string, ports: readonly number[]): PortMention {
  const isPort = (number: string): boolean => readingsOf(number).some((value) => ports.includes(value));
  // `-p7421` has a number in it, `0x1cfd` is one.
  const numbers = [text, text.replaceAll(/(?<=[a-z-])(?=\d)/gi, ' ')].flatMap(
    (one) => one.match(NUMBER) ?? [],
  );
  if (!numbers.some(isPort)) return undefined;
  const places = [...text.matchAll(PLACE)].flatMap(([, host = '', port = '']) =>
    isPort(port) ? [host] : [],
  );
  const isOpen = places.some((host) => /^$|[$`*]/.test(host)) || (/[$`]/.test(text) && CONNECTS.test(text));
  if (isOpen || namesThisMachine(text)) return 'here';
  const isOption = [...text.matchAll(OPTION)].some(([, port = '']) => isPort(port));
  return isOption || places.some((host) => !ADDRESS.test(host)) ? 'maybe here' : undefined;
}

/** Whether a text names this machine with a port that is only known at run time: `localhost:$PORT`. */
export function mentionsOpenPort(text: string): boolean {
  const hosts = [...text.matchAll(OPEN_PLACE)];
  if (hosts.some(([, host = '']) => isThisMachine(host))) return true;
  return /(?:-p|--port)[ =]?["']?[$`]/.test(text) && namesThisMachine(text);
}

/** A plain number is a host only before another: `nc 0 7421`. */
function namesThisMachine(text: string): boolean {
  const named = (text.match(HOST_LIKE) ?? []).filter((name) => /[a-z.[]/i.test(name));
  const bare = text.match(/(?<![\w.:])(?:\d+|[0-9a-f]*::[0-9a-f:.%\w]*)(?=[:\s/]+\d)/gi) ?? [];
  return [...named, ...bare].some(isThisMachine);
}

/** The numbers that a text may stand for: programs read a leading zero as decimal or octal, and `0x` as hexadecimal. */
function readingsOf(number: string): readonly number[] {
  if (/^0x/i.test(number)) return [Number.parseInt(number, 16)];
  return [Number(number), ...(/^0[0-7]+$/.test(number) ? [Number.parseInt(number, 8)] : [])];
}

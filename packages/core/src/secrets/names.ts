/** Names whose value is a secret, whatever it is. Compared without case and separators. */
const TELLING = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'credential',
  'apikey',
  'accesskey',
  'accountkey',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'authorization',
  'connectionstring',
  'cookie',
];

/** Words that tell if they end a name: `pwd`, but not `pwdx`. */
const TELLING_ENDS = ['pwd', 'token', 'jwt', 'pin', 'otp', 'cvv', 'cvc'];

/** Short endings must stand alone or behind a separator: `card_pin`, but not `spin`. */
const SHORT = 4;

/** Names that may mean a secret: then the value has to look like one. */
const HINTING = [
  'key',
  'auth',
  'pass',
  'session',
  'signature',
  'sig',
  'cert',
  'bearer',
  'salt',
  'nonce',
  'code',
];

/** Names of what is run or looked up to get a secret: `credential.helper`, `password_command`, `apiKeyHelper`. */
const GETTING =
  /(?:command|cmd|helper|process|program|exec|script|eval|export|hook|callback|plugin|file|path|dir)$/i;

/** Whether a name is that of a command or a file, which is shown also among credentials. */
export function isGetting(name: string): boolean {
  return GETTING.test(name);
}

/** Most names say nothing, and are passed over quickly. */
const MAYBE =
  /pas|pwd|secret|cred|key|auth|connect|cook|tok|jwt|pin|otp|cv|sess|sig|cert|bear|salt|nonce|code/i;

/** How much a name says: its value is a secret, may be one, or nothing. */
type Telling = 'secret' | 'hint' | 'nothing';

/** What the name of a key, an option or a variable says about its value. */
export function tellingOf(name: string): Telling {
  if (!MAYBE.test(name) || isGetting(name)) return 'nothing';
  // Nobody writes longer names by hand, and the cost stays bounded.
  const words = name
    .slice(0, 128)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const joined = words.join('');
  const last = words.at(-1) ?? '';
  if (TELLING.some((part) => joined.includes(part))) return 'secret';
  const isEnd = TELLING_ENDS.some((end) =>
    end.length < SHORT ? last === end : joined.endsWith(end) || joined.endsWith(`${end}s`),
  );
  if (isEnd) return 'secret';
  return HINTING.some((hint) => last === hint || last === `${hint}s`) ? 'hint' : 'nothing';
}

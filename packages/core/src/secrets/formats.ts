/**
 * Well-known formats of secrets, by how they begin: the rest is one run of characters, so a text is read once. Every
 * length is bounded.
 */
const TOKENS = new RegExp(
  [
    '\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b', // AWS access key ids
    '\\bgh[pousr]_[A-Za-z0-9]{20,255}', // GitHub
    '\\bgithub_pat_[A-Za-z0-9_]{20,255}',
    '\\bgl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_-]{16,255}', // GitLab
    '\\bxox[abeoprs]-[A-Za-z0-9-]{10,255}', // Slack
    '\\bxapp-[A-Za-z0-9-]{10,255}',
    '\\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}', // Stripe
    '\\bwhsec_[A-Za-z0-9+/=]{16,255}',
    '\\bsk-[A-Za-z0-9_-]{16,255}', // OpenAI, Anthropic
    '\\bAIza[A-Za-z0-9_-]{30,60}', // Google
    '\\bya29\\.[A-Za-z0-9_-]{20,1024}',
    '\\bnpm_[A-Za-z0-9]{30,60}',
    '\\bpypi-[A-Za-z0-9_-]{30,1024}',
    '\\bhf_[A-Za-z0-9]{20,60}', // Hugging Face
    '\\bdo[opr]_v1_[a-f0-9]{40,80}', // DigitalOcean
    '\\bSG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}', // SendGrid
    '\\bhvs\\.[A-Za-z0-9_-]{20,255}', // Vault
    '\\b\\d{8,10}:AA[A-Za-z0-9_-]{30,40}', // Telegram bots
    '\\beyJ[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{8,4096}\\.[A-Za-z0-9_-]{0,4096}', // JWT
    '\\bAGE-SECRET-KEY-1[A-Z0-9]{40,80}',
  ].join('|'),
  'g',
);

/**
 * A private key in PEM, as far as it is one: nothing else can be hidden behind its first line. Line breaks may be written
 * as `\\n`; a short last line of the key counts before its end.
 */
const PEM = new RegExp(
  [
    '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----',
    '(?:\\s|\\\\[nr]|Proc-Type: 4,ENCRYPTED|DEK-Info: [A-Z0-9-]{1,40},[A-F0-9]{1,64}|[A-Za-z0-9+/=]{16,})*',
    '(?:[A-Za-z0-9+/=]{0,15}(?:$|(?:\\s|\\\\[nr]){0,4}(?:=[A-Za-z0-9+/=]{4}(?:\\s|\\\\[nr]){0,4})?-----END [A-Z0-9 ]{0,60}-----))?',
  ].join(''),
  'g',
);

/** A part of a text, from and to a position. */
export type Span = readonly [from: number, to: number];

/** Where a text has secrets in a well-known format. */
export function findTokens(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const pattern of [TOKENS, PEM])
    for (const { index, 0: found } of text.matchAll(pattern)) spans.push([index, index + found.length]);
  return spans;
}

/** The least entropy per character of a random text, in bits; words and paths have less. */
const RANDOM = 3.5;
const SHORTEST = 16;
/** Longer texts are judged by their beginning. */
const LOOKED_AT = 256;

/** Whether a text looks random: one run without spaces, in which no few characters prevail. */
export function looksRandom(text: string): boolean {
  if (text.length < SHORTEST || !/^[A-Za-z0-9+/=_.~-]+$/.test(text.slice(0, LOOKED_AT))) return false;
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  // Names of constants, such as error codes.
  if (/^[A-Z]+\d?(?:_[A-Z]+\d?)+$/.test(text.slice(0, LOOKED_AT))) return false;
  const sample = text.slice(0, LOOKED_AT);
  const counts = new Map<string, number>();
  for (const character of sample) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / sample.length) * Math.log2(count / sample.length);
  return bits >= RANDOM;
}

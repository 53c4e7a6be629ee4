/**
 * Well-known formats of secrets, by how they begin: the rest is one run of characters, so a text is read once. Every
 * length is bounded.
 */
const TOKENS = new RegExp(
  [
    '\\bpf_[A-Za-z0-9_-]{43}', // Proffer
    '\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b', // AWS access key ids
    '\\bgh[pousr]_[A-Za-z0-9]{20,255}', // GitHub
    '\\bgithub_pat_[A-Za-z0-9_]{20,255}',
    '\\bgl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_-]{16,255}', // GitLab
    '\\bxox[abeoprs]-\\d[A-Za-z0-9-]{9,255}', // Slack
    '\\bxapp-\\d[A-Za-z0-9-]{9,255}',
    '\\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}', // Stripe
    '\\bwhsec_[A-Za-z0-9+/=]{16,255}',
    '\\bsk-(?:[a-z0-9]{1,8}-){0,3}[A-Za-z0-9_]{16}[A-Za-z0-9_-]{0,255}', // OpenAI, Anthropic
    '\\bAIza[A-Za-z0-9_-]{30,60}', // Google
    '\\bya29\\.[A-Za-z0-9_-]{20,1024}',
    '\\bnpm_[A-Za-z0-9]{30,60}',
    '\\bpypi-AgE[A-Za-z0-9_-]{30,1024}',
    '\\bhf_[A-Za-z0-9]{20,60}', // Hugging Face
    '\\bdo[opr]_v1_[a-f0-9]{40,80}', // DigitalOcean
    '\\bSG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}', // SendGrid
    '\\bhvs\\.[A-Za-z0-9_-]{20,255}', // Vault
    '\\b\\d{8,10}:AA[A-Za-z0-9_-]{30,40}', // Telegram bots
    '\\beyJ[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{8,4096}\\.[A-Za-z0-9_-]{0,4096}', // JWT
    '\\bAGE-SECRET-KEY-1[A-Z0-9]{40,80}',
    '\\bdckr_[po]at_[A-Za-z0-9_-]{20,255}', // Docker
    '\\bgl(?:sa|c)_[A-Za-z0-9_=+/-]{30,255}', // Grafana
    '\\blin_(?:api|oauth)_[A-Za-z0-9]{30,255}', // Linear
    '\\bAT(?:ATT|BB|CTT)[A-Za-z0-9_=-]{24,512}', // Atlassian
    '\\bGOCSPX-[A-Za-z0-9_-]{20,40}', // Google, for clients
    '\\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}', // Shopify
    '\\bdapi[a-f0-9]{32}', // Databricks
    '\\b(?:figd|ntn|gsk|r8|sbp|sntrys|rubygems|pscale_tkn)_[A-Za-z0-9_=.-]{28,255}', // Figma, Notion, Groq, Replicate, Supabase, Sentry …
    '\\b(?:nvapi|xai|pplx|PMAK|NRAK)-[A-Za-z0-9_-]{26,255}', // NVIDIA, xAI, Perplexity, Postman, New Relic
    '(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/]{20,255}',
    '(?<=discord(?:app)?\\.com/api/webhooks/\\d{17,20}/)[A-Za-z0-9_-]{40,255}',
  ].join('|'),
  'g',
);

/** The body of a private key in PEM, by how such keys begin, as far as its lines can belong to one. */
const PEM = new RegExp(
  [
    '(?<=-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)',
    '(?:\\s|\\\\[nr]|Proc-Type: 4,ENCRYPTED|DEK-Info: [A-Z0-9-]{1,40},[A-F0-9]{1,64}){1,40}',
    '(?:M[A-P]|b3BlbnNzaC1rZXk|l[A-Z])[A-Za-z0-9+/=]{14,}(?:(?:\\s|\\\\[nr]){1,40}[A-Za-z0-9+/=]{16,})*',
  ].join(''),
  'g',
);
const PEM_LINE = /\\[nr]|[A-Za-z0-9+/=]{16,}/g;

/** A part of a text, from and to a position. */
export type Span = readonly [from: number, to: number];

/** Where a text has secrets in a well-known format. None goes beyond its line. */
export function findTokens(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { index, 0: found } of text.matchAll(TOKENS))
    if (!isWords(found)) spans.push([index, index + found.length]);
  // Line by line, and only what is random: a shell would run such a line if the key is not in quotes.
  for (const { index, 0: body } of text.matchAll(PEM))
    for (const { index: at, 0: line } of body.matchAll(PEM_LINE))
      if (looksRandom(line)) spans.push([index + at, index + at + line.length]);
  return spans;
}

/** Whether a text is made of words, as the names of packages, programs and files are. */
function isWords(text: string): boolean {
  return text.split(/[^A-Za-z0-9]+/).every((piece) => /^[A-Za-z]?[a-z]*\d{0,4}$/.test(piece));
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
  if (/^[/.~]/.test(sample) || isWords(sample)) return false;
  const counts = new Map<string, number>();
  for (const character of sample) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / sample.length) * Math.log2(count / sample.length);
  return bits >= RANDOM;
}

import { createHash } from 'node:crypto';

/** A configuration in which nobody may speak for anyone else; the token of NAME is `token-of-NAME`. */
export function closedConfig(flags: Readonly<Record<string, string>>, more = ''): string {
  const participants = Object.entries(flags).map(([name, negotiation]) => {
    const hash = createHash('sha256').update(`token-of-${name}`).digest('hex');
    return `  ${name}: { tokens: ["sha256:${hash}"], negotiation: { ${negotiation} } }`;
  });
  return `participants:\n${participants.join('\n')}\n${more}`;
}

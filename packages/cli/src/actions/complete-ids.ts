import { connect } from '../connect.js';
import type { EndpointOptions } from '../connection/endpoint-options.js';
import { sessionIds } from '../negotiation/index.js';
import type { Shell } from '../terminal/shell.js';

/** Options that say where to look and as whom; each takes a value. */
const PLACE = ['url', 'gateway', 'space', 'token', 'as', 'ca'] as const;

/**
 * The proposer chooses the id, and shells expand completions, so an id with characters that a shell would interpret is
 * not offered.
 */
const SAFE = /^[A-Za-z0-9][\w.-]*$/;

/** How long an answer may take, in milliseconds: the user has just pressed Tab. */
const TIMEOUT = 1_500;

/** Prints the ids that may come next on a command line, one per line; prints nothing if they cannot be found. */
export async function completeIds(words: readonly string[], shell: Shell): Promise<void> {
  const [command] = words;
  try {
    const ids =
      command === 'negotiate' ? await sessionIds(optionsIn(words), shell) : await proposalIds(words, shell);
    const safe = ids.filter((id) => SAFE.test(id));
    if (safe.length > 0) shell.print(...safe);
  } catch {
    // An error would only disturb the line that is being typed.
  }
}

async function proposalIds(words: readonly string[], shell: Shell): Promise<readonly string[]> {
  const role = words[0] === 'withdraw' || words[0] === 'renew' ? 'agent' : 'reviewer';
  const connection = connect(optionsIn(words), shell, role, { until: Date.now() + TIMEOUT });
  return (await connection.pending()).proposals.map(({ id }) => id);
}

function optionsIn(words: readonly string[]): EndpointOptions {
  const found: Record<string, string | boolean> = words.includes('--guard') ? { guard: true } : {};
  for (const [index, word] of words.entries()) {
    for (const name of PLACE) {
      const value = word === `--${name}` ? words[index + 1] : undefined;
      if (value !== undefined) found[name] = value;
      else if (word.startsWith(`--${name}=`)) found[name] = word.slice(name.length + 3);
    }
  }
  return found;
}

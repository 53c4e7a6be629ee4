import { useState } from 'preact/hooks';
import { Marked } from '../text/marked.js';
import type { ListedRuleOwner } from './read-rules.js';

/**
 * How to keep a draft: with a command, on the machine that has the file. The console writes no rules: the
 * right to approve calls does not include deciding what needs no approval.
 */
export function KeepDraft({
  text,
  owner,
}: {
  readonly text: string;
  readonly owner: ListedRuleOwner | undefined;
}) {
  const [copied, setCopied] = useState<'copied' | 'failed'>();
  const isFile = owner !== undefined && owner.source !== 'default rules';
  const command = commandFor(text, isFile ? owner.source : 'rules.yaml');
  const copy = (): void => {
    // Without TLS, browsers have no clipboard API.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    (clipboard?.writeText(command) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setCopied('copied'),
      () => setCopied('failed'),
    );
  };
  return (
    <div class="pad keep">
      <h3>Keep it</h3>
      <p>
        {isFile ? (
          <>
            Run this where <Marked text={owner.participant} /> runs. The rule goes to the end of its file, so
            that it overrules none that is there, and holds from then on.
          </>
        ) : (
          <>
            Run this in the folder of your rule file, then start the guard or steward with{' '}
            <code>--rules rules.yaml</code>.
          </>
        )}
      </p>
      <pre class="rule-command" tabIndex={0} aria-label="The command that adds the rule">
        <Marked text={command} />
      </pre>
      <p class="row">
        <button type="button" class="button go" onClick={copy}>
          Copy
        </button>
        <span class="dim" role="status">
          {copied === 'copied' && 'Copied.'}
          {copied === 'failed' && 'The browser does not allow it here: select the text and copy it.'}
        </span>
      </p>
    </div>
  );
}

/** A command that adds rules to a file, quoted so that no shell interprets them. */
function commandFor(text: string, file: string): string {
  let end = 'RULES';
  while (text.split('\n').includes(end)) end += '_';
  const word = /^[\w./:-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return `npx proffer rules add ${word} <<'${end}'\n${text.trimEnd()}\n${end}`;
}

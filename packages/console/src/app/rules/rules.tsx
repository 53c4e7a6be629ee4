import type { Message } from '@proffer/client';
import { type JsonObject, objectsIn } from '@proffer/core/json';
import { useEffect, useState } from 'preact/hooks';
import { useKeys } from '../keys/layers.js';
import { useAnswer } from '../session/use-answer.js';
import type { ViewProps } from '../shell/on-demand.js';
import type { Space } from '../space/space.js';
import { go } from '../state/route.js';
import { Marked } from '../text/marked.js';
import { count } from '../text/words.js';
import { DraftEditor } from './draft-editor.js';
import { FromCall } from './from-call.js';
import { PastCalls } from './past-calls.js';
import { type ListedRuleOwner, readOwner } from './read-rules.js';
import { decidedInWords, RuleItem } from './rule-item.js';
import { Suggestions } from './suggestions.js';
import { Watched } from './watched.js';

/** The initial text of a new draft. */
const TEMPLATE = `rules:
  - name: what it is for
    action: ask # allow, ask or deny
    match:
      tool: write_file
`;

/** At most every two seconds: it examines thousands of messages. */
const PAUSE = 2_000;

/** Whether a message may change what is shown: rules, their decisions, and who is present. */
function isNews({ kind, from, payload }: Message, answer: JsonObject | undefined): boolean {
  if (kind === 'mcpx.announce.rules' || kind === 'system.presence') return true;
  if (kind === 'chat.message') return payload['decisions'] !== undefined;
  const isDecision = kind === 'mcpx.status.proposal' || kind === 'mcpx.reject.proposal';
  return isDecision && objectsIn(answer?.['owners']).some((owner) => owner['participant'] === from);
}

/** Who decides by which rules, their recent decisions, suggested rules, and a draft to try. */
export function Rules({ space, item: proposal }: ViewProps) {
  const path = `/spaces/${encodeURIComponent(space.name)}/rules`;
  const { answer, problem } = useAnswer(space, path, { isNews, pause: PAUSE });
  const [draft, setDraft] = useState<string>();
  const owners = objectsIn(answer?.['owners']).map(readOwner);
  const mayDecide = space.rights().mayReject({ proposer: '' });
  useEffect(() => setDraft(undefined), [proposal]);
  const write = (): void => setDraft(TEMPLATE);
  useKeys({ n: mayDecide && draft === undefined ? write : undefined });
  function close(): void {
    setDraft(undefined);
    if (proposal !== undefined) go({ view: 'rules' });
  }
  return (
    <div class="page rules">
      <header class="page-head">
        <h1>Rules</h1>
        <p class="dim" role="status">
          {answer === undefined
            ? problem === undefined && 'Reading …'
            : owners.length > 0 &&
              `${count(owners.length, 'participant decides', 'participants decide')} by rules in ${space.name}.`}
        </p>
        {mayDecide && draft === undefined && (
          <button type="button" class="button" aria-keyshortcuts="n" onClick={write}>
            Write a rule … <kbd aria-hidden="true">n</kbd>
          </button>
        )}
      </header>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          {problem.code === 'unknown_route'
            ? 'This gateway does not show rules. `proffer up` starts one that does.'
            : problem.message}
          {answer !== undefined && ' What you see was loaded earlier and may be out of date.'}
        </p>
      )}
      {proposal !== undefined && mayDecide && (
        <FromCall key={proposal} space={space} proposal={proposal} onUse={setDraft} />
      )}
      {draft !== undefined && answer !== undefined && (
        <DraftEditor
          space={space}
          owners={owners}
          start={draft}
          isFirst={proposal === undefined}
          onClose={close}
        />
      )}
      {answer !== undefined && owners.length === 0 && <NoRules />}
      {owners.map((owner) => (
        <OwnerBox key={owner.participant} space={space} owner={owner} />
      ))}
      {mayDecide && answer !== undefined && <Watched space={space} onUse={setDraft} />}
      {mayDecide && answer !== undefined && <Suggestions space={space} onUse={setDraft} />}
      {!mayDecide && answer !== undefined && (
        <p class="notice">Only people who may reject calls see suggestions and drafts.</p>
      )}
    </div>
  );
}

function NoRules() {
  return (
    <section class="box">
      <h2>
        <span>No rules yet</span>
      </h2>
      <div class="pad no-rules">
        <p>
          People decide everything. A guard, a hook or a steward can take over what is always decided the same
          way:
        </p>
        <pre class="rule-command" tabIndex={0} aria-label="A command that starts a steward">
          npx proffer steward --rules rules.yaml
        </pre>
        <p class="dim">As soon as one is connected, its rules are shown here, in words.</p>
      </div>
    </section>
  );
}

const DECIDES: Readonly<Record<string, string>> = {
  guard: 'Guards a server: what its rules allow runs at once, what they deny never does.',
  hook: 'Decides before a coding agent runs a tool.',
  steward: 'Decides proposals instead of people.',
};

/** The rules of one participant, in evaluation order. */
export function OwnerBox({ space, owner }: { readonly space: Space; readonly owner: ListedRuleOwner }) {
  const { participant, rules, otherwise, earlier, lately, problem } = owner;
  return (
    <section class="box" aria-label={`Rules of ${participant}`}>
      <h2>
        <span>
          <Marked text={participant} />
        </span>
        <span class="dim small">{owner.connected ? 'connected' : 'not connected now'}</span>
      </h2>
      <p class="pad dim small">
        {DECIDES[owner.owner] ?? 'Decides by rules.'}
        <br />
        <code>
          <Marked text={owner.source} />
        </code>
        , version{' '}
        <code>
          <Marked text={owner.version} />
        </code>
      </p>
      {problem !== undefined && (
        <p class="notice inset">
          <Marked text={problem} />
        </p>
      )}
      <ol class="rule-list">
        {rules.map((rule, place) => (
          <RuleItem key={place} rule={rule} note={decidedInWords(rule)} />
        ))}
        {otherwise !== undefined && (
          <RuleItem rule={otherwise} note={`where no rule matches · ${decidedInWords(otherwise)}`} />
        )}
      </ol>
      {earlier > 0 && (
        <p class="pad dim small">
          {count(earlier, 'call was', 'calls were')} decided recently by rules that no longer exist.
        </p>
      )}
      {lately.length > 0 && (
        <details class="more">
          <summary>What they decided last ({lately.length})</summary>
          <PastCalls space={space} calls={lately} rules={rules} />
        </details>
      )}
    </section>
  );
}

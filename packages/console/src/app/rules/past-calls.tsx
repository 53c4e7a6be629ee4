import type { Space } from '../space/space.js';
import { go, writeRoute } from '../state/route.js';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';
import type { PastCall, ShownRule } from './read-rules.js';

const PAST = { allow: 'allowed', ask: 'asked', deny: 'denied', amend: 'changed and ran' } as const;

/** Past calls, each with its decision; proposals link to their whole life. */
export function PastCalls({
  space,
  calls,
  rules = [],
}: {
  readonly space: Space;
  readonly calls: readonly PastCall[];
  readonly rules?: readonly ShownRule[];
}) {
  return (
    <ul class="past-calls">
      {calls.map((call, place) => (
        <li key={place}>
          <Tool space={space} call={call} />{' '}
          {call.arguments !== undefined && (
            <code class="dim">
              <Marked text={call.arguments} />
            </code>
          )}
          <p class="dim small">
            {said(call)}
            {call.rule !== undefined && (
              <>
                {' '}
                by <RuleName rule={rules[call.rule]} place={call.rule} />
              </>
            )}
            {call.decided !== undefined && (
              <>
                <Marked text={call.decided.by} /> {PAST[call.decided.decision as keyof typeof PAST]} it
              </>
            )}
            {' · '}
            <When at={call.at} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function said({ action, decided, rule }: PastCall): string {
  if (action === undefined) return decided === undefined ? 'nobody decided it' : '';
  if (rule !== undefined) return PAST[action];
  const would = { allow: 'would be allowed', ask: 'would be asked about', deny: 'would be denied' }[action];
  return decided === undefined ? `${would}; nobody decided it` : `${would}; `;
}

function Tool({ space, call }: { readonly space: Space; readonly call: PastCall }) {
  const { proposal, tool } = call;
  const name = tool === '' ? 'a call' : tool;
  if (proposal === undefined)
    return (
      <b>
        <Marked text={name} />
      </b>
    );
  return (
    <a
      href={writeRoute({ space: space.name, view: 'proposals', item: proposal })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        go({ view: 'proposals', item: proposal });
      }}
    >
      <Marked text={name} />
    </a>
  );
}

function RuleName({ rule, place }: { readonly rule: ShownRule | undefined; readonly place: number }) {
  return rule?.name === undefined ? <>rule {place + 1}</> : <Marked text={rule.name} />;
}

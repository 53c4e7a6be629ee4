import type { CallParts } from '@proffer/core/approvals';
import { useMemo } from 'preact/hooks';
import { HIDDEN } from '../text/hiding.js';
import { entriesOf } from '../value/entries.js';
import { Entries } from '../value/value-view.js';

/** Arguments, and below them the other params; `none` if there are neither. */
export function Values({ of, none }: { readonly of: CallParts; readonly none: string }) {
  const { given, others } = useMemo(() => HIDDEN.value({ ...of }), [of]);
  const entries = entriesOf(given);
  const rest = entriesOf(others);
  return (
    <>
      {entries.length === 0 && rest.length === 0 && <p class="pad dim">{none}</p>}
      {entries.length > 0 && <Entries of={entries} />}
      {rest.length > 0 && (
        <>
          <h3 class="sub">Sent along with the arguments</h3>
          <Entries of={rest} />
        </>
      )}
    </>
  );
}

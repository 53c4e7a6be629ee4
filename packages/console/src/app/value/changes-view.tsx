import { type Change, changeTexts, diffJson, type JsonValue } from '@proffer/core/json';
import { useHiding } from '../text/hiding.js';
import { Marked } from '../text/marked.js';
import { DiffView } from './diff-view.js';

/** The changes between two values, path by path. */
export function ChangesView({ before, after }: { readonly before: JsonValue; readonly after: JsonValue }) {
  const changes = diffJson(before, after);
  if (changes.length === 0) return <p class="dim pad small">Nothing is changed yet.</p>;
  return <Changes changes={changes} />;
}

/** Changes as core describes them, such as the amendment of a fulfilment (O-13). */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const hiding = useHiding();
  return (
    <div class="changes">
      {changes.map(({ path, before, after }) => (
        <div key={path} class="change">
          <p class="mono dim small">
            <Marked text={path === '' ? 'everything' : path} />
          </p>
          <DiffView {...changeTexts(hiding.at(path, before), hiding.at(path, after))} />
        </div>
      ))}
    </div>
  );
}

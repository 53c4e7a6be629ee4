import { type Change, diffJson, type JsonValue, objectOf } from '@proffer/core/json';
import { type Hiding, useHiding } from '../text/hiding.js';
import { Marked } from '../text/marked.js';
import { changeTexts } from './change-texts.js';
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
          <DiffView {...changeTexts(hideAt(path, before, hiding), hideAt(path, after, hiding))} />
        </div>
      ))}
    </div>
  );
}

/** The last name of a path may tell that the value is a secret, or an earlier one that all below it are. */
function hideAt(path: string, value: JsonValue | undefined, hiding: Hiding): JsonValue | undefined {
  if (value === undefined) return undefined;
  const names = path.split('/').slice(1);
  const nested = names.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
  return names.reduce<JsonValue | undefined>((outer, name) => objectOf(outer)[name], hiding.value(nested));
}

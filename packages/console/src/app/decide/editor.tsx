import { type Refusal } from '@proffer/core';
import { isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ChangesView } from '../value/changes-view.js';
import { Form, LIMITS, rowsFor, type UnreadFields, type UnreadText } from './form.js';
import { fieldsOf, problemsIn } from './schema.js';

const NONE_UNREAD: UnreadFields = new Map();

/** The draft of the arguments. */
export interface ArgumentsDraft {
  /** The last valid value. */
  readonly given: JsonObject;
  /** What is wrong with it, as text; `undefined` if it can be sent. */
  readonly problems: readonly string[];
  /** Invalid text in fields: they keep showing it, and nothing is sent until it is corrected. */
  readonly unread?: UnreadFields;
  /** The text, while it is edited as JSON. */
  readonly raw?: string | undefined;
}

export interface EditorProps {
  /** What was proposed. */
  readonly original: JsonObject;
  readonly draft: ArgumentsDraft;
  readonly schema: JsonObject | undefined;
  readonly onChange: (next: ArgumentsDraft) => void;
}

/** Changes the arguments of a call: as a form, or as JSON. The difference stays in view, and it is checked while typing. */
export function Editor({ original, draft, schema, onChange }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The editor is loaded on demand. Somebody who began to write the reason meanwhile goes on there.
    const { activeElement } = document;
    const isWriting = activeElement instanceof HTMLInputElement && activeElement.value !== '';
    if (!isWriting) box.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, []);
  const { given: current, problems, raw, unread = NONE_UNREAD } = draft;

  /** Without the invalid text: the form starts with the valid values. */
  function change(next: JsonObject, left: UnreadFields = NONE_UNREAD): void {
    const wrong = [...left.values()].map(({ problem }) => problem);
    onChange({ given: next, problems: [...wrong, ...problemsIn(schema, next)], unread: left });
  }

  function changeField(next: JsonObject, name: string, typed?: UnreadText): void {
    const left = new Map(unread);
    if (typed === undefined) left.delete(name);
    else left.set(name, typed);
    change(next, left);
  }

  function changeRaw(text: string): void {
    const parsed = parseJson(text, LIMITS);
    if (parsed.ok && isJsonObject(parsed.value))
      return onChange({ given: parsed.value, problems: problemsIn(schema, parsed.value), raw: text });
    const problem = parsed.ok ? 'The arguments must be an object: { … }' : problemAt(text, parsed.refusal);
    onChange({ given: current, problems: [problem], raw: text });
  }

  return (
    <div class="editor" ref={box}>
      <div class="tabs" role="group" aria-label="How to edit">
        <button type="button" aria-pressed={raw === undefined} onClick={() => change(current)}>
          Form
        </button>
        <button
          type="button"
          aria-pressed={raw !== undefined}
          onClick={() => changeRaw(JSON.stringify(current, undefined, 2))}
        >
          JSON
        </button>
      </div>
      {raw === undefined ? (
        <Form fields={fieldsOf(schema, original)} current={current} unread={unread} onChange={changeField} />
      ) : (
        <textarea
          class="mono"
          aria-label="Arguments as JSON"
          spellcheck={false}
          rows={rowsFor(raw)}
          value={raw}
          onInput={({ currentTarget }) => changeRaw(currentTarget.value)}
        />
      )}
      <div role="status">
        {problems.length > 0 && (
          <ul class="problems">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
      </div>
      <ChangesView before={original} after={current} />
    </div>
  );
}

/** The JSON error and its position, for the person typing. */
function problemAt(text: string, { code, message, details }: Refusal): string {
  const { position } = details;
  if (code !== 'invalid_json' || typeof position !== 'number') return message.replace(/\.$/, '');
  if (position >= text.length) return 'The JSON is incomplete';
  const lines = text.slice(0, position).split('\n');
  return `The JSON is invalid at line ${lines.length}, character ${(lines.at(-1)?.length ?? 0) + 1}`;
}

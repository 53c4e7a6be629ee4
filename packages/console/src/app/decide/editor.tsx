import { isJsonObject, type JsonObject, parseJson } from '@proffer/core';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ChangesView } from '../value/changes-view.js';
import { Form, LIMITS, rowsFor } from './form.js';
import { fieldsOf, problemsIn } from './schema.js';

export interface EditorProps {
  /** What was proposed. */
  readonly original: JsonObject;
  /** What it is now. */
  readonly current: JsonObject;
  readonly schema: JsonObject | undefined;
  /** With what is wrong, in words; nothing if it can be sent. */
  readonly onChange: (next: JsonObject, problems: readonly string[]) => void;
}

/** Changes the arguments of a call: as a form, or as JSON. The difference stays in view, and it is checked while typing. */
export function Editor({ original, current, schema, onChange }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), []);
  const [raw, setRaw] = useState<string>();
  const [problems, setProblems] = useState<readonly string[]>([]);

  function change(next: JsonObject, also: readonly string[] = []): void {
    const found = [...also, ...problemsIn(schema, next)];
    setProblems(found);
    onChange(next, found);
  }

  function changeRaw(text: string): void {
    setRaw(text);
    const parsed = parseJson(text, LIMITS);
    if (parsed.ok && isJsonObject(parsed.value)) return change(parsed.value);
    const problem = parsed.ok ? 'The arguments have to be an object: { … }' : parsed.refusal.message;
    setProblems([problem]);
    onChange(current, [problem]);
  }

  return (
    <div class="editor" ref={box}>
      <div class="tabs" role="group" aria-label="How to edit">
        <button type="button" aria-pressed={raw === undefined} onClick={() => setRaw(undefined)}>
          Form
        </button>
        <button
          type="button"
          aria-pressed={raw !== undefined}
          onClick={() => setRaw(JSON.stringify(current, undefined, 2))}
        >
          JSON
        </button>
      </div>
      {raw === undefined ? (
        <Form fields={fieldsOf(schema, original)} current={current} onChange={change} />
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

import { defined, type JsonObject, type JsonValue, parseJson, textOf } from '@proffer/core/json';
import type { FormField } from './schema.js';

/** Size limits for typed JSON. */
export const LIMITS = { maxBytes: 8 * 1_048_576, maxDepth: 64 };

/** As many rows as the text has lines, up to a maximum. */
export function rowsFor(text: string): number {
  return Math.min(20, text.split('\n').length);
}

/** Invalid text in a field, and why it is invalid. */
export interface UnreadText {
  readonly text: string;
  readonly problem: string;
}

/** By field name. */
export type UnreadFields = ReadonlyMap<string, UnreadText>;

export interface FormProps {
  readonly fields: readonly FormField[];
  readonly current: JsonObject;
  readonly unread: UnreadFields;
  /** With the changed field, and its text if that is invalid. */
  readonly onChange: (next: JsonObject, name: string, typed?: UnreadText) => void;
}

/** A field for each argument; changes apply at once. */
export function Form({ fields, current, unread, onChange }: FormProps) {
  if (fields.length === 0) return <p class="dim pad">There are no arguments to change.</p>;
  const set = (name: string, value: JsonValue | undefined, typed?: UnreadText): void => {
    const { [name]: _before, ...others } = current;
    // A name keeps its position.
    const next = Object.hasOwn(current, name) ? { ...current, [name]: value } : { ...others, [name]: value };
    onChange(value === undefined ? others : next, name, typed);
  };
  return (
    <div class="form">
      {fields.map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={current[field.name]}
          typed={unread.get(field.name)?.text}
          onChange={set}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly value: JsonValue | undefined;
  /** The invalid text of the field. */
  readonly typed: string | undefined;
  readonly onChange: (name: string, value: JsonValue | undefined, typed?: UnreadText) => void;
}

function FormField({ field, value, typed, onChange }: FieldProps) {
  const id = `field-${field.name}`;
  const about = field.description === undefined ? undefined : `${id}-about`;
  return (
    <div class="field">
      <label for={id}>
        {field.name}
        {field.isRequired ? '' : <span class="dim"> optional</span>}
      </label>
      <FieldInput field={field} value={value} typed={typed} onChange={onChange} id={id} about={about} />
      {about !== undefined && (
        <p id={about} class="dim small">
          {field.description}
        </p>
      )}
    </div>
  );
}

function FieldInput({
  field: { name, type, choices },
  value,
  typed,
  onChange,
  id,
  about,
}: FieldProps & { readonly id: string; readonly about: string | undefined }) {
  const common = { id, ...defined({ 'aria-describedby': about }) };
  if (type === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => onChange(name, currentTarget.checked)}
      />
    );
  if (type === 'choice')
    return (
      <select
        {...common}
        value={String(choices.findIndex((choice) => choice === value))}
        onChange={({ currentTarget }) => onChange(name, choices[Number(currentTarget.value)])}
      >
        {choices.map((choice, index) => (
          <option key={index} value={String(index)}>
            {typeof choice === 'string' ? choice : JSON.stringify(choice)}
          </option>
        ))}
      </select>
    );
  if (type === 'number')
    return (
      <input
        {...common}
        class="mono"
        inputMode="decimal"
        defaultValue={value === undefined ? '' : JSON.stringify(value)}
        onInput={({ currentTarget: { value: text } }) => {
          if (text.trim() === '') return onChange(name, undefined);
          const number = Number(text);
          onChange(name, Number.isFinite(number) ? number : text);
        }}
      />
    );
  if (type === 'json')
    return (
      <textarea
        {...common}
        class="mono"
        spellcheck={false}
        rows={rowsFor(value === undefined ? '' : JSON.stringify(value, undefined, 2))}
        defaultValue={typed ?? (value === undefined ? '' : JSON.stringify(value, undefined, 2))}
        onInput={({ currentTarget: { value: text } }) => {
          if (text.trim() === '') return onChange(name, undefined);
          const parsed = parseJson(text, LIMITS);
          if (parsed.ok) onChange(name, parsed.value);
          else onChange(name, value, { text, problem: `${name}: ${parsed.refusal.message}` });
        }}
      />
    );
  const text = textOf(value);
  return (
    <textarea
      {...common}
      class="mono"
      spellcheck={false}
      rows={rowsFor(text)}
      value={text}
      onInput={({ currentTarget }) => onChange(name, currentTarget.value)}
    />
  );
}

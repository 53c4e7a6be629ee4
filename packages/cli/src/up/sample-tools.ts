import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, RefusedError } from '@proffer/client';
import type { JsonObject, JsonValue } from '@proffer/core/json';

/** A tool of the built-in executor: its MCP definition, and what it does. */
interface SampleTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The text of its result. Throws an error with a message for the caller. */
  readonly run: (input: JsonObject) => string | Promise<string>;
}

const MAX_NOTE_LENGTH = 10_000;

/** A file to edit in the first minute. */
export const SAMPLE_NOTE = {
  name: 'plan.md',
  text: '# Release plan\n\n- Freeze on Wednesday\n- Ship on Friday at 18:00\n- Tell support\n',
} as const;

/** An edit of it, as the arguments of `propose`. */
export const SAMPLE_EDIT =
  'edit_note --arg name=plan.md --arg old_text="Friday at 18:00" --arg new_text="Monday at 10:00"';

/**
 * A few harmless tools to try things out with in dev mode. Only `write_note` and `edit_note` leave a trace.
 *
 * @param notes - the folder that notes are written into; nothing outside it is ever touched
 */
export function sampleTools(notes: string, now: () => number): readonly SampleTool[] {
  return [
    {
      name: 'echo',
      description: 'Returns the text it is given.',
      inputSchema: schema({ text: 'string' }),
      // On a command line `text=42` is a number; a first try like that should work.
      run: ({ text = '' }) => (typeof text === 'string' ? text : JSON.stringify(text)),
    },
    {
      name: 'add',
      description: 'Adds two numbers.',
      inputSchema: schema({ a: 'number', b: 'number' }),
      run: ({ a, b }) => String(asNumber(a, 'a') + asNumber(b, 'b')),
    },
    {
      name: 'current_time',
      description: 'Returns the time on the machine of the gateway.',
      inputSchema: schema({}),
      run: () => new Date(now()).toISOString(),
    },
    {
      name: 'write_note',
      description: 'Writes a text file into a temporary folder; one of the same name is replaced.',
      inputSchema: schema({ name: 'string', text: 'string' }),
      run: async ({ name, text }) => {
        const file = join(notes, fileName(asText(name, 'name')));
        const note = asText(text, 'text');
        if (note.length > MAX_NOTE_LENGTH)
          throw new Error(`A note has at most ${MAX_NOTE_LENGTH} characters.`);
        await writeFile(file, note);
        return `Wrote ${file}`;
      },
    },
    {
      name: 'edit_note',
      description: 'Replaces a text in a file of the temporary folder.',
      inputSchema: schema({ name: 'string', old_text: 'string', new_text: 'string' }),
      run: async ({ name, old_text: before, new_text: after }) => {
        const note = fileName(asText(name, 'name'));
        const text = await readFile(join(notes, note), 'utf8').catch(() => {
          throw new Error(`There is no ${note} in ${notes}.`);
        });
        const found = asText(before, 'old_text');
        if (!text.includes(found)) throw new Error(`${note} does not contain that text.`);
        await writeFile(
          join(notes, note),
          text.replace(found, () => asText(after, 'new_text')),
        );
        return `Edited ${join(notes, note)}`;
      },
    },
  ];
}

/** Letters, digits, dots, dashes: a file name, never a path. */
function fileName(name: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(name)) {
    throw new Error('name must be a plain file name, such as monday.txt.');
  }
  return name;
}

function asText(value: JsonValue | undefined, key: string): string {
  if (typeof value !== 'string') throw new Error(`${key} must be a string.`);
  return value;
}

function asNumber(value: JsonValue | undefined, key: string): number {
  if (typeof value !== 'number') throw new Error(`${key} must be a number.`);
  return value;
}

function schema(properties: Readonly<Record<string, string>>): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, { type }])),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

interface ExecutorOptions {
  /** Of the gateway, `http:` or `https:`. */
  readonly url: string;
  readonly space: string;
  readonly tools: readonly SampleTool[];
}

/** The dev mode participant that runs approved calls. */
const EXECUTOR = 'tools';

/**
 * Connects the built-in executor and announces its tools. Resolves when they can be called, even if the
 * executor of another gateway on the same journal already serves them.
 */
export async function startExecutor({ url, space, tools }: ExecutorOptions) {
  const participant = await connect({ url, space, token: EXECUTOR });
  try {
    await participant.serve(tools.map(({ run, ...definition }) => ({ ...definition, handler: run })));
  } catch (error) {
    await participant.close();
    if (!(error instanceof RefusedError) || error.code !== 'already_serving') throw error;
  }
  return { close: () => participant.close() };
}

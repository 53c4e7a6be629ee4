import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readIfThere, replaceFile } from '@proffer/client/machine';
import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { textAt } from '../../json-rpc.js';
import type { ToolPin, ToolPins, TrustQuestion } from './tool-pins.js';

/** Where pins are stored between runs. */
export interface PinStore {
  load(): ToolPins;
  /** Adds pins, or replaces those of the same name. */
  save(pins: ToolPins): void;
  /** Records the question about a pinned tool; `undefined` to clear it. The pin itself is unchanged. */
  saveQuestion(tool: string, question: TrustQuestion | undefined): void;
}

/** How many bytes of replaced lines a file may contain, beyond those in use. */
const SLACK = 1_048_576;

/**
 * Pins in one file: one line each, the last one of a name counts. Adding costs only the size of the addition;
 * the file is rewritten when more than half of it was replaced. A file that cannot be read is an error, never
 * an empty list: that would trust whatever the server shows next.
 *
 * @param known - files whose pins a new file starts with, as far as they exist; of two pins of a tool the later one
 */
export function createPinFile(path: string, known: readonly string[] = []): PinStore {
  /** The line size of each pin, as far as read or written here. */
  let lengths = new Map<string, number>();
  let inUse = 0;
  let isAppendable = false;
  const count = (pins: ToolPins): void => {
    for (const [tool, pin] of pins) {
      const length = Buffer.byteLength(pinLine(tool, pin));
      inUse += length - (lengths.get(tool) ?? 0);
      lengths.set(tool, length);
    }
  };
  const read = (): PinFileText => {
    const found = readIfThere(path);
    const file =
      found === undefined ? { pins: definitionsIn(known), isAppendable: false } : readPinFile(found, path);
    ({ isAppendable } = file);
    lengths = new Map();
    inUse = 0;
    count(file.pins);
    return file;
  };
  const mayAppend = (): boolean => {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    const isRightSize = size !== undefined && size >= inUse && size <= 2 * inUse + SLACK;
    // Another writer may have been stopped in the middle of a line.
    return isAppendable && isRightSize && isNewlineAt(path, size - 1);
  };
  const append = (lines: string): void => {
    // A failed write may leave part of a line.
    isAppendable = false;
    appendFileSync(path, lines);
    isAppendable = true;
  };
  const rewrite = (more: ToolPins): void => {
    const all = new Map([...read().pins, ...more]);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, pinFileText(all));
    isAppendable = true;
    count(more);
  };
  return {
    load() {
      const isNew = !existsSync(path);
      const { pins } = read();
      // At once, so that later changes of the known files make no difference.
      if (isNew && pins.size > 0) rewrite(new Map());
      return pins;
    },
    save(pins) {
      if (!mayAppend()) return rewrite(pins);
      append([...pins].map(([tool, pin]) => pinLine(tool, pin)).join(''));
      count(pins);
    },
    saveQuestion(tool, question) {
      if (!mayAppend()) rewrite(new Map());
      append(questionLine(tool, question));
    },
  };
}

/** The pins of several files without their questions, which the guards of these files withdraw or close themselves. */
function definitionsIn(files: readonly string[]): ToolPins {
  const pins = new Map<string, ToolPin>();
  for (const file of files) {
    const text = readIfThere(file);
    const found: ToolPins = text === undefined ? new Map() : readPinFile(text, file).pins;
    for (const [tool, { definition }] of found) pins.set(tool, { definition });
  }
  return pins;
}

function isNewlineAt(path: string, position: number): boolean {
  const file = openSync(path, 'r');
  try {
    const byte = Buffer.alloc(1);
    return readSync(file, byte, 0, 1, position) === 1 && byte.toString() === '\n';
  } finally {
    closeSync(file);
  }
}

/** The contents of a pin file. */
interface PinFileText {
  readonly pins: ToolPins;
  /** Whether lines may be appended: it has this format, and its last line is complete. */
  readonly isAppendable: boolean;
}

const HEAD = '{"format":2}\n';

/** The whole text of a pin file: `{"format":2}`, then one line per pin. */
function pinFileText(pins: ToolPins): string {
  return HEAD + [...pins].map(([tool, pin]) => pinLine(tool, pin)).join('');
}

/** One pin as a line: `{"tool":NAME,"definition":{…},"question":{…}}`. It replaces the earlier one. */
function pinLine(tool: string, { definition, question }: ToolPin): string {
  return `${JSON.stringify({ tool, definition, question })}\n`;
}

/** The question about a tool as a line, `null` for none: the rest of the pin is unchanged. */
function questionLine(tool: string, question: TrustQuestion | undefined): string {
  return `${JSON.stringify({ tool, question: question ?? null })}\n`;
}

/**
 * Reads the text of a file of pins, also one of format 1: `{ "format": 1, "tools": { NAME: definition } }`.
 * An incomplete last line is ignored, since nobody relied on it yet. Throws for any other text.
 *
 * @param path - for error messages
 */
function readPinFile(text: string, path: string): PinFileText {
  if (!text.startsWith(HEAD)) return { pins: readFirstFormat(text, path), isAppendable: false };
  const pins = new Map<string, ToolPin>();
  const lines = text.slice(HEAD.length).split('\n');
  const rest = lines.pop();
  for (const line of lines) {
    readLine(line, pins, path);
  }
  return { pins, isAppendable: rest === '' };
}

function readFirstFormat(text: string, path: string): ToolPins {
  const { format, tools } = parseObject(text) ?? {};
  if (format !== 1 || !isJsonObject(tools)) return notPins(path);
  const entries = Object.entries(tools).flatMap(([tool, definition]): [string, ToolPin][] =>
    isJsonObject(definition) ? [[tool, { definition }]] : [],
  );
  return new Map(entries);
}

function readLine(line: string, pins: Map<string, ToolPin>, path: string): void {
  const { tool, definition, question } = parseObject(line) ?? {};
  if (typeof tool !== 'string' || (definition === undefined && question === undefined)) return notPins(path);
  const known = isJsonObject(definition) ? definition : pins.get(tool)?.definition;
  if (known === undefined) return;
  const asked = isJsonObject(question) ? { question: readQuestion(question) } : {};
  pins.set(tool, { definition: known, ...asked });
}

function readQuestion(question: JsonObject): TrustQuestion {
  const { closedAt } = question;
  return {
    id: textAt(question, 'id'),
    by: textAt(question, 'by'),
    is: textAt(question, 'is'),
    ...(typeof closedAt === 'number' ? { closedAt } : {}),
  };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function notPins(path: string): never {
  throw new Error(
    `${path} does not contain a guard's pins. Restore it, or remove it to pin what the server shows now.`,
  );
}

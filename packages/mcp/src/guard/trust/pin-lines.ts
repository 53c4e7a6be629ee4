import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { textAt } from '../../json-rpc.js';
import type { ToolPin, ToolPins, TrustQuestion } from './tool-pins.js';

/** The contents of a pin file. */
export interface PinFileText {
  readonly pins: ToolPins;
  /** Whether lines may be appended: it has this format, and its last line is complete. */
  readonly isAppendable: boolean;
}

const HEAD = '{"format":2}\n';

/** The whole text of a pin file: `{"format":2}`, then one line per pin. */
export function pinFileText(pins: ToolPins): string {
  return HEAD + [...pins].map(([tool, pin]) => pinLine(tool, pin)).join('');
}

/** One pin as a line: `{"tool":NAME,"definition":{…},"question":{…}}`. It replaces the earlier one. */
export function pinLine(tool: string, { definition, question }: ToolPin): string {
  return `${JSON.stringify({ tool, definition, question })}\n`;
}

/** The question about a tool as a line, `null` for none: the rest of the pin is unchanged. */
export function questionLine(tool: string, question: TrustQuestion | undefined): string {
  return `${JSON.stringify({ tool, question: question ?? null })}\n`;
}

/**
 * Reads the text of a file of pins, also one of format 1: `{ "format": 1, "tools": { NAME: definition } }`.
 * An incomplete last line is ignored, since nobody relied on it yet. Throws for any other text.
 *
 * @param path - for error messages
 */
export function readPinFile(text: string, path: string): PinFileText {
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

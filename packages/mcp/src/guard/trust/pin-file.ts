import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type PinFileText, pinFileText, pinLine, questionLine, readPinFile } from './pin-lines.js';
import type { ToolPins, TrustQuestion } from './tool-pins.js';

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
 */
export function createPinFile(path: string): PinStore {
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
    const file = found === undefined ? { pins: new Map(), isAppendable: false } : readPinFile(found, path);
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
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, pinFileText(all), { mode: 0o600 });
    renameSync(draft, path);
    isAppendable = true;
    count(more);
  };
  return {
    load: () => read().pins,
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

function isNewlineAt(path: string, position: number): boolean {
  const file = openSync(path, 'r');
  try {
    const byte = Buffer.alloc(1);
    return readSync(file, byte, 0, 1, position) === 1 && byte.toString() === '\n';
  } finally {
    closeSync(file);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

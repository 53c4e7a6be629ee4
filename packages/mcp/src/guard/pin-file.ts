import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isJsonObject, type JsonObject } from '@proffer/core';
import type { ToolPins } from './tool-pins.js';

/** Where pins are kept between runs. */
export interface PinStore {
  load(): ToolPins;
  /** Adds pins, or replaces those of the same name. */
  save(pins: ToolPins): void;
}

/**
 * Pins in one JSON file, `{ "format": 1, "tools": { NAME: definition } }`. A file that cannot be read is
 * an error, never an empty list: that would trust whatever the server shows next.
 */
export function createPinFile(path: string): PinStore {
  const load = (): ToolPins => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
      throw error;
    }
    return readPins(text, path);
  };
  return {
    load,
    save(pins) {
      const tools = Object.fromEntries([...load(), ...pins]);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify({ format: 1, tools }, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}

function readPins(text: string, path: string): ToolPins {
  const file: unknown = JSON.parse(text);
  const { format, tools } = isJsonObject(file) ? file : {};
  if (format !== 1 || !isJsonObject(tools)) {
    throw new Error(
      `${path} does not hold the pins of a guard. Restore it, or remove it to pin anew what the server shows.`,
    );
  }
  const entries = Object.entries(tools).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  );
  return new Map(entries);
}

import type { JsonObject } from '@proffer/core/json';
import { readSettings, type SettingsFormat } from '../settings/index.js';

/** What a settings file says; nothing if it cannot be read. */
export function settingsIn(text: string, format: SettingsFormat = 'json'): JsonObject {
  try {
    return readSettings(text, format);
  } catch {
    return {};
  }
}

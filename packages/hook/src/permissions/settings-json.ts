import { type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';

/** The object in a settings file, which may have comments and trailing commas; empty if it cannot be read. */
export function settingsIn(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(plainJson(text)) as JsonValue);
  } catch {
    return {};
  }
}

/** Removes comments first: one may stand between a comma and the bracket after it. */
function plainJson(text: string): string {
  const bare = text.replace(/^\uFEFF/, '');
  const uncommented = bare.replaceAll(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, keepText);
  return uncommented.replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])/g, keepText);
}

function keepText(found: string): string {
  return found.startsWith('"') ? found : '';
}

import { isJsonObject, type JsonObject, type JsonValue, listOf } from '@proffer/core/json';

/** The maximum recorded length of an output, in characters. */
const LONGEST = 200_000;

const TOO_LONG = 'The call ran. Its output was too long to be recorded.';

/** A call's result in the form of `tools/call`: people read the text, a later process the value. */
export function recordedOutput(output: unknown): JsonObject {
  let text: string | undefined;
  try {
    text = typeof output === 'string' ? output : JSON.stringify(output ?? null);
  } catch {
    text = undefined;
  }
  if (text === undefined) return { content: [{ type: 'text', text: String(output).slice(0, LONGEST) }] };
  if (text.length > LONGEST)
    return { content: [{ type: 'text', text: `${text.slice(0, 1_000)}…\n${TOO_LONG}` }] };
  const value: JsonValue = typeof output === 'string' ? output : JSON.parse(text);
  return { content: [{ type: 'text', text }], structuredContent: { output: value } };
}

/** The result recorded by an earlier process; `undefined` if it was too long to keep. */
export function readRecordedOutput(result: JsonValue): { readonly output: unknown } | undefined {
  if (!isJsonObject(result)) return undefined;
  const { structuredContent, content } = result;
  if (isJsonObject(structuredContent) && 'output' in structuredContent)
    return { output: structuredContent['output'] };
  // Any other answer has the form of a tool result.
  const [first] = listOf(content);
  const isKept =
    isJsonObject(first) && typeof first['text'] === 'string' && !first['text'].endsWith(TOO_LONG);
  return isKept ? { output: first['text'] } : undefined;
}

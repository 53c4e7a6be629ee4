import { isJsonArray, isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';
import { textOf, visibleBlock, visibleJson, visibleLine, visibleLines } from '../terminal/visible.js';

/** Whether a JSON-RPC response reports success, and its text on one line. */
export function resultOf(payload: JsonObject): { readonly outcome: 'ok' | 'error'; readonly text: string } {
  const { error, result } = payload;
  const failed = error !== undefined || (isJsonObject(result) && result['isError'] === true);
  return { outcome: failed ? 'error' : 'ok', text: summarizeResult(payload) };
}

/** A JSON-RPC response on one line. */
function summarizeResult(payload: JsonObject): string {
  const { error, result } = payload;
  if (isJsonObject(error)) return visibleLine(textOf(error['message']));
  const text = textOfResult(payload);
  return text === undefined ? visibleJson(result) : visibleLine(text);
}

/** A JSON-RPC response, each line behind the gutter. Secrets are hidden unless they are revealed. */
export function showResult(payload: JsonObject, gutter: string, isRevealed = false): readonly string[] {
  const { error, result } = payload;
  if (isJsonObject(error)) return visibleLines(textOf(error['message']), gutter, isRevealed);
  const text = textOfResult(payload);
  return text === undefined
    ? visibleBlock(result, gutter, isRevealed)
    : visibleLines(text, gutter, isRevealed);
}

/** The text of an MCP tool result, if it has only text. */
function textOfResult({ result }: JsonObject): string | undefined {
  const content = objectOf(result)['content'];
  if (!isJsonArray(content) || content.length === 0) return undefined;
  const texts = content.map((item) =>
    isJsonObject(item) && item['type'] === 'text' ? item['text'] : undefined,
  );
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}

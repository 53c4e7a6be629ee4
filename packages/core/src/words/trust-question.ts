import { textOf } from '../json/fields.js';
import { isJsonObject, type JsonObject } from '../json/json.js';
import type { Voice } from './voice.js';

/** A guard's question whether a server's tools can be trusted. */
export interface ServerTrustQuestion {
  readonly server: string;
  /** `*` stands for all tools: what the server says about them. */
  readonly tool: string;
  /** Absent if there is nothing to compare with. */
  readonly was?: JsonObject;
  readonly is: JsonObject;
}

/** The question that a call asks; `undefined` for any other call. */
export function trustQuestionIn({
  params,
}: {
  readonly params?: JsonObject | undefined;
}): ServerTrustQuestion | undefined {
  const { name, arguments: given } = params ?? {};
  const [, server] = /^(?:(.*)\/)?proffer_trust$/.exec(textOf(name)) ?? [];
  if (server === undefined || !isJsonObject(given)) return undefined;
  const { tool, was, is, ...rest } = given;
  if (typeof tool !== 'string' || !isJsonObject(is) || Object.keys(rest).length > 0) return undefined;
  return { server, tool, is, ...(isJsonObject(was) ? { was } : {}) };
}

/** What is asked, in one sentence. */
export function describeTrustQuestion(
  { server, tool, was, is }: ServerTrustQuestion,
  { text }: Pick<Voice, 'text'>,
): string {
  const who = text(server);
  const version = textOf(is['version']);
  const which = version === '' ? who : `${who} (version ${text(version)})`;
  if (tool !== '*') return `${which} offers a changed tool: ${text(tool)}.`;
  return was === undefined
    ? `${which} offers new tools. Nobody has trusted what it says about them yet.`
    : `${which} is not the program that was trusted before.`;
}

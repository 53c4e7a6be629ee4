import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A message in a chat. */
export interface ChatMessage {
  readonly message_id: number;
  text: string;
  buttons: readonly { readonly text: string; readonly callback_data: string }[];
}

interface Params {
  readonly chat_id?: string | number;
  readonly message_id?: number;
  readonly text?: string;
  readonly offset?: number;
  readonly callback_query_id?: string;
  readonly reply_markup?: { readonly inline_keyboard: readonly ChatMessage['buttons'][] };
}

/**
 * A server with the rules of the Bot API for one bot and one chat: lengths of texts and of the data of buttons, errors
 * in its form, waiting times, updates that are kept until the next is asked for, and one poller at a time.
 */
export async function telegramServer(token: string, chat: number) {
  const messages: ChatMessage[] = [];
  const answers: { readonly id: string; readonly text: string }[] = [];
  const queries = new Set<string>();
  let updates: { readonly update_id: number; readonly callback_query: object }[] = [];
  let polling: ServerResponse | undefined;
  let onMore = (): void => {};
  let limited = 0;
  let last = 0;
  const reply = (response: ServerResponse, status: number, body: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const fine = (response: ServerResponse, result: unknown): void =>
    reply(response, 200, { ok: true, result });
  const fail = (
    response: ServerResponse,
    error_code: number,
    description: string,
    parameters?: object,
  ): void =>
    reply(response, error_code, { ok: false, error_code, description, ...(parameters && { parameters }) });
  const release = (): void => {
    if (polling === undefined || updates.length === 0) return;
    fine(polling, updates);
    polling = undefined;
  };

  function say(response: ServerResponse, params: Params, isEdit: boolean): void {
    const buttons = params.reply_markup?.inline_keyboard.flat() ?? [];
    if (limited > 0) {
      limited--;
      return fail(response, 429, 'Too Many Requests: retry after 1', { retry_after: 1 });
    }
    if (Number(params.chat_id) !== chat) return fail(response, 400, 'Bad Request: chat not found');
    if (!params.text || params.text.length > 4_096)
      return fail(response, 400, 'Bad Request: message is too long');
    if (
      buttons.some(({ callback_data: data }) => Buffer.byteLength(data) < 1 || Buffer.byteLength(data) > 64)
    )
      return fail(response, 400, 'Bad Request: BUTTON_DATA_INVALID');
    if (!isEdit) messages.push({ message_id: messages.length + 1, text: params.text, buttons });
    const message = isEdit
      ? messages.find(({ message_id }) => message_id === params.message_id)
      : messages.at(-1);
    if (message === undefined) return fail(response, 400, 'Bad Request: message to edit not found');
    Object.assign(message, { text: params.text, buttons });
    fine(response, { message_id: message.message_id, chat: { id: chat, type: 'private' } });
    onMore();
  }

  const server = createServer(async (request, response) => {
    const params = JSON.parse(await text(request)) as Params;
    const [, given, method] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (given !== token) return fail(response, 401, 'Unauthorized');
    if (method === 'getChat')
      return Number(params.chat_id) === chat
        ? fine(response, { id: chat })
        : fail(response, 400, 'Bad Request: chat not found');
    if (method === 'sendMessage') return say(response, params, false);
    if (method === 'editMessageText') return say(response, params, true);
    if (method === 'answerCallbackQuery') {
      const { callback_query_id: id = '', text: said = '' } = params;
      if (said.length > 200) return fail(response, 400, 'Bad Request: MESSAGE_TOO_LONG');
      if (!queries.delete(id)) return fail(response, 400, 'Bad Request: query is too old');
      answers.push({ id, text: said });
      onMore();
      return fine(response, true);
    }
    if (method !== 'getUpdates') return fail(response, 404, 'Not Found');
    if (polling !== undefined) return fail(response, 409, 'Conflict: terminated by other getUpdates request');
    updates = updates.filter(({ update_id }) => update_id >= (params.offset ?? 0));
    polling = response;
    response.once('close', () => {
      if (polling === response) polling = undefined;
    });
    release();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    answers,
    /** The next messages are refused, for a second each. */
    limit: (count: number) => {
      limited = count;
    },
    /** Resolves once something is so. */
    async until(isSo: () => boolean): Promise<void> {
      while (!isSo())
        await new Promise<void>((resolve) => {
          onMore = resolve;
        });
    },
    /** Somebody presses a button; a changed client can send any data. Resolves with what they are told. */
    async press(user: number, data: string): Promise<string> {
      const id = `q${++last}`;
      queries.add(id);
      const callback_query = { id, from: { id: user, is_bot: false }, data };
      updates.push({ update_id: last, callback_query });
      release();
      await this.until(() => answers.some((one) => one.id === id));
      return answers.find((one) => one.id === id)?.text ?? '';
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

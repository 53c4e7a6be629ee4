import { refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';
import type { Hook } from '../../companion.js';
import { STRANGER_BYTES } from '../../door/index.js';
import { readBody } from './body.js';
import { replyJson } from './reply.js';
import type { Call } from './router.js';

/** `POST /hooks/{name}`: for services that call back, such as Slack. Each hook authenticates its caller. */
export async function answerHook(call: Call, hooks: readonly Hook[]): Promise<void> {
  const [name = ''] = call.values;
  const hook = hooks.find((one) => one.name === name);
  if (hook === undefined)
    return call.refuse(refuse('unknown_route', `Hook ${quote(name)} not found.`, { path: name }));
  const body = await readBody(call.request, STRANGER_BYTES);
  if (!body.ok) return call.refuse(body.refusal);
  const answer = await hook.answer({ headers: call.request.headers, body: body.value });
  if (answer.refused !== undefined) return call.refuse(answer.refused);
  replyJson(call.response, answer.status, answer.body ?? {});
}

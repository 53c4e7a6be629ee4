import type { JsonObject } from '@proffer/core/json';

export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  /** The refusal code, if it is one. */
  readonly code: string | undefined;
  readonly headers: Headers;
}

/** Problem details, or a refusal on the MACP routes. */
interface Refused {
  readonly code?: string;
  readonly error?: { readonly code?: string };
}

/** Sends a request to a gateway over plain HTTP. */
export async function ask(url: string, token: string | undefined, init: RequestInit = {}): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(url, { ...init, headers });
  const body = (await response.json()) as JsonObject & Refused;
  return { status: response.status, body, code: body.code ?? body.error?.code, headers: response.headers };
}

/** Sends one message. */
export function post(http: string, token: string, message: JsonObject): Promise<Answer> {
  return ask(`${http}/spaces/main/messages`, token, { method: 'POST', body: JSON.stringify(message) });
}

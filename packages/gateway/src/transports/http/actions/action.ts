import type { Refusal } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';

/** The message of an action, without its sender and its id. */
export interface ActionMessage {
  readonly kind: string;
  readonly correlationId?: string;
  readonly to?: readonly string[];
  readonly payload: JsonObject;
}

/** The subject of an action. */
export interface ActionSubject {
  /** The id in the path; empty if the path has none. */
  readonly id: string;
  /** That proposal, as far as the caller may see it. */
  readonly proposal: () => Promise<Proposal | undefined>;
}

/**
 * An HTTP request in place of a message. It says which message that is, but not whether it is allowed: the message
 * takes the same path as every other.
 */
export interface Action {
  /** Below `/spaces/{space}`; `*` is the id it is about. */
  readonly path: string;
  /** What its path is about. Default: a proposal. */
  readonly about?: 'grant';
  /** For the OpenAPI description. */
  readonly summary: string;
  /** The allowed fields of its body, as JSON Schema. Any other is refused, so that no typo is ignored. */
  readonly fields: Readonly<Record<string, JsonObject>>;
  /** The required ones. */
  readonly required?: readonly string[];
  readonly compose: (
    body: JsonObject,
    about: ActionSubject,
  ) => ActionMessage | Refusal | Promise<ActionMessage | Refusal>;
}

/** An action whose body is the payload of a message about one proposal. */
export function remark(kind: string): Action['compose'] {
  return (payload, { id }) => ({ kind, correlationId: id, payload });
}

import { randomBytes } from 'node:crypto';
import { digestJson, type JsonObject } from '@proffer/core';

/** Whose call it is, of what, with what: two calls with the same key are one wish. */
export interface CallIdentity {
  readonly principal: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The client, where one guard has several that must not share what they wait for. */
  readonly scope?: string;
}

const PREFIX = 'call-';
const DIGITS = 24;

/** What identifies a wish. A retry has the same key, so that it joins what waits already (O-3). */
export function callKey(identity: CallIdentity): string {
  return digestJson({ ...identity }).slice('sha256:'.length, 'sha256:'.length + DIGITS);
}

/**
 * The id of the proposal for a wish.
 *
 * @param epoch - tells one wish from a later one of the same content, made after the first was over
 */
export function proposalId(key: string, epoch: string): string {
  return `${PREFIX}${key}-${epoch}`;
}

/** The key in the id of a proposal that a guard made; nothing if it is another's. */
export function keyOfProposal(id: string): string | undefined {
  const [, key] = /^call-([0-9a-f]{24})-[0-9a-z]+$/.exec(id) ?? [];
  return key;
}

/**
 * Epochs that no other guard and no earlier run of this one has, and that nobody can guess: over HTTP,
 * whoever knows the id of a proposal may ask for its outcome.
 */
export function createEpochs(now: number): () => string {
  return () => `${now.toString(36)}${randomBytes(10).toString('hex')}`;
}

/**
 * The name under which a tool is proposed and announced. It says whose it is, since two guards may have
 * tools of the same name, and somebody who approves a call must reach the right one (O-26).
 */
export function qualifiedName(principal: string, server: string, tool: string): string {
  return principal === server ? `${server}/${tool}` : `${principal}/${server}/${tool}`;
}

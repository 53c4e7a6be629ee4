import { canonicalJson, type JsonValue } from '@proffer/core/json';
import { type PolicyDescriptor } from '@proffer/core/negotiation';
import { MacpError, type MacpErrorCode } from './macp-error.js';
import type { Try } from './persist.js';
import type { MacpTransport } from './transport.js';

/**
 * Removes something; if repeated after a lost connection and there is nothing left to remove, it
 * counts as done.
 */
export async function treatMissingAsRemoved(
  code: MacpErrorCode,
  { isRepeated }: Try,
  removed: Promise<void>,
): Promise<void> {
  try {
    await removed;
  } catch (error) {
    if (!(isRepeated && error instanceof MacpError && error.code === code)) throw error;
  }
}

/**
 * Registers a policy once: repeated after a lost connection, it counts as done if the same policy is
 * there.
 */
export async function registerOnce(
  transport: MacpTransport,
  descriptor: PolicyDescriptor,
  attempt: Try,
): Promise<void> {
  try {
    await transport.registerPolicy(descriptor, attempt);
  } catch (error) {
    const mayBeDone =
      attempt.isRepeated && error instanceof MacpError && error.code === 'INVALID_POLICY_DEFINITION';
    if (!mayBeDone) throw error;
    const known = await transport.getPolicy(descriptor.policy_id, attempt).catch(() => undefined);
    if (known === undefined || !isSame(known, descriptor)) throw error;
  }
}

function isSame(left: PolicyDescriptor, right: PolicyDescriptor): boolean {
  return meaningOf(left) === meaningOf(right);
}

function meaningOf({ mode, description, rules }: PolicyDescriptor): string {
  return canonicalJson([mode, description, JSON.parse(rules) as JsonValue]);
}

/**
 * Promotes a mode once: repeated after a lost connection, it counts as done if it is listed with MACP's own
 * under the new name.
 */
export async function promoteOnce(
  transport: MacpTransport,
  { mode, name }: { readonly mode: string; readonly name: string },
  attempt: Try,
): Promise<string> {
  try {
    return await transport.promoteMode(mode, name, attempt);
  } catch (error) {
    const mayBeDone = attempt.isRepeated && error instanceof MacpError && error.code === 'MODE_NOT_SUPPORTED';
    if (!mayBeDone) throw error;
    const modes = await transport.listModes(attempt);
    if (modes.some((known) => known.mode === name)) return name;
    throw error;
  }
}

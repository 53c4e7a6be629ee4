import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, GATEWAY, type Refusal, type Result, refuse, success } from '@proffer/core';
import { isJsonObject, type JsonValue, parseJson, quote } from '@proffer/core/json';
import { macpRefusal } from '@proffer/core/negotiation';
import type { NegotiationRuntime } from './negotiation-runtime.js';

/**
 * Makes the policies of a folder, one for each `.json` file, the registered ones (N-30). The first that cannot be
 * registered is refused, with the name of its file. Returns the ids of those that no file has any more.
 */
export async function registerPolicyFiles(
  { policies, clock }: Pick<NegotiationRuntime, 'policies' | 'clock'>,
  folder: string,
): Promise<Result<readonly string[]>> {
  let files: readonly string[];
  try {
    files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    return failure(refuseFile(folder, error instanceof Error ? error.message : String(error)));
  }
  const wanted = new Map<string, JsonValue>();
  for (const name of files) {
    const file = join(folder, name);
    const read = await readPolicy(file);
    if (!read.ok) return read;
    wanted.set(file, read.value);
  }
  const ids = new Set([...wanted.values()].map((value) => isJsonObject(value) && value['policy_id']));
  const gone = [...policies.state.available.keys()].filter((id) => !ids.has(id));
  const context = () => ({ now: clock() });
  // Before the new ones, which may need the room.
  for (const policyId of gone)
    await policies.submit({ type: 'unregister', principal: GATEWAY, policyId }, context);
  for (const [file, descriptor] of wanted) {
    const outcome = await policies.submit({ type: 'register', principal: GATEWAY, descriptor }, context);
    const refusal = 'refusal' in outcome ? outcome.refusal : undefined;
    if (refusal !== undefined && refusal.details['reason'] !== 'registered') {
      return failure({ ...macpRefusal(refusal), message: `${file}: ${refusal.message}` });
    }
  }
  return success(gone);
}

/** A definition as other runtimes keep it: the rules may be an object. */
async function readPolicy(file: string): Promise<Result<JsonValue>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return failure(refuseFile(file, error instanceof Error ? error.message : String(error)));
  }
  const json = parseJson(text);
  if (!json.ok) return failure(refuseFile(file, json.refusal.message));
  if (!isJsonObject(json.value) || !isJsonObject(json.value['rules'])) return json;
  return success({ ...json.value, rules: JSON.stringify(json.value['rules']) });
}

function refuseFile(file: string, why: string): Refusal {
  return refuse('INVALID_POLICY_DEFINITION', `The policies in ${quote(file)} cannot be read: ${why}`, {
    file,
  });
}

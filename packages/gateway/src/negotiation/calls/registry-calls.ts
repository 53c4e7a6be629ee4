import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { isJsonObject, type JsonValue, quote, textOf } from '@proffer/core/json';
import {
  findPolicy,
  macpRefusal,
  type PolicyDescriptor,
  refuseUnknownPolicy,
} from '@proffer/core/negotiation';
import type { NegotiationRights } from '../../door/index.js';
import { refusalForJournalError } from '../../journal/index.js';
import type { NegotiationCalls } from '../runtime.js';
import type { CallsOptions } from './negotiation-caller.js';

type RegistryCalls = Pick<
  NegotiationCalls,
  | 'registerPolicy'
  | 'unregisterPolicy'
  | 'policy'
  | 'policies'
  | 'watchPolicies'
  | 'registerMode'
  | 'unregisterMode'
  | 'promoteMode'
>;

/**
 * What a caller may read about policies, and change about them and the modes. Every caller may read; changing
 * needs a right.
 */
export function createRegistryCalls(options: CallsOptions): RegistryCalls {
  const { negotiation, name, rights, mayStay, hasFixedPolicies } = options;
  const context = () => ({ now: negotiation.clock() });

  function reading<Value>(read: () => Result<Value>): Result<Value> {
    const current = rights();
    return current.ok ? read() : current;
  }

  /** Changes a registry: the refusal, or `undefined`. */
  async function change(
    submit: (principal: string) => Promise<{ readonly status: string; readonly refusal?: Refusal }>,
  ): Promise<Refusal | undefined> {
    const current = rights();
    if (!current.ok) return current.refusal;
    if (!mayManage(current.value)) return refuseManager(name);
    try {
      const outcome = await negotiation.run(() => submit(name));
      if (outcome === undefined)
        return macpRefusal(refuse('unavailable', 'The gateway accepts no more messages.'));
      return outcome.refusal === undefined ? undefined : macpRefusal(outcome.refusal);
    } catch (error) {
      negotiation.report(error);
      return macpRefusal(refusalForJournalError(error));
    }
  }

  function describePolicy(policyId: string): Result<PolicyDescriptor> {
    const found = findPolicy(negotiation.policies.state, policyId, negotiation.defaultPolicy);
    return found === undefined ? failure(refuseUnknownPolicy(policyId)) : success(found);
  }

  function findMode(mode: string) {
    const found = negotiation.modes.state.get(mode);
    const what = `Mode ${quote(mode)} no longer exists.`;
    return found === undefined ? failure(refuse('MODE_NOT_SUPPORTED', what)) : success(found.descriptor);
  }

  return {
    async registerPolicy(descriptor) {
      if (hasFixedPolicies) return failure(refuseFixed());
      const refused = await change((principal) =>
        negotiation.policies.submit({ type: 'register', principal, descriptor }, context),
      );
      return refused === undefined ? describePolicy(textIn(descriptor, 'policy_id')) : failure(refused);
    },

    async unregisterPolicy(policyId) {
      if (hasFixedPolicies) return failure(refuseFixed());
      const known = describePolicy(policyId);
      const refused = await change((principal) =>
        negotiation.policies.submit({ type: 'unregister', principal, policyId }, context),
      );
      return refused === undefined ? known : failure(refused);
    },

    policy: (policyId) => reading(() => describePolicy(policyId)),

    policies: (mode) =>
      reading(() => {
        const all = negotiation.policyList().descriptors;
        return success(
          mode === '' ? all : all.filter((policy) => policy.mode === mode || policy.mode === '*'),
        );
      }),

    watchPolicies: (listener) =>
      reading(() =>
        success(
          negotiation.policyChanges.listen(listener, {
            first: [negotiation.policyList()],
            pick: (item) => item,
            mayStay,
          }),
        ),
      ),

    async registerMode(descriptor) {
      const refused = await change((principal) =>
        negotiation.modes.submit({ type: 'register', principal, descriptor }, context),
      );
      return refused === undefined ? findMode(textIn(descriptor, 'mode')) : failure(refused);
    },

    async unregisterMode(mode) {
      const known = findMode(mode);
      const refused = await change((principal) =>
        negotiation.modes.submit({ type: 'unregister', principal, mode }, context),
      );
      return refused === undefined ? known : failure(refused);
    },

    async promoteMode(mode, name) {
      const refused = await change((principal) =>
        negotiation.modes.submit({ type: 'promote', principal, mode, name }, context),
      );
      return refused === undefined ? findMode(name === '' ? mode : name) : failure(refused);
    },
  };
}

/** A field of a descriptor that was accepted, and so has it. */
function textIn(descriptor: JsonValue, field: string): string {
  const text = isJsonObject(descriptor) ? descriptor[field] : undefined;
  return textOf(text);
}

/** A caller that may act for anyone may do what anyone may (N-7). */
function mayManage({ mayManageModes, actAs }: NegotiationRights): boolean {
  return mayManageModes || actAs === 'anyone';
}

function refuseFixed(): Refusal {
  return refuse('REGISTRY_READ_ONLY', 'The policies of this gateway are files (negotiation.policies).');
}

function refuseManager(name: string): Refusal {
  const what = `${quote(name)} may not change policies and modes (can_manage_mode_registry is off).`;
  return refuse('FORBIDDEN', what, { field: 'can_manage_mode_registry', found: false, expected: true });
}

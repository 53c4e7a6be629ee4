import type { JsonObject } from '@proffer/core/json';
import { expect } from 'vitest';
import type { CallCommand, CallEffect } from '../call-events.js';
import { askedCall, type CallState } from '../call-state.js';
import { type CallDecision, decide } from '../decide.js';
import { evolve } from '../evolve.js';

export const FACTS = { id: 'p', arguments: { amount: 1 }, createdAt: 0, expiresAt: 9 };

/** A call after these events, one millisecond apart. */
export interface GivenCall {
  readonly state: CallState;
  readonly effects: readonly CallEffect[];
  when(command: CallCommand): GivenCall;
  /** The result of the last command: the state, and the effects. */
  leadsTo(phase: CallState['phase']['type'], ...effects: readonly object[]): GivenCall;
}

/** Denies every change that contains something forbidden. */
export const denial = (args: JsonObject): string | undefined =>
  args['forbidden'] === undefined ? undefined : 'forbidden';

export function givenCall(state: CallState = askedCall(FACTS, 0), now = 0): GivenCall {
  return given(state, [], now);
}

function given(state: CallState, effects: readonly CallEffect[], now: number): GivenCall {
  return {
    state,
    effects,
    when(command) {
      const decision = decide(state, command, { denial });
      return given(applied(state, decision, now + 1), decision.effects, now + 1);
    },
    leadsTo(phase, ...expected) {
      expect(state.phase.type).toBe(phase);
      expect(effects).toEqual(expected.map((effect) => expect.objectContaining(effect)));
      return this;
    },
  };
}

/** The state that a decision leads to. */
export function applied(state: CallState, { records }: CallDecision, now: number): CallState {
  return records.reduce((before, record) => evolve(before, record, now), state);
}

import { describeMessage, type MacpEnvelope } from '@proffer/core/negotiation';
import { line, type Print } from '../story.js';

/** Prints what was accepted in a session, of any mode, since the last call. */
export function createChronicle(
  print: Print,
): (party: { readonly projection: { readonly transcript: readonly MacpEnvelope[] } }) => void {
  let told = 0;
  return ({ projection: { transcript } }) => {
    for (const envelope of transcript.slice(told)) {
      const { by, verb, about, said } = describeMessage(envelope);
      print(line(by, verb, [about, said].filter((text) => text !== '').join(': ')));
    }
    told = transcript.length;
  };
}

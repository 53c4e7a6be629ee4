import { TEST_ACCESS } from '../../testing/nats-servers.js';
import { type Authenticity, createAuthenticity, createMacs, parseKeyRing } from '../authenticity/index.js';
import { createSubjects } from '../messages/subjects.js';

/**
 * What gateways in tests sign with.
 *
 * @param journal - the id of the journal. Default: none, as in a stream of an older release
 */
export function testAuthenticity(stream: string, journal = ''): Authenticity {
  const ring = parseKeyRing(TEST_ACCESS.keys.text, 'the test');
  if (!ring.ok) throw new Error(ring.refusal.message);
  const { gap } = createSubjects(stream);
  return createAuthenticity({ macs: createMacs(ring.value), journal, acceptUnsigned: 'none', gap });
}

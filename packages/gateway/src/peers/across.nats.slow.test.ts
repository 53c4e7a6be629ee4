import { describeAccess } from '../testing/across/access.js';
import { AGREEMENTS, describeAgreements } from '../testing/across/agreements.js';
import { DECIDING, describeDeciding } from '../testing/across/deciding.js';
import { describeKilled } from '../testing/across/killed.js';
import { describeLostExecutor } from '../testing/across/lost-executor.js';
import { describeMembership } from '../testing/across/membership.js';
import { describeOperations } from '../testing/across/operations.js';
import { describePresence } from '../testing/across/presence.js';
import { describeRepeats } from '../testing/across/repeats.js';
import { describeSessions } from '../testing/across/sessions.js';
import { describeSharedLimits, SHARED_LIMITS } from '../testing/across/shared-limits.js';
import { describeStreams, STREAMS } from '../testing/across/streams.js';
import { openOnNats } from '../testing/on-nats.js';
import { onThreeGateways } from '../testing/places.js';

const venue = onThreeGateways({
  spaces: { ...STREAMS.spaces, ...DECIDING.spaces, ...SHARED_LIMITS.spaces, ...AGREEMENTS.spaces },
  masters: [
    ...new Set([...STREAMS.masters, ...DECIDING.masters, ...SHARED_LIMITS.masters, ...AGREEMENTS.masters]),
  ],
});

describeOperations('three gateways', venue);
describeSharedLimits('three gateways', venue);
describePresence('three gateways', venue);
describeLostExecutor('three gateways', venue);
describeDeciding('three gateways', venue);
describeMembership('three gateways', venue);
describeStreams('three gateways', venue);
describeSessions('three gateways', venue);
describeAgreements('three gateways', venue);
describeAccess('three gateways', venue);
describeKilled('three gateways', venue);
describeRepeats('NATS', async () => {
  const place = venue.newPlace();
  return [await openOnNats(place), await openOnNats(place)];
});

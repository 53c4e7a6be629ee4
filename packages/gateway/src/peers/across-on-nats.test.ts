import { describeSessions } from '../testing/across/sessions.js';
import { describeStreams, STREAMS } from '../testing/across/streams.js';
import { onThreeGateways } from '../testing/places.js';

const venue = onThreeGateways({ spaces: { ...STREAMS.spaces }, masters: STREAMS.masters });

describeStreams('three gateways', venue);
describeSessions('three gateways', venue);

import { describeSessions } from '../testing/across/sessions.js';
import { onTwoGateways } from '../testing/places.js';

describeSessions('two gateways', onTwoGateways());

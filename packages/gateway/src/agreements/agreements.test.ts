import { AGREEMENTS, describeAgreements } from '../testing/across/agreements.js';
import { onOneGateway, onTwoGateways } from '../testing/places.js';

describeAgreements('one gateway', onOneGateway(AGREEMENTS));
describeAgreements('two gateways', onTwoGateways(AGREEMENTS));

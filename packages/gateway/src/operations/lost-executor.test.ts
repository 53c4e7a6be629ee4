import { describeLostExecutor } from '../testing/across/lost-executor.js';
import { onOneGateway } from '../testing/places.js';

describeLostExecutor('one gateway', onOneGateway());

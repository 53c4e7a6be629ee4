import { describeMatrix } from '../testing/matrix.js';
import { byHumanInTheLoop, byOwnInterrupts, inPlace } from './testing/scripted.js';

describeMatrix(inPlace);
describeMatrix(byOwnInterrupts);
describeMatrix(byHumanInTheLoop);

import { describeMatrix } from '../testing/matrix.js';
import { byInterruptions, inPlace } from './testing/scripted.js';

describeMatrix(inPlace);
describeMatrix(byInterruptions);

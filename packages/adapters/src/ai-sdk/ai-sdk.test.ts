import { describeMatrix } from '../testing/matrix.js';
import { byMessages, inPlace } from './testing/scripted.js';

describeMatrix(inPlace);
describeMatrix(byMessages);

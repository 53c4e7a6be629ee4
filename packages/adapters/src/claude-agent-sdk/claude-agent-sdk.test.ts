import { describeMatrix } from '../testing/matrix.js';
import { byCanUseTool } from './testing/scripted.js';

describeMatrix(byCanUseTool);

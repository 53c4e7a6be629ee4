/** Where paths lead on this machine, and how rules name the places on the way. */

export { openDisk, type PathLookup } from './disk.js';
export { followPath, hasTooManyParts } from './follow-path.js';
export { absolutePath, isWithin, joinPlaces, type PathContext, type Places, placesOf } from './places.js';

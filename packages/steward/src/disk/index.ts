/** Where paths lead on this machine, and how rules name the places on the way. */

export { type Disk, openDisk } from './disk.js';
export { followPath } from './follow-path.js';
export { absolutePath, isWithin, joinPlaces, type Places, placesOf, type Surroundings } from './places.js';

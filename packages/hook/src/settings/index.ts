/** Settings files of other programs: read, and edited so that everything else in them stays as it is. */

export { editSettings, NotAnObjectError, readSettings, type SettingsFormat } from './edit-settings.js';
export { NotRegularError, openRegular, readRegularFile, versionOf } from './read-regular-file.js';
export { UnreadableTextError } from './settings-tree.js';

/** Settings files of other programs: read, and edited so that everything else in them stays as it is. */

export { editSettings, NotAnObjectError, readSettings, type SettingsFormat } from './edit-settings.js';
export { versionOf } from './file-version.js';
export { NotRegularError, openRegular, readRegularFile } from './read-regular-file.js';
export { UnreadableTextError } from './unreadable-text.js';

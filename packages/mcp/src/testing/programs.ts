import guard from './guard-main.program';
import notes from './servers/notes-main.program';
import showcase from './servers/showcase-main.program';

/** Programs that tests run as separate processes. */
export const programs = {
  /** A guard: `guard-main.js OPTIONS-AS-JSON`. */
  guard,
  /** The notes server over stdio: `notes-main.js FILE [FOLDER]`. */
  notes,
  /** A server with every feature of 2026-07-28: `showcase-main.js [http]`. */
  showcase,
} as const;

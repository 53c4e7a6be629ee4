import { configureGlobal } from 'fast-check';

// Runs before every test file: property tests use the seed of the run, as everything random in the tests does.
configureGlobal({ seed: Number(process.env['PROFFER_SEED']) });

/**
 * Disables code generation in zod, which the Content-Security-Policy forbids. Import this before any module that
 * defines a schema, in the shell and in the remotes.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

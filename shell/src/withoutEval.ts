/**
 * The page's policy forbids making code from text, which zod tries unless told not to. It looks here before its first
 * schema, in the shell and in the remotes, so this must run before any of them.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

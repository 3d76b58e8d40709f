/**
 * Node's own modules. An import of them makes an export of every name in them first, which for node:fs alone takes
 * longer than a small file takes to read; this does not.
 */
import { createRequire } from 'node:module'

/** @type {NodeJS.Require | typeof process.getBuiltinModule} */
const load = process.getBuiltinModule ?? createRequire(import.meta.url)

export const fs = /** @type {typeof import('node:fs')} */ (load('node:fs'))
/* Loaded when something needs them. */
export const url = () => /** @type {typeof import('node:url')} */ (load('node:url'))
export const zlib = () => /** @type {typeof import('node:zlib')} */ (load('node:zlib'))

import { resolve } from 'node:path'

/** Node's compile cache, which halves the work of a start. Only a process that exits normally or flushes it writes to it. */
export const compileCache = { NODE_COMPILE_CACHE: resolve('.crossquote/compileCache') }

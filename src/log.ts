import { type Logger, pino } from 'pino'

/** Structured logging: JSON lines on standard output, `level` and above. */
export const createLog = (level: string): Log => pino({ level, base: null })

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** `json`: one object per line, for machines. `pretty`: one sentence per line, for people. */
type LogFormat = 'json' | 'pretty'

/** Structured logging to standard output, from `level` up. */
export const createLog = (level: string, format: LogFormat = 'json'): Log =>
  format === 'json'
    ? pino({ level, base: null })
    : pino(
        { level, base: null },
        pretty({ translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }),
      )

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

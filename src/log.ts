import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** `json` is one object a line, for machines; `pretty` is one sentence a line, for people. */
type LogFormat = 'json' | 'pretty'

/** Structured logging on standard output, `level` and above. */
export const createLog = (level: string, format: LogFormat = 'json'): Log =>
  format === 'json'
    ? pino({ level, base: null })
    : pino(
        { level, base: null },
        pretty({ translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }),
      )

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

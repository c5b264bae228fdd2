export type TickMap = never

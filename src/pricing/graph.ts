export type PoolGraph = never

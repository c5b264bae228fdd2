/** How long tests wait for a condition that is bound to come, on a machine however busy. */
export const patience = { timeout: 60_000 }

/** How long tests wait for a condition that is bound to come, on a machine however busy. */
export const patience = { timeout: 60_000 }

/** Trackers look for overdue requests this often, by their own clock. */
export const overdueIntervalMs = 10_000

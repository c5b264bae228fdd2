/** How long tests wait for what is bound to come: machines have other things to do as well. */
export const patience = { timeout: 60_000 }

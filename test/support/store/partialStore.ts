import type { RequestStore } from '#src/requests/requestStore.ts'

/** A store with these methods alone. A call of another one fails the test. */
export const partialStore = (methods: Partial<RequestStore>): RequestStore =>
  methods as RequestStore

/** What a currency's contract calls itself in the EIP-712 domain of its signatures. */
export type TokenDomain = Readonly<{ name: string; version: string }>

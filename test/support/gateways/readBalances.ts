import { vi } from 'vitest'
import { patience } from '#test/support/patience.ts'
import type { Stack } from './stack.ts'

const heldQuery = `query Held($chainId: ChainId!, $currencies: [Address!]!, $user: Address!) {
  currencies(chainIds: [$chainId], addresses: $currencies, first: 100) {
    edges { node { balance(user: $user) } }
  }
}`
type Held = { currencies: { edges: readonly { node: { balance: string | null } }[] } }

/** Waits until the gateway reports all balances of these users. It then caches them until the next block. */
export async function readBalances(
  stack: Stack,
  {
    users,
    ...where
  }: Readonly<{ chainId: number; currencies: readonly string[]; users: readonly string[] }>,
): Promise<void> {
  for (const user of users)
    await vi.waitUntil(async () => {
      const { data } = await stack.query<Held, object>(heldQuery, { ...where, user })
      return data?.currencies.edges.every(({ node }) => node.balance !== null)
    }, patience)
}

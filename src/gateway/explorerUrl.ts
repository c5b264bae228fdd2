import type { Service } from '#src/service/service.ts'

type Explorers = Pick<Service, 'chain'>

/** Page of a transaction in the block explorer of its chain; undefined without a transaction or an explorer. */
export const explorerUrlOf = (
  { chainId, txHash }: Readonly<{ chainId: number; txHash?: string | undefined }>,
  explorers: Explorers,
): string | undefined => txHash && pageOf(chainId, `tx/${txHash}`, explorers)

/** Page of an account or a contract in the block explorer of its chain; undefined without an explorer. */
export const addressUrlOf = (
  { chainId, address }: Readonly<{ chainId: number; address: string }>,
  explorers: Explorers,
): string | undefined => pageOf(chainId, `address/${address}`, explorers)

function pageOf(chainId: number, path: string, { chain }: Explorers): string | undefined {
  const base = chain(chainId)?.explorerUrl
  return base && `${base.replace(/\/$/, '')}/${path}`
}

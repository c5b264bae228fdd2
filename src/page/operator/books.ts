/** The answer of `GET /operator/books`, as far as the page shows it. Amounts and dollars are decimal strings. */
export type Books = Readonly<{
  chains: readonly Inventory[]
  moves: readonly Move[]
  days: readonly Day[]
  openRequests: readonly OpenRequests[]
  alarms: readonly Readonly<{ name: string; chainId?: number; text: string }>[]
}>

export type Inventory = Readonly<{
  chainId: number
  displayName: string
  gasSymbol: string
  gasBalanceFormatted?: string
  gasFills?: number
  holdings: readonly Holding[]
}>

export type Holding = Readonly<{
  symbol: string
  balance?: string
  balanceFormatted?: string
  balanceUsd?: string
  unsettled: string
  unsettledFormatted: string
  target?: string
  targetFormatted?: string
  minimum?: string
  minimumFormatted?: string
  isLow: boolean
}>

export type Move = Readonly<{
  asset: string
  from: Readonly<{ chainId: number }>
  to: Readonly<{ chainId: number }>
  amountFormatted: string
  amountUsd?: string
  costUsd?: string
}>

type Sums = Readonly<{
  transactions: number
  volumeUsd: string
  feesUsd: string
  sponsoredUsd: string
  gasUsd: string
  profitUsd: string
  unknownValues: number
}>

export type Day = Readonly<{ day: string; total: Sums }>

export type OpenRequests = Readonly<{
  status: 'depositing' | 'pending' | 'submitted'
  minAgeSeconds: number
  count: number
}>

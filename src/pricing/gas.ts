/** What a chain charges for gas at one block. All in wei of the native currency. */
export type GasMarket = Readonly<{
  /** 0 on chains without EIP-1559. */
  baseFeePerGas: bigint
  /** The tip that gets a transaction into the next blocks, from `eth_feeHistory`. */
  priorityFeePerGas: bigint
  l1DataFee: L1DataFee
}>

/** What a rollup adds for publishing a transaction's data on its parent chain. */
export type L1DataFee =
  | Readonly<{ model: 'none' }>
  | Readonly<{
      /** OP stack since Fjord, parameters as the GasPriceOracle predeploy names them. */
      model: 'opStack'
      l1BaseFee: bigint
      blobBaseFee: bigint
      baseFeeScalar: bigint
      blobBaseFeeScalar: bigint
    }>
  | Readonly<{
      /** ArbGasInfo `getPricesInWei`: wei for each byte of calldata. */
      model: 'arbitrum'
      perL1CalldataByte: bigint
    }>

/**
 * Globs of the tests that `npm test` leaves out and `npm run test:all` runs. Together they take more than half of the CPU
 * time of all tests.
 */
export const slowFiles: readonly string[] = [
  '**/*.slow.test.ts',
  // Processes that crash, fail, or work under load; attacks on a running solver.
  'test/{attacks,crash,faults}/**/*.test.ts',
  'test/tracker/{backlog,faults,overlooked}.test.ts',
  'src/requests/store/openRequestStoreCrash.test.ts',
  // A browser.
  'test/page/**/*.test.ts',
  'test/gateway/graphiql.test.ts',
  // Requests from quote to end on three chains. Their usual cases are fast: fills, settlements, the README's commands.
  'test/{execute,permits,requests}/**/*.test.ts',
  'test/solver/!(fills|settlements).test.ts',
  'test/tracker/payments.test.ts',
  // Every demo of the README, generated code, and what every kind of request leaves to every account.
  'test/{frontends/codegen,onChain/settledRequests}.test.ts',
  // Several processes or gateways, deployments, thousands of subscribers, minutes of blocks.
  'test/system/!(stack).test.ts',
  'test/upstream/**/*.test.ts',
  'test/contracts/{deploy,deploySvm,uniswapRouters}.test.ts',
  'src/system/check/checkChain.test.ts',
  'test/gateway/{livePriceReaders,subscribers}.test.ts',
  'test/endpoints/badMinutes.test.ts',
  // Many swaps, pools or rows. Each kind of pool, and each query, has a fast test of its own.
  'test/onChain/{swaps,pools/mixedRoutes}.test.ts',
  'test/market/**/*.test.ts',
  'src/market/{marketState,marketFailures}.test.ts',
  'src/market/pools/verification/upkeep.test.ts',
  'src/requests/store/{migrations,openRequestStore,queries/requestReads}.test.ts',
]

/** Globs of the tests that `npm test` runs with some of their cases, and `npm run test:all` again with all. */
export const repeatedFiles: readonly string[] = [
  'test/solver/{fills,settlements}.test.ts',
  'test/system/stack.test.ts',
  'test/tracker/{deposits,multiInput}.test.ts',
  'test/onChain/pools/v3.test.ts',
]

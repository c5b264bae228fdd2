/** The groups of the REST API in its documentation, in their order, with the first parts of their paths. */
const groups = [
  {
    name: 'Prices and quotes',
    description: 'What a swap costs, and the steps that execute it.',
    starts: ['/price', '/quote/', '/execute/swap/'],
  },
  {
    name: 'Execution',
    description: 'Signatures and calls that the gateway sends for users.',
    starts: ['/execute'],
  },
  {
    name: 'Requests',
    description: 'The progress and the history of swaps, and the transactions that belong to them.',
    starts: ['/intents/', '/requests/', '/transactions/'],
  },
  {
    name: 'Currencies and chains',
    description: 'What can be swapped, where, and in what state the chains are.',
    starts: ['/currencies/', '/chains', '/config/', '/swap-sources'],
  },
  {
    name: 'Operators',
    description: 'What the solver holds and earns. For API keys with the right `operator`.',
    starts: ['/operator/'],
  },
] as const

/** The tags of the OpenAPI document. */
export const tags = groups.map(({ name, description }) => ({ name, description }))

/** The name of the group of a path. */
export function tagOf(path: string): string {
  const group = groups.find(({ starts }) => starts.some((start) => path.startsWith(start)))
  if (group === undefined) throw new Error(`No group of the REST documentation has ${path}`)
  return group.name
}

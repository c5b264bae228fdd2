import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileProgram } from './svm/compileProgram.ts'

/** `npm run compile` writes the artifacts; `--check` only checks that they match the source. */
const folders = ['src/protocol/contracts', 'src/devnet', 'test/support']

type Contract = {
  abi: unknown[]
  evm: {
    bytecode: { object: string }
    deployedBytecode: {
      object: string
      immutableReferences: Record<string, { start: number; length: number }[]>
    }
  }
}
type Output = {
  contracts?: Record<string, Record<string, Contract>>
  errors?: { formattedMessage: string; sourceLocation?: { file: string } }[]
}

const solc = createRequire(import.meta.url)('solc') as {
  compile: (input: string, callbacks: { import: (path: string) => { contents: string } }) => string
}

/** Resolves imports of OpenZeppelin's contracts by package name. */
const readPackage = (path: string) => ({
  contents: readFileSync(`node_modules/${path}`, 'utf8'),
})

/** One artifact for each file whose own contract can be deployed: path to text. */
function compile(folder: string): Map<string, string> {
  const names = readdirSync(`${folder}/solidity`).filter((name) => name.endsWith('.sol'))
  const sources = Object.fromEntries(
    names.map((name) => [name, { content: readFileSync(`${folder}/solidity/${name}`, 'utf8') }]),
  )
  const settings = {
    evmVersion: 'cancun',
    optimizer: { enabled: true, runs: 10_000 },
    // The hash would tie the bytecode to comments and paths.
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: {
      '*': {
        '*': [
          'abi',
          'evm.bytecode.object',
          'evm.deployedBytecode.object',
          'evm.deployedBytecode.immutableReferences',
        ],
      },
    },
  }
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const { contracts = {}, errors = [] } = JSON.parse(
    solc.compile(input, { import: readPackage }),
  ) as Output
  // Warnings about packages are ignored.
  const own = errors.filter(({ sourceLocation }) => !sourceLocation?.file.startsWith('@'))
  if (own.length > 0) throw new Error(own.map((each) => each.formattedMessage).join('\n'))
  return new Map(
    names.flatMap((name) => artifact(folder, name.slice(0, -'.sol'.length), contracts)),
  )
}

function artifact(
  folder: string,
  name: string,
  contracts: NonNullable<Output['contracts']>,
): [path: string, text: string][] {
  const contract = contracts[`${name}.sol`]?.[name]
  if (contract === undefined) throw new Error(`${name}.sol has no contract ${name}`)
  const { abi, evm } = contract
  if (evm.bytecode.object === '') return []
  const value = {
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
    ...(folder === 'src/protocol/contracts' && { immutables: immutablesOf(evm) }),
  }
  const variable = `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`
  const heading = `// Generated from ../solidity/${name}.sol by npm run compile.`
  const text = `${heading}\nexport const ${variable} = ${JSON.stringify(value)} as const\n`
  return [[`${folder}/artifacts/${variable}.ts`, text]]
}

/** The places of constructor values in the deployed code: offset and length in bytes. */
const immutablesOf = ({ deployedBytecode: { immutableReferences } }: Contract['evm']) =>
  Object.values(immutableReferences)
    .flat()
    .map(({ start, length }) => [start, length])
    .sort(([one = 0], [other = 0]) => one - other)

const checkOnly = process.argv.includes('--check')
for (const folder of folders) {
  mkdirSync(`${folder}/artifacts`, { recursive: true })
  const wanted = compile(folder)
  const present = readdirSync(`${folder}/artifacts`).map((name) => `${folder}/artifacts/${name}`)
  for (const path of present.filter((each) => !wanted.has(each))) {
    if (checkOnly) fail(`${path} has no source`)
    else rmSync(path)
  }
  for (const [path, text] of wanted) {
    if (!checkOnly) writeFileSync(path, text)
    else if (!present.includes(path) || readFileSync(path, 'utf8') !== text)
      fail(`${path} does not match its source: run npm run compile`)
  }
}

const problem = compileProgram(checkOnly)
if (problem !== undefined) fail(problem)

function fail(problem: string): void {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}

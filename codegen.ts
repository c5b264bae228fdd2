import type { CodegenConfig } from '@graphql-codegen/cli'

const config: CodegenConfig = {
  schema: './schema.graphql',
  documents: ['test/**/*.ts', '!test/generated/**', '!test/**/node_modules/**'],
  importExtension: '.ts',
  generates: {
    './test/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        documentMode: 'string',
        strictScalars: true,
        scalars: {
          Address: 'string',
          Amount: 'string',
          Bps: 'string',
          ChainId: 'number',
          Decimal: 'string',
          Hex: 'string',
          MicroUsd: 'string',
          JsonObject: 'Record<string, unknown>',
          RequestId: 'string',
          SafeInt: 'number',
          Usd: 'string',
        },
      },
    },
  },
}
export default config

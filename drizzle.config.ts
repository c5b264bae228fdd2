import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/requests/requestTable.ts',
  out: './src/requests/migrations',
})

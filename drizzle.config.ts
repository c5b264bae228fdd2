import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/requests/store/*Table.ts',
  out: './src/requests/store/migrations',
})

import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/requests/store/tables/*Table.ts',
  out: './src/requests/store/migrations',
})

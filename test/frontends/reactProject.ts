import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { build, preview } from 'vite'

const files = {
  'index.html':
    '<link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  'package.json': JSON.stringify({ type: 'module' }),
  'src/main.tsx': `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import App from './App.tsx'

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<StrictMode><App /></StrictMode>)
`,
}

/** Builds a React page with this `src/App.tsx`, as Vite's template does, and serves it. */
export async function serveReactPage(app: string) {
  const root = mkdtempSync(join(tmpdir(), 'react-page-'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  for (const [path, text] of Object.entries({ ...files, 'src/App.tsx': app })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const options = { root, configFile: false, logLevel: 'error' } as const
  await build(options)
  const server = await preview({ ...options, preview: { host: '127.0.0.1', port: 0 } })
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    stop: async () => {
      await server.close()
      rmSync(root, { recursive: true })
    },
  }
}

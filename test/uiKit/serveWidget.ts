import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createServer } from 'vite'

const root = import.meta.dirname

/** Serves the page of this folder with Vite, for the gateway at `gateway`. Resolves with its URL once it listens. */
export async function serveWidget(
  gateway: string,
  port = 0,
): Promise<Readonly<{ url: string; close: () => Promise<void> }>> {
  const require = createRequire(join(root, 'package.json'))
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'warn',
    cacheDir: join(root, 'node_modules/.vite'),
    define: { 'import.meta.env.VITE_GATEWAY': JSON.stringify(gateway) },
    resolve: {
      alias: { '@moonpay/moonpay-react': join(root, 'noMoonPay.js') },
      dedupe: ['viem', 'react', 'react-dom'],
    },
    server: { host: '127.0.0.1', port },
  })
  // Fails here, and not in the browser, if the packages are missing.
  require.resolve('@relayprotocol/relay-kit-ui')
  await server.listen()
  const [url = ''] = server.resolvedUrls?.local ?? []
  return { url, close: () => server.close() }
}

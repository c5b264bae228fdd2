import { parseArgs } from 'node:util'
import { driveWidget } from './driveWidget.ts'
import { serveWidget } from './serveWidget.ts'

// Serves the official SwapWidget for a running gateway: `npm run widget`. With `--drive` a headless Chromium swaps with
// it, and leaves screenshots in the directory that follows.
const { values } = parseArgs({
  options: {
    gateway: { type: 'string', default: 'http://localhost:4000' },
    port: { type: 'string', default: '4100' },
    drive: { type: 'string' },
  },
})

const { url, close } = await serveWidget(values.gateway, Number(values.port))
process.stdout.write(`The widget is at ${url}\n`)
if (values.drive !== undefined) {
  await driveWidget(url, values.drive)
  await close()
}

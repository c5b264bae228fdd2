import { html, render } from 'htm/preact'
import { App } from '#src/page/views/app.js'

const root = document.getElementById('page')
if (root !== null) render(html`<${App} />`, root)

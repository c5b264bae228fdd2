import { html, render } from 'htm/preact'
import { Operator } from '#src/page/operator/operator.js'

const root = document.getElementById('page')
if (root !== null) render(html`<${Operator} />`, root)

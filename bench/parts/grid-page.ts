import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import react from '@vitejs/plugin-react'
import { root } from '#kit/root'

/** Columns of both pages; 120 px wide, rows 32 px high. */
export const columns = 20

/** The dashboard's grid over rows that cost nothing to make. `?rows=` says how many. */
const ours = `
import '${root}/dashboard/ui/base.css'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { GridBox } from '${root}/dashboard/ui/grid/GridBox.tsx'
const rowCount = Number(new URLSearchParams(location.search).get('rows'))
const columns = Array.from({ length: ${columns} }, (_, i) => (
  { id: 'c' + i, name: 'column_' + i, type: 'text', width: 120, numeric: false }))
const cellAt = (row, column) => ({ text: 'r' + row + ' c' + column })
createRoot(document.getElementById('root')).render(
  createElement(GridBox, { label: 'Rows', columns, rowCount, cellAt }),
)
window.scrollOneFrame = () => { document.querySelector('.dvn-scroller').scrollTop += 96 }
`
/** What has to be drawn in any case: the same cells and lines, by hand on a canvas, with nothing around them. */
const bare = `
const canvas = document.querySelector('canvas')
const ratio = devicePixelRatio
canvas.width = innerWidth * ratio; canvas.height = innerHeight * ratio
const ctx = canvas.getContext('2d')
let top = 0
window.scrollOneFrame = () => {
  top += 96
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  ctx.fillStyle = '#111'; ctx.fillRect(0, 0, innerWidth, innerHeight)
  ctx.font = '12px monospace'; ctx.textBaseline = 'middle'; ctx.letterSpacing = '0.01px'
  const first = Math.floor(top / 32)
  for (let r = 0; r <= innerHeight / 32; r++) {
    for (let c = 0; c < innerWidth / 120; c++) {
      const x = c * 120, y = r * 32 - (top % 32)
      ctx.save(); ctx.beginPath(); ctx.rect(x, y, 120, 32); ctx.clip()
      ctx.fillStyle = '#eee'; ctx.fillText('r' + (first + r) + ' c' + c, x + 8, y + 16)
      ctx.restore()
      ctx.fillStyle = '#333'; ctx.fillRect(x, y + 31, 120, 1); ctx.fillRect(x + 119, y, 1, 32)
    }
  }
}
`
const page = (
  body: string,
) => `<!doctype html><html lang="en" data-theme="dark"><meta charset="utf-8">
<title>Grid</title><style>html, body, #root, .grid-box { margin: 0; height: 100%; } canvas { display: block; }</style>
${body}<div id="portal"></div><script type="module" src="./main.js"></script></html>`

/** Builds both pages below test-output and returns their folders. */
export async function buildGridPages(): Promise<{ ours: string; bare: string }> {
  return {
    ours: await built('grid-page', ours, '<div id="root"></div>'),
    bare: await built('canvas-page', bare, '<canvas style="width: 100vw; height: 100vh"></canvas>'),
  }
}

async function built(name: string, source: string, body: string): Promise<string> {
  const folder = join(root, 'test-output', name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'main.js'), source)
  await writeFile(join(folder, 'index.html'), page(body))
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: 'dist', emptyOutDir: true, chunkSizeWarningLimit: 5000 },
  })
  return join(folder, 'dist')
}

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from '#kit/root'

/** What the same libraries cost with nothing of ours: one route, one query, one heading. */
const source = `
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
function Page() {
  const { data } = useQuery({ queryKey: ['text'], queryFn: async () => 'A page with nothing on it' })
  return createElement('h1', null, data ?? 'Loading')
}
const rootRoute = createRootRoute()
const index = createRoute({ getParentRoute: () => rootRoute, path: '/', component: Page })
const router = createRouter({ routeTree: rootRoute.addChildren([index]) })
const client = new QueryClient()
createRoot(document.getElementById('root')).render(
  createElement(QueryClientProvider, { client }, createElement(RouterProvider, { router })),
)
`
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Base</title>
<div id="root"></div><script type="module" src="./main.js"></script></html>`

/** Builds the bare page below test-output and returns its folder. */
export async function buildBasePage(): Promise<string> {
  const folder = join(root, 'test-output/base-page')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'main.js'), source)
  await writeFile(join(folder, 'index.html'), html)
  await build({ root: folder, configFile: false, logLevel: 'error', build: { outDir: 'dist' } })
  return join(folder, 'dist')
}

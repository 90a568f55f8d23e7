import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mode } from '#contract/operations/platform-only'
import { routeFinder, type RouteParts } from '#contract/route-parts'

/** What the page is told before any script runs: the name of the window, and what the server is. */
type Marks = { title: string; mode: Mode }

/**
 * The page of the dashboard, as it is sent at an address: the same for all, with the parts named that the one at this
 * address needs next (`route-parts.json` of the build). They arrive while the first scripts are still being read.
 */
export function createPages(folder: string, { title, mode }: Marks): (path: string) => string {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
    .replace(/<title>[^<]*<\/title>/, () => `<title>${asText(title)}</title>`)
    .replace(/<html\b/, `<html data-mode="${mode}"`)
  // Written by our own build.
  const parts = JSON.parse(readFileSync(join(folder, 'route-parts.json'), 'utf8')) as RouteParts
  const find = routeFinder(
    Object.fromEntries(
      Object.entries(parts).map(([address, files]) => [
        address,
        page.replace('</head>', () => `${files.map(linkTo).join('')}</head>`),
      ]),
    ),
  )
  return (path) => find(path) ?? page
}

const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`

const asText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

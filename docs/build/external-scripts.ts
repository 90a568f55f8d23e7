import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const inline = /<script(?![^>]*\s(?:src|type="application\/json"))([^>]*)>([^]*?)<\/script>/g

/**
 * The server's content policy allows scripts of its own address only, and none within a page. What VitePress writes into
 * its pages (the colour scheme, before anything is drawn) becomes files beside the others.
 */
export function externalScripts(base: string) {
  const files = new Map<string, string>()
  return {
    transformHtml: (html: string): string =>
      html.replace(inline, (_, attributes: string, code: string) => {
        const hash = createHash('sha256').update(code).digest('hex').slice(0, 8)
        const file = `assets/inline.${hash}.js`
        files.set(file, code)
        return `<script${attributes} src="${base}${file}"></script>`
      }),
    write({ outDir }: { outDir: string }): void {
      mkdirSync(join(outDir, 'assets'), { recursive: true })
      for (const [file, code] of files) writeFileSync(join(outDir, file), code)
    },
  }
}

import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { addressOf } from './site-pages.ts'

/**
 * Links in the documents are paths of the repository, so that they work where files are read. On the site a link to
 * another page leads to its address, and one to source code, which the site does not have, is its text alone.
 */
export function linksToSources(markdown: MarkdownRenderer, repository: string): void {
  // After `inline`, which makes the tokens of links, and before they are rendered, when dead links are looked for.
  markdown.core.ruler.push('links-to-sources', ({ tokens, env }) => {
    // VitePress says here which file it reads.
    const { realPath } = env as { realPath?: string }
    if (realPath === undefined) return
    for (const { children } of tokens) {
      let isDropped = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const target = siteLink(token.attrGet('href') ?? '', realPath, repository)
          isDropped = target === undefined
          if (target !== undefined) token.attrSet('href', target)
        }
        if (isDropped && /^link_(?:open|close)$/.test(token.type)) token.tag = 'span'
        if (isDropped && token.type === 'link_open') {
          token.type = 'source_open'
          token.attrs = null
        } else if (isDropped && token.type === 'link_close') {
          token.type = 'source_close'
          isDropped = false
        }
      }
    }
  })
}

/** Where a link of `file` leads on the site; undefined for a file of the repository that is no page. */
export function siteLink(href: string, file: string, repository: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = resolve(dirname(file), decodeURIComponent(path))
  // A link to what is not there stays as it is: the build tells of it.
  if (!existsSync(target)) return href
  const page = statSync(target).isDirectory() ? join(target, 'README.md') : target
  const address = addressOf(relative(repository, page))
  return address && `${address}${anchor === undefined ? '' : `#${anchor}`}`
}

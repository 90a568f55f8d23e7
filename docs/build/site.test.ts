import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMarkdownRenderer } from 'vitepress'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { externalScripts } from './external-scripts.ts'
import { addressOf, sections } from './site-pages.ts'
import { linksToSources, siteLink } from './source-links.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-site-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('every page of the sidebar is a file', () => {
  const files = sections.flatMap(({ pages }) => pages.map(({ file }) => file))
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(new Set(files).size).toBe(files.length)
})

test.each([
  ['docs/README.md', '/'],
  ['docs/deploy.md', '/deploy'],
  ['docs/decisions/README.md', '/decisions/'],
  ['docs/decisions/0001-one-package.md', '/decisions/0001-one-package'],
  ['CHANGELOG.md', '/changelog'],
  ['README.md', undefined],
  ['docs/progress.md', undefined],
])('%s has the address %s', (file, address) => {
  expect(addressOf(file)).toBe(address)
})

test.each([
  ['docs/deploy.md', 'settings.md#addresses', '/settings#addresses'],
  ['docs/deploy.md', '../CHANGELOG.md', '/changelog'],
  ['CONTRIBUTING.md', 'docs/decisions/', '/decisions/'],
  ['docs/deploy.md', '../deploy/Caddyfile', undefined],
  ['docs/deploy.md', 'none.md', 'none.md'],
  ['docs/deploy.md', '#a', '#a'],
  ['docs/deploy.md', 'https://example.com/a', 'https://example.com/a'],
])('in %s the link %s leads to %s', (file, href, target) => {
  expect(siteLink(href, join(root, file), root)).toBe(target)
})

test('a link to a source is its text, and the next link is a link', async () => {
  const markdown = await createMarkdownRenderer(root, {}, '/docs/')
  linksToSources(markdown, root)
  const text = '[the file](../deploy/Caddyfile), [settings](settings.md)'
  const html = markdown.render(text, { realPath: join(root, 'docs/deploy.md'), cleanUrls: true })
  expect(html).toBe('<p><span>the file</span>, <a href="/docs/settings">settings</a></p>\n')
})

test('scripts within a page become files', () => {
  const { transformHtml, write } = externalScripts('/docs/')
  const page =
    '<script id="a">let a = 1</script><script type="application/json">{}</script><script src="/x.js"></script>'
  const html = transformHtml(page)
  const [, file = ''] =
    /<script id="a" src="\/docs\/(assets\/inline\.\w+\.js)"><\/script>/.exec(html) ?? []
  expect(html).toContain('<script type="application/json">{}</script><script src="/x.js"></script>')
  write({ outDir: folder })
  expect(readFileSync(join(folder, file), 'utf8')).toBe('let a = 1')
  expect(readdirSync(join(folder, 'assets'))).toHaveLength(1)
})

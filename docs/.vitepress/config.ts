import { resolve } from 'node:path'
import { defineConfig } from 'vitepress'
import { externalScripts } from '../build/external-scripts.ts'
import { rewrites, sidebar } from '../build/site-pages.ts'
import { linksToSources } from '../build/source-links.ts'

const repository = resolve(import.meta.dirname, '../..')
const base = '/docs/'
const scripts = externalScripts(base)

/** The documents as a site, which the dashboard serves at /docs. */
export default defineConfig({
  title: 'Plinth',
  description: 'A hosted database and backend platform in a box',
  base,
  // Some pages lie at the root of the repository, where people look for them.
  srcDir: repository,
  srcExclude: ['README.md', 'docs/progress.md', '!(docs)/**/*.md'],
  rewrites: { ...rewrites },
  outDir: resolve(repository, 'dist/docs'),
  cacheDir: resolve(repository, 'node_modules/.cache/vitepress'),
  cleanUrls: true,
  // The dashboard's, which serves this.
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  ignoreDeadLinks: 'localhostLinks',
  transformHtml: (html) => scripts.transformHtml(html),
  transformPageData: ({ relativePath }) =>
    // Its third level is a hundred addresses that begin alike.
    relativePath === 'api.md' ? { frontmatter: { outline: 2 } } : undefined,
  buildEnd: (site) => scripts.write(site),
  markdown: { config: (markdown) => linksToSources(markdown, repository) },
  // Else every config.ts below srcDir would be taken for one of a part of the site.
  additionalConfig: {},
  vite: {
    configFile: false,
    publicDir: false,
    server: { watch: { ignored: ['**/.plinth/**', '**/dist/**', '**/test-output/**'] } },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    nav: [{ text: 'Dashboard', link: '/../', target: '_self' }],
  },
})

// `npm run docs:write`: writes the pages that are made from code, docs/settings.md and docs/api.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Inside of the repository, so that packages are found.
const folder = mkdtempSync(join(root, 'node_modules/.plinth-docs-'))
try {
  const bundle = await rolldown({
    input: join(root, 'docs/build/pages.ts'),
    platform: 'node',
    cwd: root,
    external: (id) => !/^[./#]/.test(id),
    logLevel: 'warn',
  })
  const file = join(folder, 'pages.mjs')
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  const { generatedPages } = await import(pathToFileURL(file).href)
  for (const [name, text] of Object.entries(generatedPages())) {
    writeFileSync(join(root, 'docs', name), text)
    process.stdout.write(`docs/${name}\n`)
  }
} finally {
  rmSync(folder, { recursive: true })
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from 'vite'
import { compileHints } from './compile-hints.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-hints-'))
  await writeFile(join(folder, 'first.js'), 'import("./later.js").then(({ a }) => console.log(a))')
  await writeFile(join(folder, 'later.js'), 'export const a = 1')
})
afterAll(() => rm(folder, { recursive: true }))

test('the first line of a named file is the hint; the others have none', async () => {
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [compileHints(['first'])],
    build: { write: false, rolldownOptions: { input: join(folder, 'first.js') } },
  })
  const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  const hinted = files.map((file) => [
    file.name,
    file.type === 'chunk' && file.code.startsWith('//# allFunctionsCalledOnLoad\n'),
  ])
  expect(Object.fromEntries(hinted)).toEqual({ first: true, later: false })
})

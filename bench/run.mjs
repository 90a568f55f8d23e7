// `npm run bench -- NAME`: runs one benchmark, or names them all. Bundled first, so that what is measured is what is shipped.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { findChromium } from '../checks/chromium.mjs'
import { buildIfStale } from '../start/build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [name] = process.argv.slice(2)
// What is in a folder is found by its own name too; `parts` are what benchmarks are made of.
const sources = new Map(
  readdirSync(join(root, 'bench'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('parts'))
    .map((path) => [basename(path, '.ts'), join(root, 'bench', path)]),
)
const source = sources.get(name ?? '')
if (!name || !source) {
  const names = [...sources.keys()].toSorted().map((known) => `  ${known}`)
  process.stderr.write(`usage: npm run bench -- NAME\n${names.join('\n')}\n`)
  process.exit(1)
}
if (!process.env.PLINTH_BUILT) await buildIfStale()
const folder = join(root, 'test-output/bench')
mkdirSync(folder, { recursive: true })
const bundle = await rolldown({
  input: { [name]: source },
  platform: 'node',
  cwd: root,
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('#'),
  logLevel: 'warn',
})
await bundle.write({
  dir: folder,
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  codeSplitting: false,
})
await bundle.close()
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', join(folder, `${name}.js`)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PLINTH_CHROMIUM: findChromium() },
  },
)
rmSync(folder, { recursive: true, force: true })
process.exit(status ?? 1)

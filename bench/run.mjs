// `npm run bench -- NAME`: runs one benchmark, or names them all. Bundled first, so that what is measured is what is shipped.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { findChromium } from '../checks/chromium.mjs'
import { buildIfStale } from '../start/build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [name] = process.argv.slice(2)
const source = join(root, `bench/${name}.ts`)
if (!name || !existsSync(source)) {
  const names = readdirSync(join(root, 'bench')).filter((file) => file.endsWith('.ts'))
  process.stderr.write(
    `usage: npm run bench -- NAME\n${names.map((file) => `  ${file.slice(0, -3)}`).join('\n')}\n`,
  )
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

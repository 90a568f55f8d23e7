// Builds the server programs (one file each, plain node), the dashboard and the documents into dist/.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { builtinModules } from 'node:module'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { buildSite, isSiteStale } from './build-site.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = join(root, 'dist/sources')
const sourceRooms = [
  'contract',
  'kit',
  'control-plane',
  'data-plane',
  'compute',
  'dashboard',
  'start',
]
const programs = [
  'all',
  'backup',
  'compute',
  'control-plane',
  'data-plane',
  'fleet',
  'log-engine',
  'manage',
  'rest',
]

/** Programs that have a folder of their own. */
const inFolders = { doctor: 'start/doctor/doctor.ts' }

/** Tests and what they share are no part of what is built. */
const isForTests = (path) => /\.test\.tsx?$|\/testing\//.test(path)

/** Changes whenever a source file does. Contents, not times: a fresh clone has new times and the same sources. */
function sourcesHash() {
  const hash = createHash('sha256')
  const add = (path) => hash.update(path).update(readFileSync(join(root, path)))
  for (const room of sourceRooms) {
    const files = readdirSync(join(root, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !isForTests(join(entry.parentPath, entry.name)))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    for (const file of files.sort()) add(file)
  }
  for (const file of ['package-lock.json', 'vite.config.ts']) add(file)
  return hash.digest('hex')
}

const isPlatformStale = () =>
  !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== sourcesHash()

export async function buildIfStale() {
  if (!isPlatformStale() && !isSiteStale()) return
  // Standard output is for what a command answers with.
  process.stderr.write('building, this is done once\n')
  await buildInChild()
}

/** Building takes a gigabyte of memory, which a process keeps for as long as it runs. */
async function buildInChild() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--stale'], {
    stdio: ['ignore', process.stderr, process.stderr],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The platform could not be built')
}

export async function build() {
  await Promise.all([buildPlatform(), buildSite()])
}

/** What is missing or older than its sources. */
async function buildStale() {
  await Promise.all([isPlatformStale() && buildPlatform(), isSiteStale() && buildSite()])
}

async function buildPlatform() {
  const hash = sourcesHash()
  rmSync(stampFile, { force: true })
  await Promise.all([buildServer(), buildDashboard()])
  writeFileSync(stampFile, hash)
}

/**
 * Packages that every start needs and that come as many small files: finding, reading and linking those took half of a
 * start. They and what they need become part of the programs; every other package is read where it is installed.
 */
const inside = [
  '@fastify/cors',
  '@fastify/helmet',
  '@fastify/multipart',
  '@fastify/static',
  'fastify',
  'jose',
  'kysely',
  'openid-client',
  'rate-limiter-flexible',
  'zod',
]
/** What these need but has native or worker files, or must be the one that our code has too. */
const alwaysOutside = /^(node:|(pino|pg|thread-stream)(\/|$))/

/** @param {string} id @param {string | undefined} importer */
function isOutside(id, importer) {
  if (/^[./#]/.test(id)) return false
  if (alwaysOutside.test(id)) return true
  if (importer?.includes('/node_modules/')) return builtinModules.includes(id)
  return !inside.some((name) => id === name || id.startsWith(`${name}/`))
}

/** Our code in one file per program, with the packages above. */
export async function buildServer() {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: {
      ...Object.fromEntries(programs.map((name) => [name, join(root, `start/${name}.ts`)])),
      ...Object.fromEntries(
        Object.entries(inFolders).map(([name, path]) => [name, join(root, path)]),
      ),
    },
    platform: 'node',
    cwd: root,
    external: isOutside,
    logLevel: 'warn',
  })
  await bundle.write({
    dir: join(root, 'dist/server'),
    format: 'esm',
    sourcemap: true,
    // Maps are read at every start; the sources themselves lie beside them.
    sourcemapExcludeSources: true,
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[hash].js',
  })
  await bundle.close()
}

async function buildDashboard() {
  const { build: viteBuild } = await import('vite')
  const environment = process.env.NODE_ENV
  // A test that builds has NODE_ENV=test, and would get the libraries as they are for development: half as large again.
  process.env.NODE_ENV = 'production'
  try {
    await viteBuild({
      root: join(root, 'dashboard'),
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
    })
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = environment
  }
  await compress(join(root, 'dist/dashboard'))
}

/** Files are compressed once here, so that serving them costs nothing. */
async function compress(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html|svg|json|ttf)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size > 1024)
  for (const file of files) {
    const bytes = readFileSync(file)
    const quality = {
      params: { [constants.BROTLI_PARAM_QUALITY]: bytes.length > 1_000_000 ? 6 : 10 },
    }
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, quality),
      promisify(gzip)(bytes, { level: 9 }),
    ])
    writeFileSync(`${file}.br`, br)
    writeFileSync(`${file}.gz`, gz)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await (process.argv.includes('--stale') ? buildStale() : build())
}

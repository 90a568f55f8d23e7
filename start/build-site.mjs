// Builds the documents into dist/docs, a site that the dashboard serves at /docs. `npm run docs:build` runs this alone.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist/docs')
const stampFile = join(root, 'dist/documents')
const besideDocs = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package-lock.json']

/** Changes whenever a document does, or what builds them. */
function documentsHash() {
  const hash = createHash('sha256')
  const files = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    // What a build that runs at the moment has there.
    .filter((file) => !file.includes('/.temp/'))
  for (const file of [...files.sort(), ...besideDocs]) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

export const isSiteStale = () =>
  !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== documentsHash()

/** In a process of its own: beside the build of the dashboard it has a processor for itself. */
export async function buildSite() {
  const hash = documentsHash()
  rmSync(stampFile, { force: true })
  rmSync(folder, { recursive: true, force: true })
  const program = join(root, 'node_modules/vitepress/bin/vitepress.js')
  const child = spawn(process.execPath, [program, 'build', 'docs'], {
    cwd: root,
    // A test that builds has NODE_ENV=test, and would get libraries as they are for development.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part))
  const [code] = await once(child, 'close')
  if (code !== 0) {
    process.stderr.write(Buffer.concat(output))
    throw new Error('The documents could not be built')
  }
  await compress()
  writeFileSync(stampFile, hash)
}

/** Files are compressed once here, so that serving them costs nothing. */
async function compress() {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size > 1024)
  for (const file of files) {
    writeFileSync(`${file}.gz`, await promisify(gzip)(readFileSync(file), { level: 9 }))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildSite()

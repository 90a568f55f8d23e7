// `npm run test:engines`: the storage and realtime tests that can be run against a real server of their protocol, against
// OpenStack Swift and NATS. It starts both by itself, in a folder of its own and on free ports of this machine, and ends
// them. It installs nothing: what is missing is named.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startNatsServer } from './engines-nats.mjs'
import { startSwift } from './engines-swift.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Program and the Debian package that it comes with. */
const needed = [
  ['swift-ring-builder', 'swift'],
  ['swift-proxy-server', 'swift-proxy'],
  ['swift-account-server', 'swift-account'],
  ['swift-container-server', 'swift-container'],
  ['swift-object-server', 'swift-object'],
  ['memcached', 'memcached'],
  ['nats-server', 'nats-server'],
]
const path = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`
const has = (program) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH: path } }).status === 0
const missing = needed.filter(([program]) => !has(program)).map(([, name]) => name)
if (missing.length > 0) {
  console.error(`The engines are not installed: apt-get install ${missing.join(' ')}`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'plinth-engines-'))
const running = []
/** A process of the lane; what it says goes to a file that is shown when it does not start. */
function start(program, args, options = {}) {
  const child = spawn(program, args, { env: { ...process.env, PATH: path }, ...options })
  running.push(child)
  return child
}
async function end() {
  for (const child of running.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
    await gone
    clearTimeout(timer)
  }
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void end().then(() => process.exit(1)))

/** The tests of each engine; those that need a database start their own. */
const lanes = [
  { project: 'fast', files: ['data-plane/storage/backends/s3-backend'] },
  {
    project: 'db',
    files: ['data-plane/storage/backends/s3-backend', 'data-plane/realtime/processes'],
  },
]
let failed = 1
try {
  const swift = await startSwift({ folder, start })
  const nats = await startNatsServer({ folder, start })
  console.log(`OpenStack Swift ${swift.version} and NATS ${nats.version} are running`)
  failed = 0
  for (const { project, files } of lanes) {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...files]
    const env = { ...process.env, ...swift.env, ...nats.env, PLINTH_TEST_S3: '1' }
    const tests = start(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
    const code = await new Promise((resolve) => tests.once('exit', resolve))
    if (code !== 0) failed = 1
  }
} catch (error) {
  console.error(error)
  failed = 1
} finally {
  await end()
}
process.exit(failed)

// `npm start`: builds what is missing or older than its sources, then runs the platform. `npm run fleet`: in several processes.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from './build.mjs'

const startedAt = Date.now()
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`plinth: needs Node 20.19 or newer, this is ${process.versions.node}\n`)
  process.exit(1)
}
await buildIfStale()

const [name = 'all', ...rest] = process.argv.slice(2)
const program = fileURLToPath(new URL(`../dist/server/${name}.js`, import.meta.url))
const child = spawn(process.execPath, ['--enable-source-maps', program, ...rest], {
  // The channel carries nothing: by its end the platform knows that this process has gone, however it went.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, PLINTH_STARTED_AT: String(startedAt) },
})
// A terminal sends Ctrl-C to both, others to this process alone; the platform ends once, and this waits for it.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
// `npm start` runs this through a shell, and hands signals to the shell alone: what is left without a parent has been ended.
const parent = process.ppid
if (process.env['npm_lifecycle_event'] !== undefined) {
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 250).unref()
}

// `npm run dev`: the platform rebuilt and restarted as server sources change, the dashboard with live reload on port 5173.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, buildIfStale, buildServer } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const rooms = ['contract', 'kit', 'control-plane', 'data-plane', 'compute', 'start']
const dashboardPort = process.env.DASHBOARD_PORT ?? '5173'
const say = (line) => process.stdout.write(`dev: ${line}\n`)

await (process.argv.includes('--fresh') ? build() : buildIfStale())
const vite = spawn(
  process.execPath,
  [join(root, 'node_modules/vite/bin/vite.js'), '--port', dashboardPort, '--strictPort'],
  { cwd: root, stdio: 'inherit' },
)
let platform = launch()
let waiting
let ending = false

function launch() {
  return spawn(process.execPath, ['--enable-source-maps', join(root, 'dist/server/all.js')], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PLINTH_ALLOWED_ORIGINS: `http://localhost:${dashboardPort}`,
      PLINTH_STARTED_AT: String(Date.now()),
    },
  })
}

async function restart() {
  try {
    await buildServer()
  } catch (error) {
    // The sources do not build at the moment; what runs goes on until they do.
    say(error instanceof Error ? error.message : String(error))
    return
  }
  const before = platform
  if (before.exitCode === null) {
    const gone = new Promise((resolve) => before.once('exit', resolve))
    before.kill('SIGTERM')
    await gone
  }
  if (!ending) platform = launch()
}

for (const room of rooms) {
  watch(join(root, room), { recursive: true }, (_event, file) => {
    if (!/\.(ts|sql)$/.test(file ?? '') || file?.endsWith('.test.ts')) return
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      say(`${room}/${file} changed`)
      void restart()
    }, 200)
  })
}
say(`dashboard with live reload on http://localhost:${dashboardPort}`)

function end() {
  if (ending) return
  ending = true
  vite.kill('SIGTERM')
  platform.once('exit', () => process.exit(0))
  platform.kill('SIGTERM')
}
process.on('SIGINT', end)
process.on('SIGTERM', end)

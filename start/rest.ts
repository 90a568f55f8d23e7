import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, lstat, rm } from 'node:fs/promises'
import { createConnection, type AddressInfo } from 'node:net'
import { createRestAlone } from '#data-plane/rest-alone'
import { readServerSettings, SettingError } from '#data-plane/rest/server/server-settings'
import { settingTable, unneededIn } from '#data-plane/rest/server/setting-table'
import { isPortFree } from '#kit/network/free-port'
import { createLog } from '#kit/log'
import { endWith, exitWith, version } from './program.ts'
import { readRestConfig } from './rest-config.ts'

/** The data API alone, over any Postgres: `plinth rest`. */
const args = process.argv.slice(3)
const say = (line: string) => process.stdout.write(`${line}\n`)

if (args.includes('--help') || args.includes('-h')) {
  const flags = Object.keys(settingTable).map((name) => `  --${name} VALUE`)
  say(
    `usage: plinth rest [FILE] [--SETTING VALUE]...\n${flags.join('\n')}\n  --app.settings.NAME VALUE`,
  )
  process.exit(0)
}
if (args.includes('--version') || args.includes('-v')) {
  say(version())
  process.exit(0)
}

function configOrExit() {
  try {
    const values = readRestConfig(args, process.env, (file) => readFileSync(file, 'utf8'))
    return { values, settings: readServerSettings(values) }
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    exitWith(error.message)
  }
}

const { values, settings } = configOrExit()
for (const [name, reason] of unneededIn(values)) say(`${name} is not needed: ${reason}`)
const log = createLog('rest', settings.logLevel)
const { app, health } = createRestAlone({ values, settings, log })
endWith(() => app.close(), log)
if (settings.adminSocket) {
  const { path, mode } = settings.adminSocket
  await clearSocket(path).catch((error: unknown) =>
    exitWith(`admin-server-unix-socket: ${reasonOf(error)}`),
  )
  health.listen(path)
  await once(health, 'listening')
  await chmod(path, mode)
  say(`admin ${path}`)
} else if (settings.admin) {
  await freeOrExit('admin-server', settings.admin)
  health.listen(settings.admin)
  await once(health, 'listening')
  say(`admin ${shownAddress(settings.admin.host, portOf(health))}`)
}
if (settings.unixSocket) {
  const { path, mode } = settings.unixSocket
  await clearSocket(path).catch((error: unknown) =>
    exitWith(`server-unix-socket: ${reasonOf(error)}`),
  )
  await app
    .listen({ path })
    .catch((error: unknown) => exitWith(`server-unix-socket: ${reasonOf(error)}`))
  await chmod(path, mode)
  say(`ready ${path}`)
} else {
  const { host, port } = settings
  await freeOrExit('server', settings)
  await app.listen({ host, port })
  say(`ready ${shownAddress(host, portOf(app.server))}`)
}

async function freeOrExit(prefix: string, { host, port }: { host: string; port: number }) {
  const free = await isPortFree(host, port).catch((error: unknown) =>
    exitWith(`${prefix}-host: ${host} cannot be listened on (${String(error)})`),
  )
  if (!free)
    exitWith(`port ${port} is in use; end what listens there or set ${prefix}-port to another port`)
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : settings.port
}

function shownAddress(host: string, port: number): string {
  const shown = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}

/** A socket that nobody listens on any more is what a killed server has left; anything else stays. */
async function clearSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return
  const isUsed = await new Promise<boolean>((resolve) => {
    const probe = createConnection(path)
    probe.once('connect', () => resolve(true)).once('error', () => resolve(false))
    probe.once('connect', () => probe.destroy())
  })
  if (!found.isSocket() || isUsed) throw new Error(`${path} is in use`)
  await rm(path)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

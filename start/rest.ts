import { readFileSync } from 'node:fs'
import { createRestAlone } from '#data-plane/rest-alone'
import { readServerSettings, SettingError } from '#data-plane/rest/server-settings'
import { settingTable } from '#data-plane/rest/setting-table'
import { isPortFree } from '#kit/free-port'
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
const { host, port } = settings
const log = createLog('rest', settings.logLevel)
const free = await isPortFree(host, port).catch((error: unknown) =>
  exitWith(`server-host: ${host} cannot be listened on (${String(error)})`),
)
if (!free)
  exitWith(`port ${port} is in use; end what listens there or set server-port to another port`)

const app = createRestAlone({ values, settings, log })
endWith(() => app.close(), log)
const shown = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
await app.listen({ host, port })
const address = app.server.address()
const taken = typeof address === 'object' && address ? address.port : port
say(`ready http://${shown.includes(':') ? `[${shown}]` : shown}:${taken}`)

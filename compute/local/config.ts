import { chmod, chown, mkdir } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { exists, readForeign, readIfExists, writeDurably } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import { accessRules, configText, serverSettings } from './settings.ts'

/*
 * {project}/config/postgresql.conf, pg_hba.conf, pg_ident.conf: what the platform tells a server. The folder and its files are
 * the platform's own; the server's user may read them and change nothing, so whoever breaks out of a server finds its access
 * rules as fixed as before. Of the data directory postgresql.auto.conf alone is read, and the command line wins over it.
 */

export const rulesIn = (configDir: string) => join(configDir, 'pg_hba.conf')

/** Makes a whole folder of configuration. The rules come last: where they are, the rest is too. */
export async function writeConfig(
  configDir: string,
  rules: string,
  user: OsUser | undefined,
): Promise<void> {
  await mkdir(configDir, { recursive: true, mode: 0o700 })
  if (user) {
    await chown(configDir, 0, user.gid)
    await chmod(configDir, 0o750)
  }
  await writeSettings(configDir, user)
  await writeFor(user, join(configDir, 'pg_ident.conf'), '')
  await writeRules(configDir, rules, user)
}

export const writeRules = (configDir: string, rules: string, user: OsUser | undefined) =>
  writeFor(user, rulesIn(configDir), rules)

const writeSettings = (configDir: string, user: OsUser | undefined) =>
  writeFor(user, join(configDir, 'postgresql.conf'), configText(serverSettings))

/** What is there already is not written again. */
async function writeFor(user: OsUser | undefined, path: string, text: string): Promise<void> {
  if ((await readIfExists(path)) === text) return
  if (user) await writeDurably(path, text, { uid: 0, gid: user.gid }, 0o640)
  else await writeDurably(path, text)
}

/** False for a project that an earlier version made and this one has not started yet. */
export const hasConfig = (configDir: string): Promise<boolean> => exists(rulesIn(configDir))

/**
 * Makes the configuration of a stopped project what this version starts it with. An earlier version kept it in the data
 * directory, which the project's user owns: of that nothing is taken but networks.
 */
export async function settleConfig(
  configDir: string,
  dataDir: string,
  user: OsUser | undefined,
): Promise<void> {
  if (await hasConfig(configDir)) return writeSettings(configDir, user)
  await writeConfig(configDir, accessRules(await earlierNetworks(dataDir)), user)
}

/** From where people may connect, as an earlier version has written it down; undefined where that is not to be seen. */
async function earlierNetworks(dataDir: string): Promise<string[] | undefined> {
  // A link or a pipe was not put there by the platform.
  const text = await readForeign(rulesIn(dataDir)).catch(() => undefined)
  if (!text?.startsWith('# Written by the platform.')) return undefined
  const hosts = text.matchAll(/^host +all +all +(\S+) +scram-sha-256$/gm)
  return [...hosts].flatMap(([, network = '']) => (isNetwork(network) ? [network] : []))
}

function isNetwork(text: string): boolean {
  const [address = '', bits = ''] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return /^\d{1,3}$/.test(bits) && Number(bits) <= longest
}

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openDatabase } from '#control-plane/platform-database/database'
import { secretsOf } from '#control-plane/projects/projects/spec'
import { projectStore } from '#control-plane/projects/projects/store'
import type { Config } from '#kit/config'
import { silentLog } from '#kit/log'
import { makeFolders } from '#kit/make-folders'
import { streamServer } from '#kit/postgres/base-backup'
import { Client } from '#kit/postgres/client'
import { syncFolder, writeDurably } from '#kit/postgres/files'
import { preparePostgres } from '#kit/postgres/runtime'
import { findRunning } from '#kit/postgres/server'
import { createSecrets, loadMasterKey } from '#kit/secrets'
import { platformLogin } from '../platform/platform-cluster.ts'
import { digestOf, writeNew } from './files.ts'
import { isForGood, keptRefs } from './kept-store.ts'
import { sealKeys } from './keys.ts'
import { names, StateError, type File, type Manifest } from './layout.ts'
import { copyObjects } from './objects.ts'
import { copyProject } from './projects.ts'
import { verifyBackup } from './verify.ts'

type Options = {
  config: Config
  version: string
  /** Is not there yet. */
  into: string
  passphrase: string
  say: (line: string) => void
}

/**
 * Backs the whole platform up while it runs: its database first, so that all that is named there is copied after it, then
 * the projects' servers, what they have stored, and the keys. Everything is read back before the folder gets its name.
 * @throws StateError
 */
export async function makeBackup(options: Options): Promise<void> {
  const { config, into, say } = options
  if (config.platformDatabaseUrl !== undefined) {
    throw new StateError(
      'PLATFORM_DATABASE_URL is set: that database is backed up where it runs, and is no part of this home',
    )
  }
  if (existsSync(into)) throw new StateError(`${into} is there already: name a new folder`)
  if (!existsSync(join(config.home, 'platform-password'))) {
    throw new StateError(`there is no platform on ${config.home}`)
  }
  const unfinished = `${into}.unfinished-${randomBytes(4).toString('hex')}`
  try {
    makeFolders(dirname(into), 0o777)
  } catch (error) {
    throw new StateError(`${into} cannot be made: ${String(error)}`, { cause: error })
  }
  await mkdir(unfinished, { mode: 0o700 })
  try {
    await fill(unfinished, options)
    await verifyBackup(unfinished, options.passphrase, say)
    await rename(unfinished, into)
    await syncFolder(dirname(into))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function fill(into: string, { config, version, passphrase, say }: Options): Promise<void> {
  const { home } = config
  const runtime = await preparePostgres(home)
  const server = await findRunning(join(runtime.clusters, 'platform/data'))
  if (!server?.ready) throw new StateError(`no platform runs on ${home}: start it first`)
  const platformPassword = (await readFile(join(home, 'platform-password'), 'utf8')).trim()
  const masterKey = loadMasterKey(join(home, 'master-key'), config.masterKey)
  const login = platformLogin(server.socketDir, platformPassword)

  const takenAt = new Date().toISOString()
  const database = await copyDatabase(login, join(into, names.platform))
  say(`the platform's database: ${database.bytes} bytes`)
  const { db, pool } = openDatabase({ ...login, max: 2 }, silentLog)
  const projects: Manifest['projects'] = []
  let refs: string[]
  try {
    const secrets = createSecrets(masterKey)
    const store = projectStore(db)
    refs = await keptRefs(db)
    for (const ref of refs) {
      const row = await store.findAny(ref)
      // Removed for good a moment ago, with its passwords.
      if (!row || isForGood(row)) continue
      const { adminPassword } = secretsOf(secrets, row)
      const copied = await copyProject(runtime, { ref, adminPassword }, into)
      if (copied) projects.push(copied)
      say(`project ${ref}: ${copied ? `${copied.base.bytes} bytes` : 'has no server here'}`)
    }
  } finally {
    await pool.end()
  }
  const objects = config.storageBucket ? null : await copyObjects(config.storage, refs, into)
  const manifest: Manifest = {
    format: 'plinth platform backup',
    version: 1,
    platform: version,
    takenAt,
    database,
    projects,
    objects,
  }
  await writeDurably(join(into, names.manifest), JSON.stringify(manifest, undefined, 2))
  const { sha256 } = await digestOf(join(into, names.manifest))
  const keys = { masterKey: masterKey.toString('hex'), platformPassword, manifest: sha256 }
  await writeDurably(join(into, names.keys), await sealKeys(keys, passphrase))
}

async function copyDatabase(login: object, target: string): Promise<File> {
  const file = await writeNew(target)
  const client = new Client({ ...login, replication: 'true' } as ConstructorParameters<
    typeof Client
  >[0])
  try {
    await client.connect()
    await streamServer(client, (chunk) => file.add(chunk))
    return await file.end()
  } catch (error) {
    await file.drop()
    throw error
  } finally {
    await client.end()
  }
}

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeOwner } from '#kit/postgres/cluster'
import { namedUnprivilegedUser, type OsUser } from '#kit/postgres/os-user'
import { killAllOf } from '#kit/postgres/processes'
import type { Machine } from './machine.ts'
import type { ProjectRecord } from './registry.ts'

/** What a project that an earlier version made has to be given, and a name for exactly this. */
export type Upgrade = { sql: string; key: string }

export const upgradeOf = (sql: readonly string[]): Upgrade => {
  const whole = sql.join('\n')
  return { sql: whole, key: createHash('sha256').update(whole).digest('hex').slice(0, 16) }
}

export const isUpToDate = ({ upgrade }: Machine, record: ProjectRecord) =>
  record.upgrade === upgrade.key

/**
 * Gives a stopped project what this version of the services needs and an earlier one did not make. By Postgres alone,
 * without a server (documentation, "Options for Single-User Mode"): nobody can connect meanwhile, and no password is
 * needed. A project for which it fails keeps what it has and is tried again at its next start: its data matter more
 * than what is new.
 */
export async function upgradeProject(
  machine: Machine,
  ref: string,
  record: ProjectRecord,
  user: OsUser | undefined,
): Promise<ProjectRecord> {
  if (isUpToDate(machine, record)) return record
  const { folders, registry, upgrade, runtime, log } = machine
  const file = join(folders.project(ref), 'upgrade.sql')
  try {
    // Where an earlier attempt was killed, its Postgres may still be there.
    await killAllOf(folders.data(ref))
    await writeFile(file, upgrade.sql, { mode: 0o644 })
    await asNamedUser(folders.data(ref), user, (as) =>
      runAlone(runtime.binaries.postgres, folders.data(ref), file, as),
    )
  } catch (error) {
    log.error({ err: error, ref }, 'A project could not be brought up to this version')
    return record
  } finally {
    await rm(file, { force: true })
  }
  const next = { ...record, upgrade: upgrade.key }
  await registry.save(ref, next)
  return next
}

/** Postgres without a server wants a user with a name, which a project's own does not have: it is lent one. */
async function asNamedUser(
  dataDir: string,
  own: OsUser | undefined,
  work: (user: OsUser | undefined) => Promise<void>,
): Promise<void> {
  if (!own) return work(undefined)
  const named = await namedUnprivilegedUser()
  try {
    await changeOwner(dataDir, named)
    await work(named)
  } finally {
    await changeOwner(dataDir, own)
  }
}

/** Runs a file of SQL as the superuser, all of it or nothing. */
async function runAlone(
  postgres: string,
  dataDir: string,
  file: string,
  user: OsUser | undefined,
): Promise<void> {
  const settings = [
    'exit_on_error=on',
    'default_transaction_read_only=off',
    'check_function_bodies=off',
  ]
  const options = ['--single', '-D', dataDir, ...settings.flatMap((one) => ['-c', one]), 'postgres']
  const child = spawn(postgres, options, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'ignore', 'pipe'],
    ...user,
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000)
  })
  // One that ends early no longer reads; its exit says why.
  child.stdin.on('error', () => undefined)
  // Its own input is read line by line, so the file is read by Postgres itself.
  child.stdin.end(
    `do $upgrade$ begin execute pg_read_file('${file.replaceAll("'", "''")}'); end $upgrade$;\n`,
  )
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`Postgres ended with ${code}: ${said.trim()}`)
}

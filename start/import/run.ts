import { ZodError } from 'zod'
import { DatabaseError } from 'pg'
import { RefusedError } from '../manage/manage-client.ts'
import type { Context, Result } from '../manage/manage-command.ts'
import { importAuth } from './auth.ts'
import { importAuthByApi } from './auth-api.ts'
import { connect, messageOf, type Session } from './connections.ts'
import { importData } from './data.ts'
import { type Failure, refusalOf } from './apply.ts'
import { importFunctions, importSecrets } from './functions.ts'
import { importKeys } from './keys.ts'
import type { Options } from './options.ts'
import type { Base, Run } from './parts.ts'
import { checkSource, checkTarget, targetOf } from './preflight.ts'
import { createReport, linesOf, printable } from './report.ts'
import { finishAfter, importAfter, importBefore } from './schema.ts'
import { noState, openState, inTransaction } from './state-store.ts'
import { importStorage } from './storage.ts'
import { storageOfApi, storageOfDatabase } from './storage-source.ts'
import { noteMigrations, readMigrations } from './migrations-store.ts'
import { attempt } from './source-store.ts'

const usualPart = 100_000

/** @throws RefusedError, before anything is changed or when it has to stop; the same command goes on after that */
export async function runImport(options: Options, context: Context): Promise<Result> {
  const sessions: Session[] = []
  const opened = async (session: Promise<Session>) => {
    const one = await session
    sessions.push(one)
    return one
  }
  try {
    return await importInto(options, context, opened)
  } catch (error) {
    throw stopped(error)
  } finally {
    // What has broken off cannot say goodbye.
    await Promise.all(sessions.map((session) => session.end().catch(() => undefined)))
  }
}

/** What ends an import from outside is told in one line; what is wrong with the program itself stays as it is. */
function stopped(error: unknown): unknown {
  // What a source says reaches a terminal as text and as nothing else.
  if (error instanceof RefusedError)
    return new RefusedError(printable(error.message), { cause: error })
  if (!(error instanceof Error)) return error
  const again = 'run the same command again, and it goes on from there'
  if (error instanceof ZodError)
    return new RefusedError('the source holds a row in a form that import does not know', {
      cause: error,
    })
  const isOutside =
    error instanceof DatabaseError || 'code' in error || /terminated/i.test(error.message)
  if (!isOutside) return error
  return new RefusedError(printable(`the import stopped: ${messageOf(error)}; ${again}`), {
    cause: error,
  })
}

async function importInto(
  options: Options,
  { ask, notify, environment }: Context,
  opened: (session: Promise<Session>) => Promise<Session>,
): Promise<Result> {
  const { ref, parts, isRehearsal } = options
  const { address, api: targetApi } = await targetOf(ask, options)
  const target = await opened(connect(address, `the database of ${ref}`))
  const connectSource = () => {
    if (!options.database) throw new Error('The source has no database here')
    return connect(options.database, 'the source')
  }
  const source = options.database && (await opened(connectSource()))
  const { asked, label } = await checkSource(options, { source, target, targetApi })
  await checkTarget(options, target, label)
  const report = createReport(label, ref)
  const base: Base = {
    ask,
    ref,
    target,
    targetApi,
    state: isRehearsal ? noState : await openState(target, label),
    report,
    notify: (line) => notify(printable(line)),
    isRehearsal,
  }
  report.leaveAll((await base.state.findings()).filter(({ part }) => parts.includes(part)))
  const run = source &&
    asked && { ...base, source, asked, connectSource, partRows: partRows(environment) }
  const failures = run ? await importDatabase(run, parts) : []
  await importServices(base, options, run)
  if (run) await finishAfter(run, failures)
  for (const { part, needs } of options.withheld)
    report.advise(`${part} was not imported: that takes ${needs}`)
  const result = report.end()
  return {
    data: result,
    lines: linesOf(result, isRehearsal),
    code: result.whole || isRehearsal ? 0 : 3,
  }
}

/** Tests have small tables. */
const partRows = ({ PLINTH_IMPORT_PART_ROWS: rows }: Context['environment']) =>
  rows !== undefined && /^[1-9]\d{0,8}$/.test(rows) ? Number(rows) : usualPart

async function importDatabase(run: Run, parts: Options['parts']): Promise<Failure[]> {
  if (parts.includes('schema')) {
    await importBefore(run)
    await importMigrations(run)
  }
  if (parts.includes('auth')) await importAuth(run)
  if (parts.includes('data')) await importData(run)
  return parts.includes('schema') ? importAfter(run) : []
}

async function importServices(base: Base, options: Options, run: Run | undefined): Promise<void> {
  const { parts, url, serviceKey, management, jwtSecret: secret } = options
  const api = url !== undefined && serviceKey !== undefined ? { url, key: serviceKey } : undefined
  if (parts.includes('auth') && !run && api) await importAuthByApi(base, api)
  if (parts.includes('storage') && api) {
    const from = run ? storageOfDatabase(run.source) : storageOfApi(api)
    await importStorage(base, from, api)
  }
  if (management) {
    const from = { api: { url: management.url, key: management.token }, ref: management.ref }
    if (parts.includes('functions')) await importFunctions(base, from)
    if (parts.includes('secrets')) await importSecrets(base, from)
  }
  if (parts.includes('keys')) await importKeys(base, { secret, serviceKey })
}

/** The record of migrations: whoever pushes the next one finds that the earlier ones are there. */
async function importMigrations(run: Run): Promise<void> {
  const { source, target, report, isRehearsal } = run
  try {
    const migrations = await attempt(source, () => readMigrations(source))
    if (migrations.length === 0) return
    const found = migrations.length
    report.count('schema', 'migration', { found })
    if (isRehearsal) return
    const imported = await inTransaction(target, () => noteMigrations(target, migrations))
    report.count('schema', 'migration', { imported, before: found - imported })
  } catch (error) {
    report.leave('schema', 'migration', 'supabase_migrations', refusalOf(error).reason)
  }
}

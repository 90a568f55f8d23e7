import { restrictionErrors } from '../../../projects/restriction.ts'
import { randomUUID } from 'node:crypto'
import { DatabaseError } from 'pg'
import type { Parsed } from '#contract/endpoint'
import type { Import, ImportState, tableTransfer } from '#contract/database/table-transfer'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import { createSubjects } from '#kit/subjects'
import type { Connections, Who } from '../../connections.ts'
import { DetailedError } from '../../failures.ts'
import { tryImport } from './row-import-load.ts'
import { createImportRuns } from './row-import-runs.ts'
import type { ImportRecord, ImportSpool } from './row-import-spool.ts'
import { goesOnAt, noRoom, refuseFull, uploadToken } from './row-import-upload.ts'

export type ImportOptions = {
  /** Where files wait until all of them is there. What lies in it is found again by the next start. */
  spool: ImportSpool
  /** What tokens of uploads are made from. */
  secret: string
  /** Bytes of one file. */
  maxBytes?: number
  /** Bytes of the disk that imports leave to others. */
  reservedBytes?: number
}

/** Imports of one project that have not ended. */
const maxImports = 4
const dayMs = 86_400_000

/**
 * Files on their way into tables. What has arrived and how far it is stands on the disk: neither a reload of the page nor
 * a restart of this program ends an import, and what was being loaded begins again by itself.
 */
export function createImports(
  connections: Connections,
  log: Log,
  { spool, secret, maxBytes = 10e9, reservedBytes = 1e9 }: ImportOptions,
) {
  const runs = createImportRuns({ connections, spool, log })
  const { each } = createSubjects(log)

  const isOpen = ({ phase }: ImportRecord) => phase === 'receiving' || phase === 'loading'
  const isOwn = (who: Who, record: ImportRecord) => record.who.by === who.by

  async function find(who: Who, id: string): Promise<ImportRecord> {
    const record = await spool.read({ ref: who.ref, id })
    if (!record || !isOwn(who, record)) throw new ApiError('not_found', 'There is no such import')
    return record
  }
  async function all(ref?: string): Promise<ImportRecord[]> {
    const read = (await spool.list(ref)).map((key) => spool.read(key))
    return (await Promise.all(read)).filter((record) => record !== undefined)
  }
  async function shown(record: ImportRecord): Promise<Import> {
    const { report: _, upload_token: __, ...summary } = await stateOf(record)
    return summary
  }
  async function stateOf(record: ImportRecord): Promise<ImportState> {
    const { id, who, input, phase, started_at, ended_at, outcome } = record
    const { schema, table, file } = input
    const counts = runs.countsOf(id)
    const open = isOpen(record)
    const received = phase === 'receiving' ? await spool.received({ ref: who.ref, id }) : file.size
    const { rows, bad, report } = (open ? counts : outcome) ?? { rows: 0, bad: 0, report: [] }
    return {
      id,
      schema,
      table,
      file,
      phase,
      received,
      rows,
      bad,
      report,
      started_at,
      ended_at,
      upload_token: phase === 'receiving' ? uploadToken(secret, { ref: who.ref, id }) : null,
      read: open ? (counts?.read ?? 0) : file.size,
      kept: open ? null : (outcome?.kept ?? false),
      problem: open ? null : (outcome?.problem ?? null),
    }
  }

  async function start(who: Who, input: Parsed<typeof tableTransfer.start>): Promise<ImportState> {
    const { size } = input.file
    if (size > maxBytes)
      throw new ApiError(
        'body_too_large',
        `Files can be up to ${maxBytes.toLocaleString('en')} bytes`,
      )
    const open = (await all()).filter(isOpen)
    if (open.filter((record) => record.who.ref === who.ref).length >= maxImports)
      throw new ApiError('rate_limited', 'Too many imports are running in this project', 10)
    const promised = open.reduce((sum, { input: { file } }) => sum + file.size, 0)
    const arrived = await Promise.all(open.map((r) => spool.received({ ref: r.who.ref, id: r.id })))
    const missing = promised - arrived.reduce((a, b) => a + b, 0)
    if (size + missing + reservedBytes > (await spool.free())) throw noRoom()
    const { ref, login, application, by } = who
    const record: ImportRecord = {
      id: randomUUID(),
      who: { ref, login, application, by },
      input,
      phase: 'receiving',
      started_at: new Date().toISOString(),
      ended_at: null,
      attempts: 0,
      xid: null,
      outcome: null,
    }
    await wouldBeTaken(who, record)
    await spool.create(record).catch(refuseFull)
    return stateOf(record)
  }

  async function wouldBeTaken(who: Who, record: ImportRecord): Promise<void> {
    const db = await connections.open(who)
    try {
      await tryImport(db, record)
    } catch (error) {
      const code = error instanceof DatabaseError ? error.code : undefined
      // A table that somebody holds just now can be loaded later.
      if (code === '55P03') return
      if (error instanceof DatabaseError && (code === '42501' || code === '25006'))
        throw new ApiError(
          who.restriction ? restrictionErrors[who.restriction] : 'not_allowed',
          error.message,
        )
      throw error
    } finally {
      await db.end()
    }
  }

  async function piece(who: Who, { import: id, offset, text }: Parsed<typeof tableTransfer.piece>) {
    const key = { ref: who.ref, id }
    return spool.alone(key, async () => {
      const record = await find(who, id)
      const bytes = Buffer.from(text)
      await goesOnAt(spool, record, offset, bytes.length)
      await spool.append(key, offset, bytes).catch(refuseFull)
      return shown(record)
    })
  }

  const finish = async (who: Who, id: string): Promise<ImportState> =>
    spool.alone({ ref: who.ref, id }, async () => {
      const record = await find(who, id)
      if (record.phase !== 'receiving') return stateOf(record)
      const received = await spool.received({ ref: who.ref, id })
      if (received !== record.input.file.size)
        throw new DetailedError('conflict', 'The file is not complete yet', { received })
      const loading: ImportRecord = { ...record, phase: 'loading' }
      await spool.write(loading)
      runs.begin(loading)
      return stateOf(loading)
    })

  async function cancel(who: Who, id: string): Promise<{ cancelled: boolean }> {
    const key = { ref: who.ref, id }
    const record = await spool.read(key)
    if (!record || !isOwn(who, record) || runs.isKeeping(id)) return { cancelled: false }
    // Without its record it is not begun again, here or elsewhere.
    await spool.remove(key)
    await runs.stop(id)
    await spool.remove(key)
    return { cancelled: true }
  }

  async function list(who: Who): Promise<Import[]> {
    const own = (await all(who.ref)).filter((record) => isOwn(who, record))
    const newest = own.toSorted((a, b) => b.started_at.localeCompare(a.started_at))
    return Promise.all(newest.map(shown))
  }

  async function badRows(who: Who, id: string) {
    await find(who, id)
    const key = { ref: who.ref, id }
    if (!(await spool.hasBadRows(key))) throw new ApiError('not_found', 'No rows failed')
    return spool.badRows(key)
  }

  /** Removes what ended, or has not gone on, a day ago; begins what was being loaded when the program ended. */
  async function tidy(first: boolean): Promise<void> {
    const old = Date.now() - dayMs
    const look = async (key: { ref: string; id: string }) => {
      const record = await spool.read(key)
      const since = record
        ? Date.parse(record.ended_at ?? record.started_at)
        : await spool.changedAt(key)
      if (since < old) {
        await runs.stop(key.id)
        await spool.remove(key)
      } else if (first && record?.phase === 'receiving' && !spool.isHeld(key))
        await spool.alone(key, () => spool.trim(key))
      else if (first && record?.phase === 'loading') runs.begin(record)
    }
    await each('imports', await spool.list(), ({ ref, id }) => `${ref} ${id}`, look)
  }
  const tidied = (first: boolean) =>
    tidy(first).catch((error: unknown) => log.error({ err: error }, 'imports were not tidied up'))
  const ready = tidied(true)
  const timer = setInterval(() => void tidied(false), dayMs / 24).unref()

  async function close(): Promise<void> {
    clearInterval(timer)
    await ready
    await runs.close()
  }
  const afterReady =
    <A extends unknown[], T>(work: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      await ready
      return work(...given)
    }
  return {
    start: afterReady(start),
    piece: afterReady(piece),
    finish: afterReady(finish),
    cancel: afterReady(cancel),
    list: afterReady(list),
    state: afterReady(async (who: Who, id: string) => stateOf(await find(who, id))),
    badRows: afterReady(badRows),
    close,
  }
}

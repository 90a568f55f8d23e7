import type { Provider } from '#compute/provider'
import {
  nearFrom,
  nearUntil,
  pausedBeyond,
  releasedBelow,
  writableMinutes,
  type DiskState,
  type DiskUsage,
} from '#contract/projects/disk'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import { isHeld, isOpen, type ReadOnly } from './read-only.ts'
import { runs, type DiskRow, type DiskStore } from './store.ts'

type Deps = {
  store: DiskStore
  readOnly: ReadOnly
  compute: Pick<Provider, 'diskUse' | 'diskMark'>
  record: RecordChange
  /** Tells every data plane, when `tx` commits, that what it knows of a project is out of date. */
  notifyPlanes: (tx: Tx, ref: string) => Promise<void>
  /** Pauses a project by the platform's own word, if it can be paused now. */
  pause: (ref: string, reason: string) => Promise<void>
  each: EachSubject
  now: () => Date
  log: Log
}

const graceMs = writableMinutes * 60_000
/** Whoever asks is told what was measured this long ago at most. */
const freshMs = 10_000
/** What was counted of a server that has committed nothing since is counted again after this long: it may be in the middle of much. */
const quietMs = 5 * 60_000

/** What was warned of stays so until it is a little below its bound: what changes back and forth is told once. */
export function nextState(before: DiskState, bytes: number, limit: number | null): DiskState {
  if (limit === null) return 'ok'
  if (bytes > limit || (before === 'full' && bytes > limit * releasedBelow)) return 'full'
  return bytes >= limit * (before === 'near' ? nearUntil : nearFrom) ? 'near' : 'ok'
}

/** What the databases of projects take of the disk, and what follows where that is more than their plan has. */
export function createDisk(deps: Deps) {
  const { store, readOnly, compute, record, notifyPlanes, pause, each, now, log } = deps

  /** Measures a project, writes down what follows, and tells its server. */
  async function measure(ref: string): Promise<void> {
    const use = await compute.diskUse?.(ref)
    if (!use) return
    const row = await store.transaction(async (tx) => {
      const before = await store.lock(tx, ref)
      if (!before) return undefined
      const state = nextState(before.state, use.database, before.limit)
      const measured = {
        measured_at: now(),
        database_bytes: use.database,
        other_bytes: use.other,
        state,
        writable_until: state === 'full' || before.may_delete ? before.writable_until : null,
      }
      await store.keep(tx, before.id, measured)
      if (state !== before.state) {
        await record(tx, {
          organizationId: before.organization_id,
          actor: null,
          action: 'projects.disk',
          target: `project:${ref}`,
          change: { name: before.name, before: { state: before.state }, after: { state } },
          origin: null,
        })
      }
      return { ...before, ...measured }
    })
    if (!row) return
    await notify(row)
    if (isBoundless(row)) {
      await pause(ref, `Its database has more than ${pausedBeyond} times what its plan allows`)
    }
  }

  /** Only where the disk has something to say: a server that is told nothing is left alone. */
  async function notify(row: DiskRow): Promise<void> {
    const held = isHeld(row, now())
    const { may_delete, writable_until: until } = row
    const isAsked = may_delete && until !== null
    if (!held && !row.read_only && !isAsked) return
    if (held) await store.notified(row.id, true)
    await readOnly.settle(row.ref)
    if (isAsked && !isOpen(row, now())) await store.closed(row.id, until)
    if (!held) await store.notified(row.id, false)
  }

  /** Read only is a request that whoever owns the database can refuse. Who was just resumed has time to delete. */
  const isBoundless = (row: DiskRow) =>
    row.limit !== null &&
    row.database_bytes > row.limit * pausedBeyond &&
    isHeld(row, now()) &&
    now().getTime() - row.status_since.getTime() > graceMs

  const looks = new Map<string, Promise<void>>()
  /** For somebody who waits for it, such as after they have deleted something. */
  async function measureAnew(ref: string): Promise<void> {
    const look = looks.get(ref) ?? measure(ref).finally(() => looks.delete(ref))
    looks.set(ref, look)
    await look.catch((error: unknown) => {
      log.warn({ err: error, ref }, 'the disk of a project could not be measured')
    })
  }
  const isOld = ({ status, measured_at: at }: DiskRow) =>
    runs.includes(status) && (at === null || now().getTime() - at.getTime() > freshMs)

  async function usage(ref: string, { last = false } = {}): Promise<DiskUsage> {
    let row = await store.find(ref)
    if (row && !last && isOld(row)) {
      await measureAnew(ref)
      row = await store.find(ref)
    }
    if (!row) throw new ApiError('project_not_found')
    const { measured_at, database_bytes, other_bytes, limit, state, writable_until } = row
    const open = writable_until !== null && writable_until > now() ? writable_until : null
    return {
      measured_at: measured_at?.toISOString() ?? null,
      database_bytes,
      other_bytes,
      limit_bytes: compute.diskUse ? limit : null,
      state,
      writable_until: open?.toISOString() ?? null,
    }
  }

  /** What was counted last of a server, and its mark from just before. */
  const counted = new Map<string, { mark: string; at: Date }>()
  /** Nothing that the last count has found would be otherwise now. */
  const isSettled = ({
    measured_at,
    state,
    database_bytes,
    limit,
    read_only,
    may_delete,
    writable_until,
  }: DiskRow) =>
    !(may_delete && writable_until !== null) &&
    measured_at !== null &&
    state !== 'full' &&
    state === nextState(state, database_bytes, limit) &&
    !read_only

  /** Counting takes a program that looks at every file; a server that has written nothing is left alone. */
  async function measureIfWritten(row: DiskRow): Promise<void> {
    const mark = await compute.diskMark?.(row.ref)
    const last = counted.get(row.ref)
    const isQuiet = last && last.mark === mark && now().getTime() - last.at.getTime() < quietMs
    if (isQuiet && isSettled(row)) return
    counted.delete(row.ref)
    await measure(row.ref)
    if (mark !== undefined) counted.set(row.ref, { mark, at: now() })
  }

  return {
    usage,
    measure,

    /** Every server that runs. */
    async round(): Promise<void> {
      if (!compute.diskUse) return
      const rows = await store.running()
      const running = new Set(rows.map(({ ref }) => ref))
      for (const ref of counted.keys()) if (!running.has(ref)) counted.delete(ref)
      await each('disk of projects', rows, ({ ref }) => ref, measureIfWritten, { width: 4 })
    },

    /** For a full database, and for one beyond a quota. Nothing to allow is no mistake. @throws ApiError organization_restricted */
    async allowWrites(caller: Caller, ref: string, origin: Origin): Promise<DiskUsage> {
      const known = await store.find(ref)
      // There is no row to write to before the first measurement.
      if (known?.measured_at === null) await measureAnew(ref)
      const row = await store.transaction(async (tx) => {
        const before = await store.lock(tx, ref)
        if (!before) throw new ApiError('project_not_found')
        if (before.restricted && !before.may_delete) throw new ApiError('organization_restricted')
        if (before.state !== 'full' && !before.may_delete) return undefined
        const writable_until = new Date(now().getTime() + graceMs)
        await store.allowWrites(tx, before.id, writable_until)
        if (before.may_delete) await notifyPlanes(tx, ref)
        await record(tx, {
          organizationId: before.organization_id,
          actor: caller,
          action: 'disk.allowWrites',
          target: `project:${ref}`,
          change: { name: before.name, after: { writable_until: writable_until.toISOString() } },
          origin,
        })
        return { ...before, writable_until }
      })
      // What they asked for is written down: a server that cannot be told now is told by the next round.
      if (row)
        await notify(row).catch((error: unknown) => {
          log.warn({ err: error, ref }, 'a server is not told yet that it may be written to')
        })
      return usage(ref)
    },
  }
}
export type Disk = ReturnType<typeof createDisk>

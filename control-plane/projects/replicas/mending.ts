import { planOfTier } from '#contract/billing/plans'
import type { EachSubject } from '#kit/subjects'
import type { Deed, ReplicaDeps, ReplicasOf } from './replicas.ts'
import type { ReplicaOfProject } from './store.ts'

type Deps = Pick<ReplicaDeps, 'store' | 'compute' | 'adminPasswordOf' | 'log'> & {
  order: ReplicasOf['order']
  each: EachSubject
}

/**
 * Once a minute: what a plan does not include any more goes, what follows a history that is no more is made anew, and what was
 * broken off goes on. A replica that no row knows is dropped: it holds nothing that its project has not.
 */
export function createMending({ store, compute, order, each, log, ...deps }: Deps) {
  async function mend(ref: string, rows: readonly ReplicaOfProject[]): Promise<void> {
    if (!compute) return
    const [first] = rows
    const isRunning = first?.project_status === 'ACTIVE_HEALTHY'
    const found = isRunning ? await compute.list(ref, await deps.adminPasswordOf(ref)) : []
    const states = new Map(found.map(({ id, state }) => [id, state]))
    for (const row of rows) {
      const deed = deedFor(row, isRunning ? (states.get(row.identifier) ?? 'broken') : undefined)
      if (deed) await order(row, deed)
    }
    const known = new Set((await all(ref)).map(({ identifier }) => identifier))
    for (const { id } of found.filter((one) => !known.has(one.id))) {
      log.warn({ ref, id }, 'a read replica that no row knows is dropped')
      await compute.drop({ ref, id }, await deps.adminPasswordOf(ref))
    }
  }
  const all = async (ref: string) => {
    const subject = await store.subject(ref)
    return subject ? store.list(subject.id) : []
  }

  return async (): Promise<void> => {
    await store.leaveBehind()
    const byProject = new Map<string, ReplicaOfProject[]>()
    for (const row of await store.atRest())
      byProject.set(row.ref, [...(byProject.get(row.ref) ?? []), row])
    await each(
      'read replicas to mend',
      [...byProject],
      ([ref]) => ref,
      ([ref, rows]) => mend(ref, rows),
    )
  }
}

function deedFor(row: ReplicaOfProject, state: string | undefined): Deed | undefined {
  if (row.status === 'GOING_DOWN' || planOfTier[row.tier] === 'free') return 'drop'
  // It was whole, and what it follows is no more.
  if (row.status === 'ACTIVE_HEALTHY' && state === 'broken') return 'make'
  // It could not be made anew, or its job ended without a word; one that never was is tried again when somebody asks.
  const isBrokenOff = row.status === 'INIT_READ_REPLICA' || row.status === 'RESTARTING'
  const wasWhole = row.status === 'INIT_READ_REPLICA_FAILED' && row.made_at !== null
  return state !== undefined && (isBrokenOff || wasWhole) ? 'make' : undefined
}

import { PlaneFacts } from '#contract/operations/health'
import { lostAfterSeconds, type PlaneKind } from '#contract/operations/planes'
import type { PlaneStore } from './planes-store.ts'

/** A program of the installation, as the platform's database knows it. */
export type Plane = {
  kind: PlaneKind
  place: string
  version: string
  state: 'running' | 'ended' | 'lost'
  startedAt: Date
  heardAt: Date
  memoryBytes: number
  facts: PlaneFacts
}

type Deps = {
  store: Pick<PlaneStore, 'all'>
  /** Of this process, which is not lost: it is asking. */
  place: string
  /** When this process began. */
  startedAt: Date
  now: () => Date
}

type Silence = Pick<Plane, 'kind' | 'place'> & { heard_at: Date }

const nothing: PlaneFacts = PlaneFacts.parse({})

/**
 * The programs of the installation. One counts as lost when it has said nothing for a minute while somebody could listen: after
 * a start of the whole installation, each has that time to come up.
 */
export const createPlanes =
  ({ store, place, startedAt, now }: Deps) =>
  async (): Promise<Plane[]> => {
    const at = now().getTime()
    const silent = ({ kind, heard_at, ...row }: Silence) =>
      !(kind === 'control-plane' && row.place === place) &&
      at - Math.max(heard_at.getTime(), startedAt.getTime()) > lostAfterSeconds * 1000
    return (await store.all()).map((row) => ({
      kind: row.kind,
      place: row.place,
      version: row.version,
      state: row.ended_at ? 'ended' : silent(row) ? 'lost' : 'running',
      startedAt: row.started_at,
      heardAt: row.heard_at,
      memoryBytes: Number(row.memory_bytes),
      // Another version may have written it in another shape.
      facts: PlaneFacts.safeParse(row.facts).data ?? nothing,
    }))
  }

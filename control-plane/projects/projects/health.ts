import type { Provider } from '#compute/provider'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { ProjectRow, ProjectStore } from './store.ts'
import { toAddress } from './workflows.ts'

type Deps = {
  store: Pick<ProjectStore, 'find' | 'transition' | 'setAddress' | 'withStatus'>
  compute: Pick<Provider, 'inspect' | 'probe' | 'start' | 'restart'>
  each: EachSubject
  log: Log
  /** Milliseconds that only go forward. */
  now?: () => number
}

/** Failed probes in a row that make a project unhealthy (state machine of the reliability rules). */
const patience = 3

/**
 * Milliseconds for which a server that answered is not asked again while its process is there, which is looked at each time:
 * a connection costs it a process of its own, many times what the look does.
 */
const answerHoldsMs = 30_000

/**
 * Looks after running projects. A database that died is started again at once; one that lives but does not answer is
 * restarted after three failed probes. One that is gone is told of and left so. Projects at which the provider cannot look are shown as UNKNOWN meanwhile.
 */
export function createHealth({ store, compute, each, log, now = () => performance.now() }: Deps) {
  const failures = new Map<string, number>()
  /** When each was last asked and answered. */
  const answered = new Map<string, number>()
  const unknown = new Set<string>()

  const becomeHealthy = async (row: ProjectRow) => {
    failures.delete(row.ref)
    if (row.status === 'ACTIVE_HEALTHY') return
    await store.transition(undefined, row.ref, ['ACTIVE_UNHEALTHY'], 'ACTIVE_HEALTHY')
  }
  const becomeUnhealthy = async (row: ProjectRow, failure: string) => {
    log.warn({ ref: row.ref, failure }, 'project is unhealthy')
    if (row.status === 'ACTIVE_UNHEALTHY') return true
    const from = ['ACTIVE_HEALTHY'] as const
    return Boolean(
      await store.transition(undefined, row.ref, from, 'ACTIVE_UNHEALTHY', { failure }),
    )
  }

  async function answers({ ref, status }: ProjectRow): Promise<boolean> {
    const last = answered.get(ref)
    const isWell = status === 'ACTIVE_HEALTHY' && last !== undefined
    if (isWell && now() - last < answerHoldsMs) return true
    answered.delete(ref)
    if (!(await compute.probe(ref))) return false
    answered.set(ref, now())
    return true
  }

  async function check(row: ProjectRow): Promise<void> {
    const { state } = await compute.inspect(row.ref)
    if (state === 'unknown') return void unknown.add(row.ref)
    unknown.delete(row.ref)
    if (state === 'absent') {
      // There is nothing to start, and nothing is made in its place: a backup may bring its data back.
      answered.delete(row.ref)
      if (row.status === 'ACTIVE_HEALTHY') await becomeUnhealthy(row, 'The database server is gone')
      return
    }
    if (state === 'stopped') {
      answered.delete(row.ref)
      if (!(await becomeUnhealthy(row, 'The database stopped unexpectedly'))) return
      await store.setAddress(row.ref, toAddress(await compute.start(row.ref)))
    } else if (await answers(row)) {
      failures.delete(row.ref)
      if (row.status === 'ACTIVE_HEALTHY') return
    } else {
      const count = (failures.get(row.ref) ?? 0) + 1
      failures.set(row.ref, count)
      if (count < patience) return
      if (!(await becomeUnhealthy(row, 'The database does not answer'))) return
      await store.setAddress(row.ref, toAddress(await compute.restart(row.ref)))
    }
    // Read anew: a person may have paused or removed it while it was being started.
    const after = await store.find(row.ref)
    if (after && after.status.startsWith('ACTIVE_')) await becomeHealthy(after)
  }

  return {
    unknown: (ref: string): boolean => unknown.has(ref),

    async checkAll(): Promise<void> {
      const rows = await store.withStatus(['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY'])
      await each('health of projects', rows, ({ ref }) => ref, check, { width: 8 })
    },
  }
}

import { UnknownReplicaError, type DatabaseAddress, type ReadReplicas } from '#compute/provider'
import type { Job, JobHandler } from '#kit/jobs'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import type { ReplicaDeps } from './replicas.ts'
import type { ReplicaOfProject, ReplicaStore } from './store.ts'

type Deps = Pick<ReplicaDeps, 'store' | 'adminPasswordOf' | 'notify' | 'log'> & {
  compute: ReadReplicas | undefined
  toAddress: (address: DatabaseAddress) => ProjectAddress
  now: () => Date
}
type Settled = Parameters<ReplicaStore['settle']>[2]

const attempts = { attempts: 3, seconds: 1 }
const untilDone = { attempts: 8, seconds: 1 }
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The jobs of read replicas. Making, starting and dropping can be repeated, so a job that was killed goes on; what became of it is one
 * row at the end. One whose row is gone, with its project, has nothing to say.
 */
export function replicaWorkflows(deps: Deps): Record<string, JobHandler> {
  const { store, log } = deps

  const withMine = async (
    job: Job,
    work: (of: ReadReplicas, row: ReplicaOfProject, password: string) => Promise<void>,
  ): Promise<void> => {
    if (!deps.compute) throw new Error('Nobody makes read replicas here')
    const row = await store.ofJob(job.id)
    if (row) await work(deps.compute, row, await deps.adminPasswordOf(row.ref))
  }
  const keyOf = ({ ref, identifier }: ReplicaOfProject) => ({ ref, id: identifier })
  const end = (job: Job, how: (tx: Parameters<ReplicaStore['settle']>[0]) => Promise<unknown>) =>
    store.transaction(async (tx) => {
      await how(tx)
      await deps.notify(tx, job.subject)
    })
  const isUp = (address: DatabaseAddress): Settled => ({
    status: 'ACTIVE_HEALTHY',
    db_address: JSON.stringify(deps.toAddress(address)),
    failure: null,
  })

  const job =
    (work: JobHandler, failed: Settled): JobHandler =>
    async (given, step) => {
      try {
        await work(given, step)
      } catch (error) {
        log.warn({ err: error, job: given.name, ref: given.subject }, 'a read replica failed')
        const failure = reason(error)
        await step(
          'fail',
          () => end(given, (tx) => store.settle(tx, given.id, { ...failed, failure })),
          untilDone,
        )
      }
    }

  return {
    'replica.make': job(
      (given, step) =>
        step(
          'make',
          () =>
            withMine(given, async (of, row, password) => {
              const address = await of.make(keyOf(row), password)
              const made = { ...isUp(address), made_at: deps.now() }
              await end(given, (tx) => store.settle(tx, given.id, made))
            }),
          attempts,
        ),
      { status: 'INIT_READ_REPLICA_FAILED' },
    ),

    'replica.restart': job(
      (given, step) =>
        step('restart', () =>
          withMine(given, async (of, row) => {
            const address = await of.restart(keyOf(row)).catch((error: unknown) => {
              // The next round makes it anew.
              if (error instanceof UnknownReplicaError) return undefined
              throw error
            })
            const values = address ? isUp(address) : ({ status: 'ACTIVE_HEALTHY' } as const)
            await end(given, (tx) => store.settle(tx, given.id, values))
          }),
        ),
      { status: 'ACTIVE_HEALTHY' },
    ),

    'replica.drop': job(
      (given, step) =>
        step(
          'drop',
          () =>
            withMine(given, async (of, row, password) => {
              await of.drop(keyOf(row), password)
              await end(given, (tx) => store.forget(tx, given.id))
            }),
          attempts,
        ),
      // The next round tries again.
      { status: 'GOING_DOWN' },
    ),
  }
}

import { replicas, type Replica, type Replicas } from '#contract/projects/replicas'
import { q } from '../../api/client.ts'

const busyMs = 1500
const quietMs = 10_000

/** Something is done to it, or it is on its way to where it should be. */
const isChanging = ({ status, state }: Replica): boolean =>
  status === 'ACTIVE_HEALTHY' ? state !== 'streaming' : status !== 'INIT_READ_REPLICA_FAILED'

/** The read replicas of a project; looked at more often while one of them changes. */
export const replicasQuery = (ref: string) => ({
  ...q(replicas.list, { ref }, 5000),
  refetchInterval: ({ state }: { state: { data?: Replicas | undefined } }) =>
    state.data?.replicas.some(isChanging) ? busyMs : quietMs,
})

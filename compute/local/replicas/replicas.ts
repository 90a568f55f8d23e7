import { failpoint } from '#kit/failpoints'
import { findRunning } from '#kit/postgres/server'
import {
  isReplicaId,
  UnknownProjectError,
  UnknownReplicaError,
  type DatabaseAddress,
  type ReadReplicas,
  type ReplicaKey,
  type ReplicaStatus,
} from '../../provider.ts'
import { withServerAlone } from '../alone.ts'
import { adminOf } from '../backups/make.ts'
import type { Machine } from '../machine.ts'
import { userOf } from '../registry.ts'
import { beginReplica, copyServer, finishCopy, isWhole } from './make.ts'
import { promoteReplica } from './promote.ts'
import {
  addressOf,
  isRecorded,
  record,
  replicaOf,
  startReplica,
  stopReplica,
  userOfReplica,
} from './server.ts'
import { dropSlotOf, lookAtSlots, type SlotLook } from './server-store.ts'

type Within = {
  machine: () => Promise<Machine>
  /** One thing after the other for a project's server. */
  forProject: <T>(ref: string, work: (machine: Machine) => Promise<T>) => Promise<T>
}

/** Copying goes beside whatever else is done with a project, and fails when its server ends meanwhile; one copy of a replica at a time. */
export function localReplicas({ machine, forProject }: Within): ReadReplicas {
  const copying = new Map<string, Promise<DatabaseAddress>>()
  const forReplica = <T>(key: ReplicaKey, work: (m: Machine) => Promise<T>): Promise<T> =>
    isReplicaId(key.id)
      ? forProject(key.ref, work)
      : Promise.reject(new TypeError(`"${key.id}" is not the id of a read replica`))

  async function make(key: ReplicaKey, password: string): Promise<DatabaseAddress> {
    const there = await forReplica(key, async (m) => {
      const project = m.registry.get(key.ref)
      if (!project?.ready) throw new UnknownProjectError(key.ref)
      const admin = await adminOf(m, key.ref, password)
      const whole = await isWhole(m, key, admin)
      if (whole) return startAgain(m, key)
      return beginReplica(m, key, password)
    })
    if (there) return there
    await copyServer(await machine(), key, password)
    failpoint('compute.replica.copied')
    return forReplica(key, async (m) => {
      const project = m.registry.get(key.ref)
      const replica = replicaOf(m, key)
      // It was dropped meanwhile, perhaps with the project.
      if (!project || !replica) throw new UnknownReplicaError(key)
      await finishCopy(m, key, userOfReplica(project, replica))
      failpoint('compute.replica.flushed')
      await record(m, key.ref, { ...replica, ready: true })
      failpoint('compute.replica.ready')
      return startAgain(m, key)
    })
  }

  return {
    make(key, password) {
      const name = `${key.ref}-${key.id}`
      const running = copying.get(name) ?? make(key, password).finally(() => copying.delete(name))
      copying.set(name, running)
      return running
    },
    restart: (key) =>
      forReplica(key, async (m) => {
        await stopReplica(m, key)
        return startAgain(m, key)
      }),
    drop: (key, password) => forReplica(key, (m) => dropReplica(m, key, password)),
    promote: (key, password, how) => forReplica(key, (m) => promoteReplica(m, key, password, how)),
    list: async (ref, password) => listReplicas(await machine(), ref, password),
  }
}

function startAgain(machine: Machine, key: ReplicaKey): Promise<DatabaseAddress> {
  const project = machine.registry.get(key.ref)
  const replica = replicaOf(machine, key)
  if (!project || !replica?.ready) throw new UnknownReplicaError(key)
  return startReplica(machine, key, project, replica)
}

async function dropReplica(machine: Machine, key: ReplicaKey, password: string): Promise<void> {
  const { ref, id } = key
  const { registry, folders } = machine
  const project = registry.get(ref)
  const replica = replicaOf(machine, key)
  if (!project || !replica) return
  if (project.promoting !== undefined) throw new Error(`A read replica of ${ref} is being promoted`)
  // Whatever ends this in the middle: nothing starts it again, and doing it again finishes it.
  await record(machine, ref, { ...replica, ready: false })
  failpoint('compute.replica.unready')
  await stopReplica(machine, key)
  failpoint('compute.replica.stopped')
  if (await findRunning(folders.data(ref)))
    await dropSlotOf(await adminOf(machine, ref, password), id)
  else
    await withServerAlone(machine, ref, project, userOf(project), (admin) => dropSlotOf(admin, id))
  failpoint('compute.replica.slotless')
  await folders.discard(folders.replica(ref, id))
  const now = registry.get(ref) ?? project
  const others = now.replicas?.filter((one) => one.id !== id)
  const { replicas: _, ...rest } = now
  await registry.save(ref, others?.length ? { ...rest, replicas: others } : rest)
}

/** Looking does not wait for work in progress. */
async function listReplicas(
  machine: Machine,
  ref: string,
  password: string,
): Promise<ReplicaStatus[]> {
  const replicas = machine.registry.get(ref)?.replicas ?? []
  if (replicas.length === 0) return []
  const runs = (await findRunning(machine.folders.data(ref)))?.ready === true
  const slots = runs
    ? await lookAtSlots(await adminOf(machine, ref, password), (id) =>
        isRecorded(machine, { ref, id }),
      )
    : undefined
  const found = replicas.map(async ({ id, ready }): Promise<ReplicaStatus> => {
    const address = await addressOf(machine, { ref, id })
    return { id, ...(address && { address }), ...stateOf(ready, address, slots, slots?.get(id)) }
  })
  return (await Promise.all(found)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function stateOf(
  ready: boolean,
  address: DatabaseAddress | undefined,
  slots: ReadonlyMap<string, SlotLook> | undefined,
  slot: SlotLook | undefined,
): Omit<ReplicaStatus, 'id' | 'address'> {
  if (!ready) return { state: 'broken', reason: 'It is not a whole copy of the database' }
  if (slots && (!slot || slot.lost))
    return {
      state: 'broken',
      reason: slot
        ? 'It fell so far behind that the database no longer keeps what it lacks'
        : 'The database is not the one that it is a copy of',
    }
  if (!address) return { state: 'stopped', reason: 'Its server does not run' }
  if (slot?.state == null)
    return {
      state: 'catching_up',
      reason: slots ? 'It is not connected to the database' : 'The database does not run',
    }
  const lagBytes = slot.lag ?? undefined
  const lagSeconds = lagBytes === 0 ? 0 : (slot.seconds ?? undefined)
  const lag = {
    ...(lagBytes !== undefined && { lagBytes }),
    ...(lagSeconds !== undefined && { lagSeconds }),
  }
  return slot.state === 'streaming'
    ? { state: 'streaming', ...lag }
    : { state: 'catching_up', reason: 'It replays what was written before', ...lag }
}

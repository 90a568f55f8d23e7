import { acceptsConnections } from '#kit/postgres/ping'
import { findRunning, stopServer } from '#kit/postgres/server'
import type { Machine } from '../machine.ts'
import { dataOf, stopReplica } from './server.ts'

/** Looks in a row at which a replica has to be silent to be taken for one that hangs. */
const patience = 3

/**
 * Ends replicas that hang. A server that has to give up the slot of one ends the process that sends to it, and that process waits for
 * ever to say so where nobody reads; only the end of the connection frees it.
 */
export function watchForHanging() {
  const silent = new Map<string, number>()
  /** Ends those of a project that were silent too often; who calls starts them anew. */
  return async (machine: Machine, ref: string): Promise<void> => {
    for (const { id, ready } of machine.registry.get(ref)?.replicas ?? []) {
      const key = { ref, id }
      const name = `${ref}-${id}`
      const dataDir = dataOf(machine, key)
      const server = ready ? await findRunning(dataDir) : undefined
      if (!server?.ready || (await acceptsConnections(server))) {
        silent.delete(name)
        continue
      }
      const count = (silent.get(name) ?? 0) + 1
      silent.set(name, count)
      if (count < patience) continue
      silent.delete(name)
      machine.log.warn(key, 'a read replica hangs and is ended')
      await stopServer(dataDir, { mode: 'immediate', forceMs: 1000 })
      await stopReplica(machine, key)
    }
  }
}

import { beganAt } from '#kit/postgres/processes'
import { findRunning } from '#kit/postgres/server'
import type { Observation } from '../provider.ts'
import type { Machine } from './machine.ts'

type Seen = { pid: number; began: string; observation: Observation }

/**
 * Looks whether the server of a project is there. One that was found is known by its process from then on, so that looking
 * again, every few seconds for every project, costs one read; a pid that was given to another process began at another time.
 */
export function createInspect() {
  const seen = new Map<string, Seen>()

  return async ({ folders, registry }: Machine, ref: string): Promise<Observation> => {
    const damaged = registry.unreadable.get(ref)
    if (damaged) return { state: 'unknown', reason: String(damaged.error) }
    const before = seen.get(ref)
    if (!registry.get(ref)?.ready) {
      seen.delete(ref)
      return { state: 'absent' }
    }
    if (before && beganAt(before.pid) === before.began) return before.observation
    seen.delete(ref)
    try {
      const server = await findRunning(folders.data(ref))
      if (!server) return { state: 'stopped' }
      const { pid, socketDir, port } = server
      const observation: Observation = { state: 'running', address: { socketDir, port } }
      const began = beganAt(pid)
      if (began !== undefined) seen.set(ref, { pid, began, observation })
      return observation
    } catch (error) {
      return { state: 'unknown', reason: String(error) }
    }
  }
}

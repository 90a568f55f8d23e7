import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '@kubernetes/client-node'
import { ClusterApiError, type ClusterApi, type Named, type Patch } from './api.ts'

const attempts = 10

type Tree = { [name: string]: unknown }
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What has to be merged into `there` so that it has everything of `wanted`; undefined: it has. */
export function missing(wanted: Tree, there: Tree): Tree | undefined {
  const parts = Object.entries(wanted).flatMap(([name, value]): [string, unknown][] => {
    const present = there[name]
    if (isTree(value) && isTree(present)) {
      const inside = missing(value, present)
      return inside ? [[name, inside]] : []
    }
    return isDeepStrictEqual(value, present) ? [] : [[name, value]]
  })
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}

/**
 * Has the cluster hold this object with everything that is written in it, and leaves alone what others have added. May be repeated at
 * any time. Who else changes it meanwhile is not overwritten: it is read again.
 */
export async function ensure<T extends KubernetesObject & Named>(
  api: ClusterApi,
  object: T,
): Promise<void> {
  const { apiVersion, kind, metadata } = object
  const { name, namespace } = metadata
  const named = { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } }
  for (let attempt = 1; ; attempt++) {
    try {
      const there = await api.find(named)
      if (!there) return void (await api.create(object))
      const change = missing(Object.fromEntries(Object.entries(object)), { ...there })
      if (!change) return
      const { resourceVersion } = there.metadata ?? {}
      const meta = { ...Object(change.metadata), ...named.metadata, resourceVersion }
      const patch: Patch = { ...change, ...named, metadata: meta }
      return void (await api.merge(patch))
    } catch (error) {
      const isRace = error instanceof ClusterApiError && error.status === 409
      if (!isRace || attempt === attempts) throw error
    }
  }
}

/** Has the cluster hold an object of this name: one that is there stays what it is. */
export async function ensureOnce(api: ClusterApi, object: KubernetesObject & Named): Promise<void> {
  const { apiVersion, kind, metadata } = object
  if (await api.find({ apiVersion, kind, metadata })) return
  try {
    await api.create(object)
  } catch (error) {
    const isThere = error instanceof ClusterApiError && error.status === 409
    if (!isThere) throw error
  }
}

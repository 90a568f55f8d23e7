import type { Endpoint } from '#contract/endpoint'
import { storage as api } from '#contract/storage/storage'
import { storageTrash } from '#contract/storage/storage-trash'
import { forwardCall } from '#kit/http/forward'
import { implementRaw, originOf, type Caller, type Origin, type Route } from '#kit/http'
import type { DataPlane } from '../../data-plane/client.ts'
import { actingAs } from './acting-as.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { StorageStore } from './store.ts'

type Deps = {
  store: StorageStore
  record: RecordChange
  dataPlane: DataPlane
}

/** What changes nothing, whatever its method. */
const looks = new Set<Endpoint>([api.list, api.download, api.archive, api.publicUrl])

/**
 * The buckets and objects of a project, for the dashboard. Permission is checked here; the work is done in the data
 * plane, as the storage service itself.
 */
export function storageRoutes({ store, record, dataPlane }: Deps): Route[] {
  /** A change in a project's database is one of another database: its entry follows as soon as it is made. */
  async function note(
    { name }: Endpoint,
    input: Record<string, unknown>,
    caller: Caller,
    origin: Origin,
  ) {
    const ref = String(input['ref'])
    await store.transaction(async (tx) => {
      const organizationId = await store.organizationOf(tx, ref)
      if (organizationId === undefined) return
      await record(tx, {
        organizationId,
        actor: caller,
        action: name,
        target: `project:${ref}`,
        change: { after: noted(input) },
        origin,
      })
    })
  }

  return [...Object.values(api), ...Object.values(storageTrash)].map((endpoint: Endpoint) =>
    implementRaw(endpoint, async (input, caller, { request, reply }) => {
      const path = request.url.replace(/^\/platform\/storage\//, '/internal/storage/')
      const { url, headers } = dataPlane.onward(path, caller ? actingAs(caller.email) : {})
      const changes = endpoint.method !== 'GET' && !looks.has(endpoint)
      const changed =
        caller && changes ? () => note(endpoint, input, caller, originOf(request)) : undefined
      return forwardCall(url, headers, request, reply, changed)
    }),
  )
}

/** Objects are told by their number alone: entries are never deleted, and names of files can be those of people. */
function noted({ id, name, paths, path, from, item, ids, ...input }: Record<string, unknown>) {
  if (item !== undefined) return { objects: 1 }
  if (Array.isArray(ids)) return { objects: ids.length }
  const settings = ['public', 'file_size_limit', 'allowed_mime_types', 'to_bucket', 'expires_in']
  const named = Array.isArray(paths)
    ? paths.length
    : path === undefined && from === undefined
      ? 0
      : 1
  return {
    bucket: id ?? name ?? input['bucket'] ?? null,
    ...(named > 0 && { objects: named }),
    ...Object.fromEntries(settings.flatMap((key) => (key in input ? [[key, input[key]]] : []))),
  }
}

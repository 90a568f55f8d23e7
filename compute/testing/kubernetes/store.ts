import { randomUUID } from 'node:crypto'

/** An object as an API server keeps it. */
export type Stored = {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    namespace?: string
    uid: string
    resourceVersion: string
    generation: number
    creationTimestamp: string
    deletionTimestamp?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
    finalizers?: string[]
  }
  spec?: Tree
  status?: Tree
  [field: string]: unknown
}
export type Tree = { [name: string]: unknown }
/** One that the server has not numbered yet. */
export type New = {
  apiVersion: string
  kind: string
  metadata: Partial<Stored['metadata']>
  [field: string]: unknown
}
export type Event = { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: Stored; version: number }

/** What the API server answers that is no success. */
export class Refused extends Error {
  readonly code: number
  readonly reason: string
  /** Which object it is about. */
  readonly details: { name: string; kind: string } | undefined
  constructor(
    code: number,
    reason: string,
    message: string,
    details?: { name: string; kind: string },
  ) {
    super(message)
    this.code = code
    this.reason = reason
    this.details = details
  }
}

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A merge patch (RFC 7386): null removes, trees are merged, all else takes the place of what there was. */
export function merged(there: unknown, patch: unknown): unknown {
  if (!isTree(patch)) return patch
  const result: Tree = isTree(there) ? { ...there } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = merged(result[name], value)
  }
  return result
}

const keyOf = (kind: string, namespace: string | undefined, name: string) =>
  `${kind}/${namespace ?? ''}/${name}`

/**
 * The objects of a cluster in memory: every write is a version, each object knows its own, and what is older than the last
 * writer knew is refused. An object with finalizers goes when the last one is gone, a namespace when it is empty.
 */
export function createStore() {
  const objects = new Map<string, Stored>()
  const followers = new Set<(event: Event) => void>()
  let events: Event[] = []
  let version = 1
  let oldest = 1

  function tell(type: Event['type'], object: Stored): Stored {
    version += 1
    object.metadata.resourceVersion = String(version)
    // What was told does not change with what comes later.
    const event = { type, object: structuredClone(object), version }
    events.push(event)
    for (const follow of followers) follow(event)
    return event.object
  }
  const find = (kind: string, namespace: string | undefined, name: string) =>
    objects.get(keyOf(kind, namespace, name))
  function get(kind: string, namespace: string | undefined, name: string): Stored {
    const found = find(kind, namespace, name)
    if (!found) throw new Refused(404, 'NotFound', `${kind} "${name}" not found`, { name, kind })
    return found
  }

  function create(object: New): Stored {
    const { kind, metadata } = object
    const { name, namespace } = metadata
    if (!name) throw new Refused(422, 'Invalid', 'metadata.name: Required value')
    if (namespace !== undefined) {
      const home = find('Namespace', undefined, namespace)
      const about = { name: namespace, kind: 'namespaces' }
      if (!home) throw new Refused(404, 'NotFound', `namespaces "${namespace}" not found`, about)
      if (home.metadata.deletionTimestamp)
        throw new Refused(
          403,
          'Forbidden',
          `${kind} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
        )
    }
    if (find(kind, namespace, name))
      throw new Refused(409, 'AlreadyExists', `${kind} "${name}" already exists`)
    const stored = structuredClone(object) as Stored
    stored.metadata = {
      ...structuredClone(metadata),
      name,
      uid: randomUUID(),
      resourceVersion: '',
      generation: 1,
      creationTimestamp: new Date().toISOString(),
    }
    objects.set(keyOf(kind, namespace, name), stored)
    return tell('ADDED', stored)
  }

  /** Puts `next` in the place of what there is. `status` is written by whoever answers for it, and by nobody else. */
  function replace(next: Stored, part: 'object' | 'status'): Stored {
    const { kind, metadata } = next
    const there = get(kind, metadata.namespace, metadata.name)
    const known = metadata.resourceVersion
    if (known && known !== there.metadata.resourceVersion)
      throw new Refused(
        409,
        'Conflict',
        `Operation cannot be fulfilled on ${kind} "${metadata.name}": the object has been modified; please apply your changes to the latest version and try again`,
      )
    const copy = structuredClone(next)
    const after: Stored = part === 'status' ? { ...there, status: copy.status ?? {} } : copy
    if (part === 'object') {
      const { uid, creationTimestamp, deletionTimestamp, generation } = there.metadata
      const specChanged = JSON.stringify(there.spec) !== JSON.stringify(copy.spec)
      after.metadata = {
        ...copy.metadata,
        uid,
        creationTimestamp,
        generation: specChanged ? generation + 1 : generation,
        ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      }
      if (there.status) after.status = there.status
      else delete after.status
    }
    after.metadata = { ...after.metadata, resourceVersion: there.metadata.resourceVersion }
    // A write that changes nothing is none.
    if (JSON.stringify(after) === JSON.stringify(there)) return structuredClone(there)
    objects.set(keyOf(kind, metadata.namespace, metadata.name), after)
    const told = tell('MODIFIED', after)
    finish(after)
    return told
  }

  function remove(kind: string, namespace: string | undefined, name: string): Stored {
    const there = get(kind, namespace, name)
    if (!there.metadata.deletionTimestamp) {
      there.metadata.deletionTimestamp = new Date().toISOString()
      if (kind === 'Namespace') there.status = { phase: 'Terminating' }
      tell('MODIFIED', there)
      finish(there)
    }
    return structuredClone(there)
  }
  /** What is to go and has nothing to wait for any more goes. */
  function finish(object: Stored): void {
    const { kind, metadata } = object
    if (!metadata.deletionTimestamp || metadata.finalizers?.length) return
    // A namespace is emptied in the background, by `collect`.
    if (kind === 'Namespace') return
    if (objects.delete(keyOf(kind, metadata.namespace, metadata.name))) tell('DELETED', object)
  }
  /** One round of what removes namespaces: first all that is in them, then themselves. */
  function collect(): void {
    for (const home of list('Namespace')) {
      if (!home.metadata.deletionTimestamp) continue
      const inside = [...objects.values()].filter(
        ({ metadata }) => metadata.namespace === home.metadata.name,
      )
      for (const { kind, metadata } of inside) remove(kind, metadata.namespace, metadata.name)
      const { name } = home.metadata
      if (inside.length === 0 && objects.delete(keyOf('Namespace', undefined, name)))
        tell('DELETED', home)
    }
  }
  const list = (kind: string, namespace?: string): Stored[] =>
    [...objects.values()]
      .filter(
        (object) =>
          object.kind === kind &&
          (namespace === undefined || object.metadata.namespace === namespace),
      )
      .map((object) => structuredClone(object))

  return {
    create,
    replace,
    remove,
    collect,
    list,
    find: (kind: string, namespace: string | undefined, name: string) =>
      structuredClone(find(kind, namespace, name)),
    get: (kind: string, namespace: string | undefined, name: string) =>
      structuredClone(get(kind, namespace, name)),
    everythingIn: (namespace: string) =>
      [...objects.values()].filter(
        ({ kind, metadata }) =>
          metadata.namespace === namespace || (kind === 'Namespace' && metadata.name === namespace),
      ),
    version: () => version,
    /** Forgets what happened until now: whoever asks for it is told that it is gone (410). */
    compact(): void {
      oldest = version
      events = []
    },
    /** What happened since a version, and all that happens from now on, until the answer is called. */
    follow(since: number, take: (event: Event) => void): () => void {
      if (since < oldest)
        throw new Refused(410, 'Expired', `too old resource version: ${since} (${oldest})`)
      for (const event of events) if (event.version > since) take(event)
      followers.add(take)
      return () => followers.delete(take)
    },
  }
}
export type Store = ReturnType<typeof createStore>

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { authorize, admitPod, type Rule } from './admission.ts'
import { createPodLogs, logQuestion } from './pod-logs.ts'
import { isChecked, validate } from './schemas.ts'
import { createStore, isTree, merged, Refused, type Event, type Stored } from './store.ts'

type Resource = { resource: string; kind: string; namespaced: boolean }
const resource = (name: string, kind: string, namespaced = true): Resource => ({
  resource: name,
  kind,
  namespaced,
})
/** What there is, by group and version. */
const resources: Record<string, Resource[]> = {
  v1: [
    resource('namespaces', 'Namespace', false),
    resource('pods', 'Pod'),
    resource('resourcequotas', 'ResourceQuota'),
    resource('secrets', 'Secret'),
    resource('services', 'Service'),
  ],
  'discovery.k8s.io/v1': [resource('endpointslices', 'EndpointSlice')],
  'networking.k8s.io/v1': [resource('networkpolicies', 'NetworkPolicy')],
  'authorization.k8s.io/v1': [
    resource('selfsubjectaccessreviews', 'SelfSubjectAccessReview', false),
  ],
  'postgresql.cnpg.io/v1': [resource('clusters', 'Cluster'), resource('backups', 'Backup')],
  'barmancloud.cnpg.io/v1': [resource('objectstores', 'ObjectStore')],
  'snapshot.storage.k8s.io/v1': [resource('volumesnapshotclasses', 'VolumeSnapshotClass', false)],
  'storage.k8s.io/v1': [resource('storageclasses', 'StorageClass', false)],
}

export type Question = {
  verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'
  apiVersion: string
  resource: string
  kind: string
  namespace: string | undefined
  name: string | undefined
  url: URL
}
/** What happens to a question in the place of its answer; nothing: it is answered. */
export type Fault = { status: number; headers?: Record<string, string> } | 'drop' | undefined
type Trap = { verb: Question['verb']; resource: string; times: number; act: () => Fault }

/**
 * An API server for tests, on this machine. It keeps what is written in memory and refuses what a real one with the published schemas
 * would, and more: unknown fields. `trap` makes the next questions of a kind go wrong.
 */
export async function startApiServer({
  rules,
  token,
  without = [],
}: {
  rules: readonly Rule[]
  token: string
  /** Groups and versions that nobody has installed. */
  without?: readonly string[]
}) {
  const store = createStore()
  const traps: Trap[] = []
  const asked: Question[] = []
  const open = new Set<ServerResponse>()
  const podLogs = createPodLogs(store)
  let allowed = rules
  const collector = setInterval(() => store.collect(), 30)

  function parse(request: IncomingMessage): Question | { discover: string } {
    const url = new URL(request.url ?? '/', 'http://cluster')
    const [, apiVersion = '', rest = ''] =
      /^\/(?:api|apis)\/(v1|[^/]+\/[^/]+)(?:\/(.*))?$/.exec(url.pathname) ?? []
    const known = resources[apiVersion]
    if (!known || without.includes(apiVersion))
      throw new Refused(404, 'NotFound', 'the server could not find the requested resource')
    if (rest === '') return { discover: apiVersion }
    const parts = rest.split('/').map((part) => decodeURIComponent(part))
    const inside = parts[0] === 'namespaces' && parts.length > 2
    const namespace = inside ? parts[1] : undefined
    const [plural = '', name, part] = inside ? parts.slice(2) : parts
    const found = known.find((one) => one.resource === plural)
    if (!found) throw new Refused(404, 'NotFound', `the server has no ${plural}`)
    if (part === 'log' && found.kind === 'Pod' && request.method === 'GET')
      return { verb: 'get', apiVersion, resource: 'pods/log', kind: 'Pod', namespace, name, url }
    if (part !== undefined) throw new Refused(404, 'NotFound', `${plural} have no ${part}`)
    const reading = url.searchParams.get('watch') === 'true' ? 'watch' : name ? 'get' : 'list'
    const verbs = {
      GET: reading,
      POST: 'create',
      PUT: 'update',
      PATCH: 'patch',
      DELETE: 'delete',
    } as const
    const verb = verbs[(request.method ?? 'GET') as keyof typeof verbs]
    return { verb, apiVersion, resource: plural, kind: found.kind, namespace, name, url }
  }

  /** Whoever comes may ask what they may do. */
  function review(given: unknown) {
    const { spec } = given as {
      spec: { resourceAttributes: Parameters<typeof authorize>[1] & { subresource?: string } }
    }
    const { subresource, ...asks } = spec.resourceAttributes
    try {
      const resource = subresource ? `${asks.resource}/${subresource}` : asks.resource
      authorize(allowed, { ...asks, resource })
      return { ...Object(given), status: { allowed: true } }
    } catch {
      return { ...Object(given), status: { allowed: false } }
    }
  }
  /** What a patch makes of an object. */
  function written(question: Question, body: unknown, type: string): Stored {
    const { kind, namespace, name = '' } = question
    const there = store.get(kind, namespace, name)
    if (question.verb === 'update') return body as Stored
    if (type !== 'application/merge-patch+json')
      throw new Refused(415, 'UnsupportedMediaType', `this server takes no ${type}`)
    const patched = merged(there, body) as Stored
    const known = isTree(body) && isTree(body.metadata) ? body.metadata.resourceVersion : undefined
    patched.metadata.resourceVersion = typeof known === 'string' ? known : ''
    return patched
  }
  /** As the server keeps it: what was given as text is bytes from then on. */
  function kept(object: Stored): Stored {
    const { stringData, ...rest } = object
    if (!isTree(stringData)) return object
    const bytes = Object.entries(stringData).map(([name, text]) => [
      name,
      Buffer.from(String(text)).toString('base64'),
    ])
    return { ...rest, data: { ...Object(object.data), ...Object.fromEntries(bytes) } }
  }
  function answer(
    question: Question,
    body: unknown,
    type: string,
  ): { status: number; body: unknown } {
    const { verb, kind, namespace, name = '', url, apiVersion } = question
    switch (verb) {
      case 'get':
        return { status: 200, body: store.get(kind, namespace, name) }
      case 'list': {
        const items = store.list(kind, namespace).filter(selected(url))
        const metadata = { resourceVersion: String(store.version()) }
        return { status: 200, body: { apiVersion, kind: `${kind}List`, metadata, items } }
      }
      case 'create': {
        const given = body as Stored
        if (isChecked(kind)) validate(kind, given)
        if (kind === 'Pod') admitPod(store, given)
        const home = namespace === undefined ? {} : { namespace }
        const labels = kind === 'Namespace' && {
          labels: { ...given.metadata.labels, 'kubernetes.io/metadata.name': given.metadata.name },
        }
        const metadata = { ...given.metadata, ...home, ...labels }
        return { status: 201, body: store.create({ ...kept(given), metadata }) }
      }
      case 'update':
      case 'patch': {
        const after = written(question, body, type)
        if (isChecked(kind)) validate(kind, after, store.get(kind, namespace, name))
        return { status: 200, body: store.replace(kept(after), 'object') }
      }
      case 'delete':
        return { status: 200, body: store.remove(kind, namespace, name) }
      case 'watch':
        throw new Error('A watch is no answer')
    }
  }
  function watch(question: Question, response: ServerResponse): void {
    const { kind, namespace, url } = question
    const isWanted = selected(url)
    const line = ({
      type,
      object,
    }: Pick<Event, 'type' | 'object'> | { type: string; object: object }) =>
      response.write(`${JSON.stringify({ type, object })}\n`)
    const since = Number(url.searchParams.get('resourceVersion') ?? store.version())
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    open.add(response)
    try {
      const end = store.follow(since, (event) => {
        const { object } = event
        if (
          object.kind === kind &&
          (namespace === undefined || object.metadata.namespace === namespace) &&
          isWanted(object)
        )
          line(event)
      })
      response.once('close', () => {
        end()
        open.delete(response)
      })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      line({ type: 'ERROR', object: statusOf(error) })
      response.end()
    }
  }

  const server = createServer((request, response) => {
    void (async () => {
      const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify(body))
      }
      try {
        if (request.headers.authorization !== `Bearer ${token}`)
          throw new Refused(401, 'Unauthorized', 'Unauthorized')
        const question = parse(request)
        if ('discover' in question) {
          const list = (resources[question.discover] ?? []).map(({ resource: plural, ...one }) => ({
            ...one,
            name: plural,
            singularName: '',
            verbs: [],
          }))
          send(200, { kind: 'APIResourceList', groupVersion: question.discover, resources: list })
          return
        }
        asked.push(question)
        const trap = traps.find(
          (one) =>
            one.times > 0 && one.verb === question.verb && one.resource === question.resource,
        )
        if (trap) {
          trap.times -= 1
          const fault = trap.act()
          if (fault === 'drop') return void request.socket.destroy()
          if (fault) {
            const refused = new Refused(fault.status, 'Fault', 'a fault of the test')
            send(fault.status, statusOf(refused), fault.headers)
            return
          }
        }
        const [, group = ''] = /^(?:(.+)\/)?v\d/.exec(question.apiVersion) ?? []
        const isReview = question.kind === 'SelfSubjectAccessReview'
        if (!isReview)
          authorize(allowed, { group, resource: question.resource, verb: question.verb })
        if (question.verb === 'watch') return watch(question, response)
        if (question.resource === 'pods/log') {
          const { namespace, name = '', url } = question
          const pod = store.get('Pod', namespace, name)
          await podLogs.send(pod, logQuestion(url.searchParams), response)
          return
        }
        const type = request.headers['content-type']?.split(';')[0] ?? ''
        const hasBody = ['create', 'update', 'patch'].includes(question.verb)
        const body: unknown = hasBody ? await json(request) : undefined
        if (isReview) return send(201, review(body))
        const { status, body: result } = answer(question, body, type)
        send(status, result)
      } catch (error) {
        const refused =
          error instanceof Refused ? error : new Refused(500, 'InternalError', String(error))
        send(refused.code, statusOf(refused))
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    store,
    /** What containers have written. */
    podLogs,
    url: `http://127.0.0.1:${port}`,
    token,
    /** All questions so far. */
    asked,
    /** The next `times` questions of this kind meet `act`: before them, something happens or goes wrong. */
    trap(verb: Question['verb'], plural: string, act: () => Fault, times = 1): void {
      traps.push({ verb, resource: plural, times, act })
    },
    /** Whoever comes may do this from now on. */
    allow(next: readonly Rule[]): void {
      allowed = next
    },
    /** Breaks every connection that waits for changes. */
    dropWatches(): void {
      for (const response of open) response.destroy()
    },
    async close(): Promise<void> {
      clearInterval(collector)
      podLogs.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type ApiServer = Awaited<ReturnType<typeof startApiServer>>

/** Whether an object has the labels that are asked for, or one of the name. */
const selected = (url: URL) => {
  const wanted = url.searchParams.get('labelSelector')?.split(',') ?? []
  return ({ metadata }: Stored): boolean =>
    wanted.every((one) => {
      const [label = '', value] = one.split('=')
      const there = metadata.labels?.[label]
      return value === undefined ? there !== undefined : there === value
    })
}

const statusOf = ({ code, reason, message, details }: Refused) => ({
  apiVersion: 'v1',
  kind: 'Status',
  status: 'Failure',
  message,
  reason,
  ...(details && { details }),
  code,
})

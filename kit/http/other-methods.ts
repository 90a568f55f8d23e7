import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint'
import { ApiError } from '../errors.ts'

const verbs: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * A known path with another verb is 405 with the verbs it knows, not a 404. The paths are gone through only when no route was
 * found: routes of their own for every other verb of each path would be three quarters of all routes, and a third of a start.
 */
export function refuseOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const paths = pathsOf(endpoints)
  app.addHook('onRequest', async (request, reply) => {
    const { url: route } = request.routeOptions
    if ((route !== undefined && !route.endsWith('*')) || !verbs.includes(request.method)) return
    const asked = request.url.split('?')[0] ?? ''
    const known = paths.find(({ pattern }) => pattern.test(asked))
    if (!known) return
    void reply.header('allow', known.methods.join(', '))
    throw new ApiError('method_not_allowed')
  })
}

type Path = { pattern: RegExp; methods: Endpoint['method'][] }

/** Those without values first: what a path is called comes before what a value in its place could be. */
function pathsOf(endpoints: readonly Endpoint[]): Path[] {
  const bySource = new Map<string, Path>()
  for (const { path, method } of endpoints) {
    // What a value in a path is called does not make it another path.
    const source = path
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll('.', '\\.')))
      .join('/')
    const known = bySource.get(source) ?? { pattern: new RegExp(`^${source}/?$`), methods: [] }
    known.methods.push(method)
    bySource.set(source, known)
  }
  const valuesIn = ({ pattern }: Path) => pattern.source.split('[^').length
  return [...bySource.values()].toSorted((a, b) => valuesIn(a) - valuesIn(b))
}

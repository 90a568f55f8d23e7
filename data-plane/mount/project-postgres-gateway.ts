import { addErrorHandling } from '#kit/http/http-errors'
import type { DataPlaneOptions } from '../options.ts'
import type { Plane } from '../plane.ts'
import { createCounting, type GatewayFigures } from '../postgres-gateway/counting.ts'
import type { ConnectionEvent } from '../postgres-gateway/events.ts'
import { connectionEntry } from '../postgres-gateway/log-entries.ts'
import {
  createPostgresGateway,
  type DatabasePortSource,
} from '../postgres-gateway/postgres-gateway.ts'
import {
  createSharedGateway,
  type PoolerFigures,
} from '../postgres-gateway/shared/shared-gateway.ts'

/**
 * Takes the connections of people and programs to the databases of projects, counts what they get, and notes who comes. Answers with
 * the figures of a project; undefined where another process takes its connections.
 */
export function mountPostgresGateway(
  plane: Plane,
  source: DatabasePortSource,
  {
    pooler,
    encryption,
    changed,
  }: Pick<DataPlaneOptions, 'pooler' | 'encryption'> & {
    /** Hears when somebody who could change the database has left. */
    changed: (ref: string) => void
  },
): (ref: string) => (GatewayFigures & { pool: PoolerFigures | undefined }) | undefined {
  const { app, meter, logs, log, onlyOurs } = plane
  const counting = createCounting(meter.add)
  meter.beforeSync(counting.look)
  function tell(ref: string, event: ConnectionEvent): void {
    if (event.kind === 'opened') counting.opened(ref, event.session)
    if (event.kind === 'ended') {
      counting.ended(event.session)
      changed(ref)
    }
    const entry = connectionEntry(event)
    if (entry) logs.note(ref, 'supavisor_logs', entry)
  }
  const shared = pooler && createSharedGateway({ ...pooler, tell, log, encryption })
  const gateway = createPostgresGateway({
    source,
    log,
    tell,
    encryption,
    onPorts: shared?.update,
  })
  app.addHook('preClose', async () => {
    gateway.close()
    await shared?.close()
    encryption?.close()
  })

  /** What our own programs ask about the ports of databases. */
  void app.register(
    async (scope) => {
      addErrorHandling(scope)
      scope.addHook('onRequest', onlyOurs)
      scope.post('/', () => gateway.states())
      scope.get('/certificate', () => ({
        offered: encryption !== undefined,
        authority: encryption?.authority() ?? null,
      }))
    },
    { prefix: '/internal/database-ports' },
  )
  return (ref) =>
    gateway.holds(ref) ? { ...counting.figures(ref), pool: shared?.poolFigures(ref) } : undefined
}

import { z } from 'zod'
import { logDrainTypes } from '#contract/observability/log-drain-shapes'
import { ApiError } from '#kit/errors'
import { addErrorHandling } from '#kit/http/http-errors'
import { createLogDrains } from '../log-drains/log-drains.ts'
import type { LogDrainOptions } from '../options.ts'
import type { Plane } from '../plane.ts'

const Test = z.object({
  type: z.enum(logDrainTypes),
  config: z.record(z.string(), z.unknown()),
})

/** Sends logs elsewhere from when the process listens until it closes, and tries a drain that need not be there. */
export function mountLogDrains(plane: Plane, options: LogDrainOptions): void {
  const { app, meter, reachesLoopback, onlyOurs, log } = plane
  const drains = createLogDrains({
    ...options,
    count(ref, entries, bytes) {
      meter.add(ref, 'drain_events', entries)
      meter.add(ref, 'drain_bytes', bytes)
    },
    reachesLoopback,
    log,
  })
  app.addHook('onListen', () => drains.start())
  // Before what the plane itself has: the log and the meter, which drains work with.
  app.addHook('onClose', () => drains.close())
  void app.register(
    async (scope) => {
      addErrorHandling(scope)
      scope.addHook('onRequest', onlyOurs)
      scope.post('/test', ({ body }) => {
        const { data, error } = Test.safeParse(body)
        if (error) throw new ApiError('invalid_input', z.prettifyError(error))
        return drains.test(data.type, data.config)
      })
    },
    { prefix: '/internal/log-drains' },
  )
}

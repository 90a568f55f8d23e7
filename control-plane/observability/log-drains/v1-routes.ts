import type { LogDrain } from '#contract/observability/log-drain-shapes'
import { v1LogDrains as api, type V1LogDrain } from '#contract/v1/v1-log-drains'
import { implement } from '#kit/http'
import type { LogDrains } from './log-drains.ts'
import type { Owner } from './store.ts'

const shape = ({ token: id, name, description, config, type }: LogDrain): V1LogDrain => ({
  type: 'log_drain',
  id,
  attributes: { name, description, config, backend_type: type },
})
const project = (ref: string): Owner => ({ of: 'project', ref })

/** The drains of a project, as programs know them. */
export const v1LogDrainRoutes = (drains: LogDrains) => [
  implement(api.logDrains, async ({ ref }) => ({
    data: (await drains.list(project(ref))).map(shape),
  })),
  implement(api.createLogDrain, async ({ ref, data }, caller, origin) => {
    const { backend_type: type, ...given } = data.attributes
    return {
      data: shape(await drains.create(project(ref), { ...given, type }, { caller, origin })),
    }
  }),
  implement(api.updateLogDrain, async ({ ref, id: token, data }, caller, origin) => {
    const { backend_type: type, ...given } = data.attributes
    const changed = { token, ...given, ...(type && { type }) }
    return { data: shape(await drains.update(project(ref), changed, { caller, origin })) }
  }),
  implement(api.removeLogDrain, async ({ ref, id }, caller, origin) => {
    await drains.remove(project(ref), id, { caller, origin })
    return {}
  }),
]

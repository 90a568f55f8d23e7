import { dataPlaneApi } from '#contract/data-plane-api'
import type { ProjectListener } from '#contract/operations/listeners'
import { ApiError } from '#kit/errors'
import { isNoSuchAddress, isPortFree } from '#kit/network/free-port'
import type { Caller, Origin } from '#kit/http'
import type { Log } from '#kit/log'
import type { DataPlane } from '../../data-plane/client.ts'
import type { Audited } from '../../audited.ts'
import type { ListenerStore } from './store.ts'

export type PortRange = { low: number; high: number }
export type ListenerRules = {
  /** What projects may choose from. */
  choice: PortRange
  /** Of those, what the platform itself needs, and what for. */
  own: readonly (PortRange & { what: string })[]
}

type Deps = {
  store: ListenerStore
  audited: Audited
  /** Undefined: projects have no ports of their own here. */
  rules: ListenerRules | undefined
  dataPlane: DataPlane
  log: Log
}

/** What has just let go of a port may hold it for a moment. */
const releaseMs = 200

const within = (port: number, { low, high }: PortRange) => port >= low && port <= high
const unavailable = (why: string) => new ApiError('port_unavailable', why)

/** Ports of this machine at which single projects are served at the root of the address. */
export function createListeners({ store, audited, rules, log, ...deps }: Deps) {
  const isFree = (host: string, port: number) =>
    isPortFree(host, port, releaseMs).catch((error: unknown) => {
      if (isNoSuchAddress(error)) return true
      throw error
    })

  /** @throws ApiError port_unavailable with the reason */
  async function check(port: number): Promise<void> {
    if (!rules) {
      throw unavailable(
        'A port of its own is for installations on one machine whose operator offers it (PLINTH_LISTEN_PORTS)',
      )
    }
    const { choice, own } = rules
    if (!within(port, choice)) {
      throw unavailable(`Ports of projects are from ${choice.low} to ${choice.high} here`)
    }
    const reserved = own.find((range) => within(port, range))
    if (reserved) throw unavailable(`Port ${port} is kept for ${reserved.what}`)
    if (await store.isTaken(port)) throw unavailable(`Port ${port} belongs to another project`)
    const free = await Promise.all(['127.0.0.1', '::1'].map((host) => isFree(host, port)))
    if (free.includes(false)) {
      throw unavailable(`Port ${port} is in use by another program of this machine`)
    }
  }

  /** What the data plane says of the port; it looks anew what it has to listen on before it answers. */
  async function problemOf(ref: string, port: number): Promise<string | null> {
    try {
      const states = await deps.dataPlane.ask(dataPlaneApi.listeners, {})
      const state = states.find((one) => one.ref === ref && one.port === port)
      return state ? state.problem : 'The port is not open yet'
    } catch (error) {
      log.warn({ err: error, ref }, 'The data plane does not tell what it listens on')
      return 'The services of this project do not answer at the moment'
    }
  }

  async function shape(ref: string, port: number | null): Promise<ProjectListener> {
    const offered = rules !== undefined
    if (!offered || port === null) return { offered, port: null, url: null, problem: null }
    const url = `http://127.0.0.1:${port}`
    return { offered, port, url, problem: await problemOf(ref, port) }
  }

  return {
    check,

    async get(ref: string): Promise<ProjectListener> {
      const row = await store.portOf(ref)
      if (!row) throw new ApiError('project_not_found')
      return shape(ref, row.listen_port)
    },

    async set(
      caller: Caller,
      ref: string,
      port: number | null,
      origin: Origin,
    ): Promise<ProjectListener> {
      const known = await store.portOf(ref)
      if (port !== null && port !== known?.listen_port) await check(port)
      await audited({ caller, ref, origin }, 'listeners.set', async (tx, before) => {
        if (before.listen_port === port) return {}
        if (!(await store.set(tx, ref, port))) {
          throw unavailable(`Port ${port} belongs to another project`)
        }
        return { change: { before: { port: before.listen_port }, after: { port } } }
      })
      if (port === null && known?.listen_port) await problemOf(ref, known.listen_port)
      return shape(ref, port)
    },

    /** What the data plane has to listen on. */
    desired: async () => (rules ? store.all() : []),
  }
}
export type Listeners = ReturnType<typeof createListeners>

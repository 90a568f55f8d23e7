import { ProjectConnection } from '#contract/internal'
import {
  CronProject,
  DatabasePort,
  HostnameKeyPair,
  internal,
  WantedHostname,
  WantedListener,
} from '#contract/internal-api'
import { ProjectRef } from '#contract/values'
import type { Log } from '#kit/log'
import { followChanges } from './changes.ts'

/** Where the data plane learns which projects there are and how to reach their databases. */
export type Directory = {
  /** Undefined: there is no such project. Rejects when nobody can tell at the moment. */
  find(ref: string): Promise<ProjectConnection | undefined>
  /** The listener hears the ref of every project whose connection is out of date. Returns how to stop listening. */
  onChange(listener: (ref: string) => void): () => void
}

export type RemoteDirectory = Directory & {
  /** The projects that have a port of their own. Rejects when nobody can tell at the moment. */
  listeners(): Promise<WantedListener[]>
  /** The names that projects have of their own. Rejects when nobody can tell at the moment. */
  hostnames(): Promise<WantedHostname[]>
  /** The certificate of a name; undefined: it has none. Rejects when nobody can tell at the moment. */
  certificateOf(hostname: string): Promise<HostnameKeyPair | undefined>
  /** What a certificate authority is to find at a name, see `internal.acmeChallenge`. Rejects when nobody can tell. */
  challengeAnswer(hostname: string, token: string): Promise<string | null>
  /** Where people reach the databases of projects. Rejects when nobody can tell at the moment. */
  databasePorts(): Promise<DatabasePort[]>
  /** What the server keeps of a role's password, see `internal.passwordVerifier`. Rejects when nobody can tell. */
  passwordOf(ref: string, role: string): Promise<string | null>
  /** The projects whose webhooks are enabled, or whose database has pg_net. Rejects when nobody can tell at the moment. */
  webhooks(): Promise<string[]>
  /** The projects whose database has pg_net. Rejects when nobody can tell at the moment. */
  net(): Promise<string[]>
  /** The secrets that sign calls of a project's webhooks. Rejects when nobody can tell at the moment. */
  webhookKeys(ref: string): Promise<Record<string, string[]>>
  /** The projects whose database has jobs to be run. Rejects when nobody can tell at the moment. */
  cron(): Promise<CronProject[]>
  /** Hears that some project has changed, or that nobody knows whether one did. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
  close(): void
}

type Options = {
  controlPlaneUrl: string
  token: string
  log: Log
  /** Milliseconds that "there is no such project" is believed. Short: the project may be created the next moment. */
  absentForMs?: number
}
type Known = {
  project: Promise<ProjectConnection | undefined>
  until: number
  /** What it turned out to be. */
  value?: ProjectConnection
}

/** Most refs remembered at once, so that made-up refs cannot fill the memory. */
const maxKnown = 20_000

/**
 * Asks the control plane: `GET /internal/projects/{ref}` once per project, and the stream `/internal/changes` for what
 * is out of date. What is known stays usable while the control plane is away or cannot tell; after a lost stream all
 * is asked anew.
 */
export function createDirectory(options: Options): RemoteDirectory {
  const { controlPlaneUrl, token, log, absentForMs = 1000 } = options
  const authorization = `Bearer ${token}`
  const known = new Map<string, Known>()
  const listeners = new Set<(ref: string) => void>()

  const watchers = new Set<() => void>()
  /** What was known of projects that have to be asked for anew. */
  const before = new Map<string, ProjectConnection>()

  function forget(refs: string[]): void {
    for (const ref of refs) {
      const value = known.get(ref)?.value
      if (value) before.set(ref, value)
      known.delete(ref)
    }
    for (const listener of listeners) for (const ref of refs) listener(ref)
    for (const watcher of watchers) watcher()
  }
  const stop = followChanges({
    url: `${controlPlaneUrl}/internal/changes`,
    authorization,
    log,
    onRef: (ref) => forget(ref === null ? [] : [ref]),
    onGap: () => forget([...known.keys()]),
  })

  const get = (path: string, timeoutMs = 10_000) =>
    fetch(`${controlPlaneUrl}/internal/${path}`, {
      headers: { authorization },
      signal: AbortSignal.timeout(timeoutMs),
    })
  async function list(path: string): Promise<unknown> {
    const response = await get(path)
    const body = await response.text()
    if (!response.ok) throw new Error(`The control plane answered ${response.status} for ${path}`)
    return JSON.parse(body)
  }
  async function ask(ref: string): Promise<ProjectConnection | undefined> {
    const response = await get(`projects/${ref}`, before.has(ref) ? 2000 : undefined)
    const body = await response.text()
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`The control plane answered ${response.status} for a project`)
    return ProjectConnection.parse(JSON.parse(body))
  }

  /** A project that was served is served as it was while nobody can tell what it is now. */
  async function askOrGoOn(ref: string) {
    try {
      return { value: await ask(ref), isSure: true }
    } catch (error) {
      const value = before.get(ref)
      if (!value) throw error
      log.warn({ err: error, ref }, 'A project is served as it was before')
      return { value, isSure: false }
    }
  }

  function find(ref: string): Promise<ProjectConnection | undefined> {
    const found = known.get(ref)
    if (found && found.until > performance.now()) return found.project
    // An answer that was overtaken by a change while it was on its way is worth nothing: ask once more.
    const project = askOrGoOn(ref).then(({ value, isSure }) => {
      if (known.get(ref) !== entry) return find(ref)
      if (isSure) before.delete(ref)
      if (!value || !isSure) entry.until = performance.now() + absentForMs
      if (value) entry.value = value
      return value
    })
    const entry: Known = { project, until: Infinity }
    known.set(ref, entry)
    for (const map of [known, before])
      if (map.size > maxKnown) map.delete(map.keys().next().value ?? '')
    project.then(
      () => undefined,
      () => {
        // The caller gets the failure; the next one asks again.
        if (known.get(ref) === entry) known.delete(ref)
      },
    )
    return project
  }

  return {
    find,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    listeners: async () => WantedListener.array().parse(await list('listeners')),
    hostnames: async () => WantedHostname.array().parse(await list('hostnames')),
    async certificateOf(hostname) {
      const response = await get(`certificates/${encodeURIComponent(hostname)}`)
      const body = await response.text()
      if (response.status === 404) return undefined
      if (!response.ok)
        throw new Error(`The control plane answered ${response.status} for a certificate`)
      return HostnameKeyPair.parse(JSON.parse(body))
    },
    async challengeAnswer(hostname, token) {
      const query = new URLSearchParams({ hostname })
      const found = await list(`acme-challenges/${encodeURIComponent(token)}?${query}`)
      return internal.acmeChallenge.returns.parse(found).answer
    },
    async passwordOf(ref, role) {
      const path = `projects/${ref}/password-verifier?role=${encodeURIComponent(role)}`
      return internal.passwordVerifier.returns.parse(await list(path)).verifier
    },
    databasePorts: async () => DatabasePort.array().parse(await list('database-ports')),
    webhooks: async () => ProjectRef.array().parse(await list('webhooks')),
    net: async () => ProjectRef.array().parse(await list('net')),
    webhookKeys: async (ref) =>
      internal.webhookKeys.returns.parse(await list(`webhook-keys/${ref}`)),
    cron: async () => CronProject.array().parse(await list('cron')),
    onAnyChange: (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    close: stop,
  }
}

import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { z } from 'zod'

/** The API server refused something, or could not be asked. The message never has what was sent: it may be a password. */
export class ClusterApiError extends Error {
  override name = 'ClusterApiError'
  /** Of HTTP; undefined where there was no answer. */
  readonly status: number | undefined
  /** The object is not there; with another 404 the cluster does not know things of the kind, which says nothing about the object. */
  readonly isAbsence: boolean
  constructor(
    message: string,
    status: number | undefined,
    { cause, isAbsence = false }: { cause?: unknown; isAbsence?: boolean } = {},
  ) {
    super(message, { cause })
    this.status = status
    this.isAbsence = isAbsence
  }
}

/** The part of the official client's answers to errors that is read here. */
const Refusal = z.object({ code: z.number(), headers: z.record(z.string(), z.string()).catch({}) })
const Status = z.object({
  message: z.string(),
  reason: z.string().optional(),
  details: z.object({ name: z.string().optional() }).optional(),
})

export type Named = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
}
/** What is to be changed of an object. */
export type Patch = Named & {
  metadata: { annotations?: Record<string, string>; resourceVersion?: string }
  spec?: object
}

/** The API server of a cluster. Every question is asked again while the answer is one that time changes. */
export type ClusterApi = {
  /** Undefined: there is none. */
  find<T extends KubernetesObject>(named: Named): Promise<T | undefined>
  create<T extends KubernetesObject>(object: T): Promise<T>
  /** Changes what is named and nothing else; with a `resourceVersion` only while the object has it (409). */
  merge<T extends KubernetesObject>(patch: Patch): Promise<T>
  /** Begins to remove it; false: there is none. */
  remove(named: Named): Promise<boolean>
  list<T extends KubernetesObject>(of: ListOf, labelSelector?: string): Promise<T[]>
  /** The same, with the version from which on changes are to be asked for. */
  listed<T extends KubernetesObject>(
    of: ListOf,
    labelSelector?: string,
  ): Promise<{ items: T[]; version: string }>
  /** An answer that goes on, as it comes: no more is read than is asked for. @throws ClusterApiError when it is refused or breaks off */
  stream(path: string, query: Record<string, string>, signal: AbortSignal): AsyncIterable<Buffer>
  /** Resolves at the next change of what is at the path, or after so many milliseconds, or as soon as nobody can tell. */
  change(path: string, resourceVersion: string | undefined, ms: number): Promise<void>
  close(): void
}

type ListOf = { apiVersion: string; kind: string; namespace?: string }

type Options = {
  config: KubeConfig
  /** Milliseconds for which a server that is busy, or cannot be reached, is asked again. */
  patienceMs?: number
}

const againMs = 250
const keepAliveMs = 30_000

/** What passes by itself: too many questions, a server that is being started, a connection that was lost. */
const passes = (status: number | undefined) =>
  status === undefined || status === 429 || status >= 500

export async function openApi({ config, patienceMs = 30_000 }: Options): Promise<ClusterApi> {
  const { KubernetesObjectApi, PatchStrategy, Watch } = await import('@kubernetes/client-node')
  const objects = KubernetesObjectApi.makeApiClient(config)
  const watcher = new Watch(config)
  const closing = new AbortController()

  async function ask<T>(what: string, question: () => Promise<T>): Promise<T> {
    const until = performance.now() + patienceMs
    for (;;) {
      closing.signal.throwIfAborted()
      try {
        return await question()
      } catch (error) {
        const { refusal, waitMs } = understand(what, error)
        if (!passes(refusal.status) || performance.now() + waitMs > until) throw refusal
        await delay(waitMs, undefined, { signal: closing.signal })
      }
    }
  }
  const nameOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata?.name ?? ''}`
  const unlessAbsent = async <T>(asked: Promise<T>): Promise<T | undefined> => {
    try {
      return await asked
    } catch (error) {
      if (error instanceof ClusterApiError && error.isAbsence) return undefined
      throw error
    }
  }

  async function listed<T extends KubernetesObject>(
    { apiVersion, kind, namespace }: ListOf,
    labelSelector?: string,
  ) {
    const items: T[] = []
    let version = ''
    let more: string | undefined
    do {
      const page = await ask(`list ${kind}`, () =>
        objects.list<T>(
          apiVersion,
          kind,
          namespace,
          undefined,
          undefined,
          undefined,
          undefined,
          labelSelector,
          500,
          more,
        ),
      )
      items.push(...page.items)
      version = page.metadata?.resourceVersion ?? ''
      more = page.metadata?._continue
    } while (more)
    return { items, version }
  }

  return {
    find: <T extends KubernetesObject>(named: Named) =>
      unlessAbsent(ask(`read ${nameOf(named)}`, () => objects.read(named) as Promise<T>)),
    create: (object) => ask(`create ${nameOf(object)}`, () => objects.create(object)),
    merge: <T extends KubernetesObject>(patch: Patch) =>
      ask(
        `change ${nameOf(patch)}`,
        () =>
          objects.patch(
            patch,
            undefined,
            undefined,
            'plinth',
            undefined,
            PatchStrategy.MergePatch,
          ) as Promise<T>,
      ),
    async remove(named) {
      const removed = ask(`remove ${nameOf(named)}`, () => objects.delete(named))
      return (await unlessAbsent(removed)) !== undefined
    },
    list: async <T extends KubernetesObject>(of: ListOf, labelSelector?: string) =>
      (await listed<T>(of, labelSelector)).items,
    listed,
    stream: (path, query, signal) =>
      streamOf(config, path, query, AbortSignal.any([closing.signal, signal])),
    async change(path, resourceVersion, ms) {
      const ended = new AbortController()
      const signal = AbortSignal.any([closing.signal, ended.signal])
      // Whatever ends it, an event or an error such as 410, the caller looks again; that is how nothing is missed.
      const end = () => ended.abort()
      const watch = await watcher.watch(path, { resourceVersion }, end, end)
      await delay(ms, undefined, { signal }).catch(() => undefined)
      watch.abort()
    },
    close: () => closing.abort(),
  }
}

/** The client's own streams stay open for ever where a connection breaks, so this one asks by itself, as who the client says it is. */
async function* streamOf(
  config: KubeConfig,
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const what = `read ${path}`
  try {
    const url = new URL((config.getCurrentCluster()?.server ?? '') + path)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const options: RequestOptions = { method: 'GET', signal }
    await config.applyToHTTPSOptions(options)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const ask = url.protocol === 'https:' ? httpsRequest : httpRequest
      const asked = ask(url, options, resolve)
      // A peer that is gone without a word is noticed.
      asked.setSocketKeepAlive(true, keepAliveMs)
      asked.once('error', reject)
      asked.end()
    })
    const { statusCode: code = 0, headers } = answer
    if (code === 200) {
      for await (const piece of answer) yield Buffer.from(piece as Buffer)
      return
    }
    const words: Buffer[] = []
    for await (const piece of answer)
      if (words.length < 10) words.push(Buffer.from(piece as Buffer))
    const body = Buffer.concat(words).toString('utf8')
    const flat = Object.entries(headers).map(([name, value]) => [name, String(value)])
    throw understand(what, { code, headers: Object.fromEntries(flat) as unknown, body }).refusal
  } catch (error) {
    throw error instanceof ClusterApiError ? error : understand(what, error).refusal
  }
}

function understand(what: string, error: unknown): { refusal: ClusterApiError; waitMs: number } {
  const known = Refusal.safeParse(error)
  if (!known.success) {
    const reason = error instanceof Error ? error.message : String(error)
    const words = `The cluster did not ${what}: ${reason}`
    const refusal = new ClusterApiError(words, undefined, { cause: error })
    return { refusal, waitMs: againMs }
  }
  const { code, headers } = known.data
  const seconds = Number(headers['retry-after'])
  // The client's own message repeats the whole answer, in which there may be what was sent.
  const status = statusOf(error)
  const refusal = new ClusterApiError(
    `The cluster did not ${what} (${code}): ${status?.message ?? 'it gave no reason'}`,
    code,
    { isAbsence: code === 404 && status?.details?.name !== undefined },
  )
  return { refusal, waitMs: seconds > 0 ? seconds * 1000 : againMs }
}

function statusOf(error: unknown): z.infer<typeof Status> | undefined {
  const body: unknown = error instanceof Object && 'body' in error ? error.body : undefined
  const parsed = typeof body === 'string' ? jsonOf(body) : body
  return Status.safeParse(parsed).data
}
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

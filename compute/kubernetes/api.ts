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
  list<T extends KubernetesObject>(
    of: { apiVersion: string; kind: string; namespace?: string },
    labelSelector?: string,
  ): Promise<T[]>
  /** Resolves at the next change of what is at the path, or after so many milliseconds, or as soon as nobody can tell. */
  change(path: string, resourceVersion: string | undefined, ms: number): Promise<void>
  close(): void
}

type Options = {
  config: KubeConfig
  /** Milliseconds for which a server that is busy, or cannot be reached, is asked again. */
  patienceMs?: number
}

const againMs = 250

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
    async list<T extends KubernetesObject>(
      { apiVersion, kind, namespace }: { apiVersion: string; kind: string; namespace?: string },
      labelSelector?: string,
    ) {
      const found: T[] = []
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
        found.push(...page.items)
        more = page.metadata?._continue
      } while (more)
      return found
    },
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

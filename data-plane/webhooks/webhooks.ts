import type { Log } from '#kit/log'
import type { SafeFetch } from '#kit/network/safe-fetch'
import type { OpenProject } from '../projects/open-project.ts'
import type { OwnFunctions } from './call.ts'
import { Sender, type SenderOptions } from './sender.ts'

/** Where it learns whose webhooks are enabled. */
export type WebhookSource = {
  webhooks(): Promise<string[]>
  /** Hears of every moment at which that, or how a project is reached, may have changed. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
}
type Options = {
  source: WebhookSource
  /** Rejects while the project has no running database. */
  open: (ref: string) => Promise<OpenProject | undefined>
  fetch: SafeFetch
  ownFunctionsOf: (project: OpenProject) => OwnFunctions | undefined
  log: Log
  timing?: SenderOptions['timing']
}

/** A project that could not be opened is tried again this often, if nothing is heard of it before. */
const retryMs = 15_000
const usualTiming = { look: 30_000, forget: 600_000 }

/** A sender for every project whose webhooks are enabled, as long as it runs. */
export function createWebhooks(options: Options) {
  const { source, open, fetch, ownFunctionsOf, log, timing = usualTiming } = options
  const senders = new Map<string, Sender>()
  let looking: Promise<void> | undefined
  let again = false
  let closed = false

  async function start(ref: string): Promise<void> {
    const project = await open(ref)
    // Who owes too much may only read, and a call notes what became of it.
    if (!project || project.closed || project.connection.restricted || closed) return
    const sender = new Sender({ project, fetch, own: ownFunctionsOf(project), timing, log })
    senders.set(ref, sender)
    void sender.ended.finally(() => {
      if (senders.get(ref) === sender) senders.delete(ref)
      look()
    })
  }

  async function lookOnce(): Promise<void> {
    const desired = new Set(await source.webhooks())
    for (const [ref, sender] of senders) if (!desired.has(ref)) void sender.stop()
    for (const ref of desired) {
      if (closed || senders.has(ref)) continue
      await start(ref).catch((error: unknown) => {
        log.debug({ err: error, ref }, 'The webhooks of a project wait until it runs')
      })
    }
  }

  function look(): void {
    again = true
    looking ??= (async () => {
      while (again && !closed) {
        again = false
        await lookOnce().catch((error: unknown) =>
          // Programs start in any order; the next round asks again.
          log.debug({ err: error }, 'Whose webhooks are enabled is not known'),
        )
      }
    })().finally(() => (looking = undefined))
  }
  const unfollow = source.onAnyChange(look)
  const timer = setInterval(look, retryMs)
  timer.unref()

  return {
    start: look,
    async close(): Promise<void> {
      closed = true
      clearInterval(timer)
      unfollow()
      await looking
      await Promise.all([...senders.values()].map((sender) => sender.stop()))
    },
  }
}

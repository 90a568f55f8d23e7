import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '#kit/log'
import type { SafeFetch } from '#kit/network/safe-fetch'
import type { OpenProject } from '../projects/open-project.ts'
import { makeCall, type OwnFunctions } from './call.ts'
import { endCall, forgetCalls, listenForCalls, takeCalls, type Call } from './queue-store.ts'

const login = 'plinth_sql'
/** Calls of one project that wait for their answers at once. */
const maxAtOnce = 32
/** How long it is waited for answers when it stops; then they are left to the next one that takes the calls. */
const drainMs = 3000

export type SenderOptions = {
  project: OpenProject
  fetch: SafeFetch
  own: OwnFunctions | undefined
  /** Milliseconds after which it looks without being told, and how often it forgets what is old. */
  timing: { look: number; forget: number }
  log: Log
}

/**
 * Sends what stands in the queue of one project. Several processes may do so side by side: each takes what the others
 * have not. A call whose process dies is sent once more by another, so it arrives at least once.
 */
export class Sender {
  readonly ended: Promise<void>
  private readonly options: SenderOptions
  private readonly release: () => void
  private readonly stopped = new AbortController()
  private readonly abandoned = new AbortController()
  private readonly running = new Set<Promise<void>>()
  private listener: Client | undefined
  private taking: Promise<void> | undefined
  private more = false

  constructor(options: SenderOptions) {
    this.options = options
    const { project } = options
    this.release = project.hold()
    project.onClose(() => this.stopped.abort())
    this.ended = this.run().finally(() => this.release())
  }

  /** Waits for the answers that are under way, but not long. */
  async stop(): Promise<void> {
    this.stopped.abort()
    await this.ended
  }

  private pool = () => this.options.project.pool(login)

  private async run(): Promise<void> {
    const { timing, log, project } = this.options
    const { signal } = this.stopped
    let nextForget = 0
    while (!signal.aborted) {
      try {
        await this.listen()
        this.look()
        if (performance.now() >= nextForget) {
          await forgetCalls(this.pool())
          nextForget = performance.now() + timing.forget
        }
      } catch (error) {
        if (signal.aborted) break
        log.info({ err: error, ref: project.connection.ref }, 'Calls of webhooks cannot be sent')
      }
      // An aborted wait is the end of the loop, which the condition above sees.
      await delay(timing.look, undefined, { signal, ref: false }).catch(() => undefined)
    }
    await this.taking
    const timer = setTimeout(() => this.abandoned.abort(), drainMs)
    await Promise.all(this.running)
    clearTimeout(timer)
    await this.listener?.end().catch(() => undefined)
  }

  private async listen(): Promise<void> {
    if (this.listener) return
    const client = await this.options.project.dedicated(login)
    this.listener = client
    client.on('end', () => {
      if (this.listener === client) this.listener = undefined
    })
    await listenForCalls(client, () => this.look())
  }

  /** One look at a time; what is told during it leads to another. */
  private look(): void {
    this.more = true
    this.taking ??= this.take()
      .catch((error: unknown) => {
        const { log, project } = this.options
        log.info({ err: error, ref: project.connection.ref }, 'Calls of webhooks cannot be taken')
      })
      .finally(() => (this.taking = undefined))
  }

  private async take(): Promise<void> {
    while (this.more && !this.stopped.signal.aborted && this.running.size < maxAtOnce) {
      this.more = false
      const room = maxAtOnce - this.running.size
      const calls = await takeCalls(this.pool(), room)
      for (const call of calls) this.begin(call)
      if (calls.length === room) this.more = true
    }
  }

  private begin(call: Call): void {
    const done = this.send(call).finally(() => {
      this.running.delete(done)
      if (this.more) this.look()
    })
    this.running.add(done)
  }

  private async send(call: Call): Promise<void> {
    const { fetch, own, project, log } = this.options
    const { signal } = this.abandoned
    const outcome = await makeCall(call, { fetch, own, signal })
    if (signal.aborted) return
    try {
      await endCall(this.pool(), outcome)
    } catch (error) {
      log.info(
        { err: error, ref: project.connection.ref },
        'What became of a call could not be noted; it will be sent again',
      )
    }
  }
}

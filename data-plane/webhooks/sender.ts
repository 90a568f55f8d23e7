import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '#kit/log'
import type { SafeFetch } from '#kit/network/safe-fetch'
import type { OpenProject } from '../projects/open-project.ts'
import { failed, makeCall, type Call, type OwnFunctions } from './call.ts'
import { forgetDeliveries } from './delivery-store.ts'
import { attempt } from './delivery.ts'
import { createDueCalls, type Broken, type Delivery } from './due-store.ts'
import { Lane } from './lane.ts'
import { endCall, forgetCalls, takeCalls, type Queued } from './queue-store.ts'
import { listenForCalls, readSetup, settleCopy } from './setup-store.ts'
import type { SigningKeys } from './signature.ts'

const login = 'plinth_sql'
/** Calls of one project that wait for their answers at once: those of `pg_net`, and those of webhooks. */
const maxAtOnce = 32
/** How long it is waited for answers when it stops; then they are left to the next one that takes the calls. */
const drainMs = 3000
/** The first wait before it tries again to reach a database; it doubles. */
const firstRetryMs = 250

export type SenderOptions = {
  project: OpenProject
  fetch: SafeFetch
  own: OwnFunctions | undefined
  /** Undefined: the project has no such secret. Rejects when nobody can tell at the moment. */
  keysOf: (ref: string, secretId: string) => Promise<SigningKeys | undefined>
  /** Milliseconds after which it looks without being told, and how often it forgets what is old. */
  timing: { look: number; forget: number }
  log: Log
}

/**
 * Sends what one project wants to have called: what stands in the queue of `pg_net`, once, and the calls of webhooks, as often as
 * they say. Several processes may do so side by side: each takes what the others have not. A call whose process dies is sent once
 * more by another, so it arrives at least once.
 */
export class Sender {
  readonly ended: Promise<void>
  private readonly options: SenderOptions
  private readonly release: () => void
  private readonly stopped = new AbortController()
  private readonly abandoned = new AbortController()
  private readonly calls: Lane<Queued>
  private readonly deliveries: Lane<Delivery | Broken>
  private readonly due = createDueCalls()
  private listener: Client | undefined
  private retry: NodeJS.Timeout | undefined
  private nap = new AbortController()

  constructor(options: SenderOptions) {
    this.options = options
    const { project } = options
    const failure = (error: unknown) => this.note(error, 'Calls of webhooks cannot be taken')
    this.calls = new Lane({
      max: maxAtOnce,
      take: async (room) => ((await this.setup()).net ? takeCalls(this.pool(), room) : []),
      send: (queued) => this.send(queued),
      failed: failure,
    })
    this.deliveries = new Lane({
      max: maxAtOnce,
      take: (room) => this.takeDue(room),
      send: (delivery) => this.deliver(delivery),
      failed: failure,
    })
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
  private setup = () => readSetup(this.pool())

  private note(error: unknown, what: string): void {
    const { log, project } = this.options
    log.info({ err: error, ref: project.connection.ref }, what)
  }

  private async run(): Promise<void> {
    const { timing } = this.options
    const { signal } = this.stopped
    let nextForget = 0
    let failures = 0
    while (!signal.aborted) {
      this.nap = new AbortController()
      try {
        await this.listen()
        if (signal.aborted) break
        this.look()
        if (performance.now() >= nextForget) {
          await this.forget()
          nextForget = performance.now() + timing.forget
        }
        failures = 0
      } catch (error) {
        if (signal.aborted) break
        this.note(error, 'Calls of webhooks cannot be sent')
        failures += 1
      }
      // A database starts later than who asks it, so it is asked again soon; a lost connection is followed by another at once.
      if (failures === 0) await this.rest(timing.look, this.nap.signal)
      if (failures > 0 || !this.listener)
        await this.rest(Math.min(timing.look, firstRetryMs * 2 ** Math.min(failures, 10)))
    }
    clearTimeout(this.retry)
    const timer = setTimeout(() => this.abandoned.abort(), drainMs)
    await Promise.all([this.calls.end(), this.deliveries.end()])
    clearTimeout(timer)
    await this.listener?.end().catch(() => undefined)
  }

  private async rest(ms: number, ...sooner: AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([this.stopped.signal, ...sooner])
    // A wait that was cut short is over, which is all that the caller wants to know.
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined)
  }

  private async listen(): Promise<void> {
    if (this.listener) return
    const { project, log } = this.options
    const { ref } = project.connection
    const paused = await settleCopy(this.pool(), ref, await this.setup())
    if (paused > 0) log.info({ ref, paused }, 'Webhooks that came with a copy were paused')
    const client = await project.dedicated(login)
    client.on('end', () => {
      if (this.listener !== client) return
      this.listener = undefined
      this.nap.abort()
    })
    try {
      await listenForCalls(client, () => this.look())
    } catch (error) {
      // What it failed with is what is told; nothing is left of the connection either way.
      await client.end().catch(() => undefined)
      throw error
    }
    this.listener = client
  }

  private look(): void {
    this.calls.look()
    this.deliveries.look()
  }

  private async forget(): Promise<void> {
    const { net, deliveries } = await this.setup()
    if (net) await forgetCalls(this.pool())
    if (!deliveries) return
    await forgetDeliveries(this.pool())
    await this.due.mendAll(this.pool(), this.stopped.signal)
  }

  private async takeDue(room: number): Promise<(Delivery | Broken)[]> {
    if (!(await this.setup()).deliveries) return []
    const { taken, again, nextMs } = await this.due.take(this.pool(), room)
    if (again) this.deliveries.look()
    clearTimeout(this.retry)
    if (nextMs !== undefined && nextMs < this.options.timing.look && !this.stopped.signal.aborted)
      this.retry = setTimeout(() => this.deliveries.look(), Math.max(1, nextMs)).unref()
    return taken
  }

  private make = (call: Call) => {
    const { fetch, own } = this.options
    return makeCall(call, { fetch, own, signal: this.abandoned.signal })
  }

  private async send({ id, call }: Queued): Promise<void> {
    try {
      const outcome = call ? await this.make(call) : failed('This is no call')
      if (!this.abandoned.signal.aborted) await endCall(this.pool(), id, outcome)
    } catch (error) {
      this.note(error, notNoted)
    }
  }

  private async deliver(delivery: Delivery | Broken): Promise<void> {
    const { project, keysOf } = this.options
    try {
      await attempt(delivery, {
        pool: this.pool,
        make: this.make,
        keysOf: (secretId) => keysOf(project.connection.ref, secretId),
        abandoned: () => this.abandoned.signal.aborted,
      })
    } catch (error) {
      this.note(error, notNoted)
    }
  }
}

const notNoted = 'What became of a call could not be noted; it will be sent again'

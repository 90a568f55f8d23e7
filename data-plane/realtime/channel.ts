import { randomUUID } from 'node:crypto'
import { maxPayloadBytes } from '#contract/realtime/realtime'
import type { ClientMessage, Version } from './frames.ts'
import { topicOf, type Member } from './hub.ts'
import type { JoinConfig } from './join-config.ts'
import type { Access } from './messages-store.ts'
import { outgoing, type Outgoing } from './outgoing.ts'
import { metaOf, type Meta } from './presence.ts'
import { Rate } from './rates.ts'
import { ChannelRefusal } from './refusal.ts'
import type { Reader, Service } from './service.ts'

/** The socket that a channel belongs to. */
export type Line = {
  readonly version: Version
  readonly headers: string
  write(out: Outgoing): void
  reply(to: ClientMessage, status: 'ok' | 'error', response: object): void
  /** The channel has ended by itself. */
  forget(channel: Channel): void
}

type Parts = {
  service: Service
  line: Line
  name: string
  joinRef: string | null
  config: JoinConfig
  reader: Reader
  access: Access
}

const presenceCalls = { max: 5, inSeconds: 30 }

/** One client in one topic. */
export class Channel implements Member {
  readonly name: string
  readonly isPrivate: boolean
  readonly joinRef: string | null
  hearsPresence: boolean
  reader: Reader
  private access: Access
  private readonly service: Service
  private readonly line: Line
  private readonly config: JoinConfig
  private readonly presenceKey: string
  private presenceMeta: Meta | undefined
  private checkedAt = performance.now()
  private checking = false
  private closed = false
  /** What came while the client was not told yet that it has joined. */
  private held: { out: Outgoing; id: string | undefined }[] | undefined = []
  private readonly replayed = new Set<string>()
  private readonly closers: (() => void)[] = []
  private readonly presenceRate = new Rate(
    () => presenceCalls.max / presenceCalls.inSeconds,
    () => presenceCalls.max,
  )

  constructor({ service, line, name, joinRef, config, reader, access }: Parts) {
    this.service = service
    this.line = line
    this.name = name
    this.joinRef = joinRef
    this.config = config
    this.isPrivate = config.private
    this.reader = reader
    this.access = access
    this.hearsPresence = config.presence.enabled && access.presence.read
    this.presenceKey = config.presence.key ?? randomUUID()
    service.hub.join(this)
  }

  get topic(): string {
    return topicOf(this.name)
  }
  get version(): Version {
    return this.line.version
  }

  /** After the join was answered: what came meanwhile, once, after what is replayed. */
  begin(replayed: { id: string; out: Outgoing }[]): void {
    for (const { id, out } of replayed) {
      this.replayed.add(id)
      this.line.write(out)
    }
    if (this.hearsPresence) this.push('presence_state', this.service.hub.presenceState(this))
    const held = this.held ?? []
    this.held = undefined
    for (const { out, id } of held) this.deliver(out, id)
  }

  deliver(out: Outgoing, id: string | undefined): void {
    if (this.held) this.held.push({ out, id })
    else if (this.access.broadcast.read && !(id !== undefined && this.replayed.has(id)))
      this.write(out)
  }

  /** A change of a table, for readers who may see it. */
  deliverChange(out: Outgoing): void {
    if (this.held) this.held.push({ out, id: undefined })
    else this.write(out)
  }

  private write(out: Outgoing): void {
    this.service.counts.delivered++
    this.line.write(out)
  }

  /** A message for this channel alone. */
  push(event: string, payload: unknown): void {
    this.line.write(outgoing({ joinRef: this.joinRef, topic: this.topic, event, payload }))
  }

  system(extension: string, status: 'ok' | 'error', message: string): void {
    this.push('system', { extension, status, message, channel: this.name })
  }

  /** Says why and ends. */
  shutDown(reason: string): void {
    if (this.closed) return
    this.system('system', 'error', reason)
    this.push('phx_close', {})
    this.close()
    this.line.forget(this)
  }

  /** Called when the channel has ended, however it did. */
  onClose(closer: () => void): void {
    if (this.closed) closer()
    else this.closers.push(closer)
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.service.hub.leave(this)
    this.untrack()
    for (const closer of this.closers) closer()
  }

  async handle(message: ClientMessage): Promise<void> {
    const { rates } = this.service
    if (!rates.events.take()) return this.shutDown('Too many messages per second')
    if (message.event === 'broadcast') return this.broadcast(message)
    if (message.event === 'presence') return this.presence(message)
    if (message.event === 'access_token') return this.refresh(message.payload)
  }

  private broadcast(message: ClientMessage): void {
    const { service, config, line } = this
    const { user, payload } = message
    const size = user ? user.payload.length : Buffer.byteLength(JSON.stringify(payload) ?? '')
    if (size > maxPayloadBytes(service.settings())) {
      if (config.ack) line.reply(message, 'error', { reason: 'payload_size_exceeded' })
      return
    }
    if (!service.rates.bytes.take(size)) return this.shutDown('Too many bytes per second')
    service.counts.received++
    // Who may not write is not told so.
    if (this.access.broadcast.write) {
      const what = user ? { user } : { payload }
      const { name, isPrivate } = this
      service.hub.broadcast({ name, isPrivate, ...what }, config.self ? undefined : this)
    }
    if (config.ack) line.reply(message, 'ok', {})
  }

  private presence(message: ClientMessage): void {
    const { service, line } = this
    const { payload } = message
    service.counts.presence++
    if (!this.presenceRate.take()) return this.shutDown('Client presence rate limit exceeded')
    if (!service.rates.presence.take())
      return this.shutDown('Too many presence messages per second')
    const { event, payload: state } = isRecord(payload) ? payload : {}
    const what = typeof event === 'string' ? event.toLowerCase() : ''
    if (what === 'untrack') this.untrack()
    else if (what !== 'track')
      return line.reply(message, 'error', { reason: 'Presence event must be track or untrack' })
    else if (!isRecord(state ?? {}))
      return line.reply(message, 'error', { reason: 'Presence track payload must be a map' })
    else if (Buffer.byteLength(JSON.stringify(state ?? {})) > maxPayloadBytes(service.settings()))
      return this.shutDown('Track message size exceeded')
    else if (this.access.presence.write) this.track(isRecord(state) ? state : {})
    line.reply(message, 'ok', {})
  }

  private track(payload: Record<string, unknown>): void {
    const { hub } = this.service
    if (!this.hearsPresence && this.access.presence.read) {
      this.hearsPresence = true
      this.push('presence_state', hub.presenceState(this))
    }
    const before = this.presenceMeta
    this.presenceMeta = metaOf(payload, before)
    hub.present(this, {
      joins: [{ key: this.presenceKey, meta: this.presenceMeta }],
      leaves: before ? [{ key: this.presenceKey, meta: before }] : [],
    })
  }

  private untrack(): void {
    const meta = this.presenceMeta
    this.presenceMeta = undefined
    if (meta)
      this.service.hub.present(this, { joins: [], leaves: [{ key: this.presenceKey, meta }] })
  }

  private async refresh(payload: unknown): Promise<void> {
    const token = isRecord(payload) ? payload['access_token'] : undefined
    if (typeof token !== 'string' || token.startsWith('sb_')) return
    try {
      const reader = await this.service.readerOf(token)
      if (reader.claims === this.reader.claims) return
      await this.accept(reader)
    } catch (error) {
      if (!(error instanceof ChannelRefusal)) throw error
      this.shutDown(error.message)
    }
  }

  /** Looks again whether the reader may read, when the token ends and every few minutes. */
  async look(now: number): Promise<void> {
    if (this.closed || this.checking) return
    const time = Date.now()
    if (this.reader.expires <= time) {
      const ago = Math.round((time - this.reader.expires) / 1000)
      return this.shutDown(`Token has expired ${ago} seconds ago`)
    }
    if (!this.isPrivate || now - this.checkedAt < this.service.timing.recheck) return
    await this.accept(this.reader)
  }

  private async accept(reader: Reader): Promise<void> {
    this.checking = true
    try {
      if (this.isPrivate) {
        this.access = await this.service.access(reader, this.name, this.line.headers)
        this.checkedAt = performance.now()
      }
    } finally {
      this.checking = false
    }
    const { broadcast, presence } = this.access
    if (!broadcast.read && !presence.read) {
      return this.shutDown(
        `You do not have permissions to read from this Channel topic: ${this.name}`,
      )
    }
    this.reader = reader
    this.hearsPresence &&= presence.read
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

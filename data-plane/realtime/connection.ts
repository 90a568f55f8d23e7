import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { RawData, WebSocket } from 'ws'
import type { Channel, Line } from './channel.ts'
import { decode, decodeLong, longFrame, type ClientMessage, type Version } from './frames.ts'
import { joinChannel, type Joined } from './join.ts'
import { outgoing, type Outgoing } from './outgoing.ts'
import { ChannelRefusal } from './refusal.ts'
import type { Reader, RealtimeEvent, Service } from './service.ts'

type Parts = {
  service: Service
  socket: WebSocket
  /** What `socket` writes to: whole frames are written to it directly. */
  raw: Socket
  version: Version
  keyReader: Reader
  /** Of the request, as JSON, for policies that ask. */
  headers: string
  onJoin: (joined: Joined) => object
}

/** Bytes that a client may be behind before it is cut off. */
const maxBehind = 4 * 1024 * 1024
const closing = { malformed: 1007, tooSlow: 1013, restart: 1012, policy: 1008, silent: 1001 }

/** One client's socket with the channels in it. */
export class Connection implements Line {
  readonly version: Version
  readonly headers: string
  private readonly parts: Parts
  private readonly channels = new Map<string, Channel>()
  /** The newest join of each topic that is still being answered. */
  private readonly joining = new Map<string, ClientMessage>()
  private heardAt = performance.now()
  /** The end of the frames that are being read, where there are any. */
  private reading: Promise<void> | undefined
  private emptySince = performance.now()
  private ended = false

  constructor(parts: Parts) {
    this.parts = parts
    this.version = parts.version
    this.headers = parts.headers
    parts.socket.on('message', (data, isBinary) => this.receive(data, isBinary))
    parts.socket.on('ping', () => (this.heardAt = performance.now()))
    // A broken connection ends with a close as well.
    parts.socket.on('error', () => undefined)
    parts.socket.once('close', () => this.leaveAll())
  }

  write(out: Outgoing): void {
    const { raw } = this.parts
    const frame = out.frame(this.version)
    if (!frame || this.ended || !raw.writable) return
    if (raw.writableLength > maxBehind) return this.end(closing.tooSlow, 'Client reads too slowly')
    raw.write(frame)
  }

  reply({ joinRef, ref, topic }: ClientMessage, status: 'ok' | 'error', response: object): void {
    this.write(outgoing({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } }))
  }

  forget(channel: Channel): void {
    if (this.channels.get(channel.topic) !== channel) return
    this.channels.delete(channel.topic)
    this.emptySince = performance.now()
  }

  /** Closes what has become silent, unused or may not go on. Called every second or so. */
  look(now: number): void {
    const { timing } = this.parts.service
    if (now - this.heardAt > timing.silence) return this.end(closing.silent, 'No heartbeat')
    const isEmpty = this.channels.size + this.joining.size === 0
    if (isEmpty && now - this.emptySince > timing.noChannel) {
      return this.end(closing.silent, 'No channel')
    }
    for (const channel of this.channels.values()) this.unlessFailed(channel, channel.look(now))
  }

  /** The project or this process goes away. */
  drain(): void {
    for (const channel of this.channels.values()) {
      channel.system('system', 'error', 'Server requested disconnect')
    }
    this.end(closing.restart, 'Server requested disconnect')
  }

  terminate(): void {
    this.parts.socket.terminate()
  }

  private end(code: number, reason: string): void {
    if (this.ended) return
    this.ended = true
    this.leaveAll()
    const { service, socket } = this.parts
    service.log.info({ ref: service.ref, code, reason }, 'A realtime socket is closed')
    this.note('closed', reason)
    // Whoever does not take the reason either is cut off half a minute later.
    socket.close(code, reason)
  }

  private note(kind: RealtimeEvent['kind'], reason: string, topic?: string): void {
    const { service } = this.parts
    service.note({ kind, reason, ...(topic !== undefined && { topic }) })
  }

  private leaveAll(): void {
    this.ended = true
    this.joining.clear()
    for (const channel of this.channels.values()) channel.close()
    this.channels.clear()
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (this.ended) return
    this.heardAt = performance.now()
    const bytes = Buffer.isBuffer(data)
      ? data
      : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)])
    if (bytes.length <= longFrame && !this.reading)
      return this.take(decode(bytes, isBinary, this.version))
    // What comes after a long one waits for it, and nothing more is read from the socket meanwhile.
    this.parts.socket.pause()
    const copy = Buffer.from(bytes)
    const reading = (this.reading ?? Promise.resolve())
      .then(() => decodeLong(copy, isBinary, this.version))
      .then((message) => {
        if (!this.ended) this.take(message)
      })
      .finally(() => {
        if (this.reading !== reading) return
        this.reading = undefined
        // Also where it is being closed: the client's word about that has to come in.
        this.parts.socket.resume()
      })
    this.reading = reading
  }

  private take(message: ClientMessage | undefined): void {
    if (!message) return this.end(closing.malformed, 'Malformed message')
    const { topic, event } = message
    if (topic === 'phoenix') {
      if (event === 'heartbeat') this.reply(message, 'ok', {})
      return
    }
    if (event === 'phx_join') return void this.join(message)
    const channel = this.channels.get(topic)
    if (event === 'phx_leave') return this.leave(message, channel)
    if (!channel) return this.reply(message, 'error', { reason: 'unmatched topic' })
    // A message of an earlier join of the same topic is nobody's any more.
    if (message.joinRef !== null && message.joinRef !== channel.joinRef) return
    this.unlessFailed(channel, channel.handle(message))
  }

  private unlessFailed(channel: Channel, work: Promise<void>): void {
    work.catch((error: unknown) => {
      const { log, ref } = this.parts.service
      log.warn({ err: error, ref, topic: channel.name }, 'A realtime channel failed')
      channel.shutDown('Internal error')
    })
  }

  private leave(message: ClientMessage, channel: Channel | undefined): void {
    this.joining.delete(message.topic)
    this.reply(message, 'ok', {})
    if (!channel) return
    channel.push('phx_close', {})
    channel.close()
    this.forget(channel)
  }

  private async join(message: ClientMessage): Promise<void> {
    const { topic } = message
    if (!topic.startsWith('realtime:')) {
      return this.reply(message, 'error', { reason: 'unmatched topic' })
    }
    this.joining.set(topic, message)
    try {
      const joined = await joinChannel({
        service: this.parts.service,
        line: this,
        message,
        channels: new Set([...this.channels.keys(), ...this.joining.keys()]).size - 1,
        keyReader: this.parts.keyReader,
      })
      if (this.joining.get(topic) !== message) return joined.channel.close()
      this.joining.delete(topic)
      this.enter(message, joined)
    } catch (error) {
      await this.refuse(message, error)
    }
  }

  private enter(message: ClientMessage, joined: Joined): void {
    const { channel } = joined
    const before = this.channels.get(channel.topic)
    if (before) {
      before.push('phx_close', {})
      before.close()
    }
    this.channels.set(channel.topic, channel)
    this.reply(message, 'ok', this.parts.onJoin(joined))
    channel.begin(joined.replayed)
  }

  /** Not at once: a client that tries again and again is slowed down. */
  private async refuse(message: ClientMessage, error: unknown): Promise<void> {
    const { service } = this.parts
    if (!(error instanceof ChannelRefusal)) {
      service.log.warn({ err: error, ref: service.ref }, 'A realtime channel could not be joined')
    }
    const refusal =
      error instanceof ChannelRefusal
        ? error
        : new ChannelRefusal('UnknownErrorOnChannel', 'Unknown error on channel')
    this.note('join_refused', refusal.reason, message.topic)
    await delay(service.timing.joinBackoff, undefined, { ref: false })
    if (this.joining.get(message.topic) === message) this.joining.delete(message.topic)
    this.reply(message, 'error', { reason: refusal.reason })
    if (refusal.code === 'ClientJoinRateLimitReached') this.end(closing.policy, refusal.reason)
  }
}

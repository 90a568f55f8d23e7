import type { Log } from '#kit/log'
import type { Notice } from './hub.ts'

/** Carries texts between the processes that serve a project. What it delivers may be its own. */
export type Carrier = {
  /** Texts of at most `maxLength` characters, in their order. */
  publish(texts: string[]): Promise<void>
  /** Calls `heard` for every text from now on. Returns how to stop. */
  listen(heard: (text: string) => void): Promise<() => Promise<void>>
  readonly maxLength: number
}

type Options = {
  node: string
  carrier: Carrier
  onNotice: (node: string, notice: Notice) => void
  /** A process that nothing is known of any more. */
  onLost: (node: string) => void
  /** What a process that comes later has to know. */
  state: () => Notice
  log: Log
}
type BusMessage = { is: 'hello' | 'here' | 'bye' } | { is: 'told'; told: Notice }
type Peer = { heardAt: number; parts: string[] }

const everyMs = 5000
const goneAfterMs = 15_000
/** Texts that wait to be carried; more are not kept. */
const maxWaiting = 10_000

/**
 * Tells the other processes of a project what happens in this one. They know of each other by saying that they are here
 * every few seconds; while nobody else is, nothing is sent.
 */
export class Bus {
  private readonly options: Options
  private readonly peers = new Map<string, Peer>()
  private readonly waiting: string[] = []
  private sending: Promise<void> | undefined
  private unlisten: Promise<() => Promise<void>> | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.options = options
  }

  start(): void {
    if (this.unlisten) return
    const { carrier, log } = this.options
    this.unlisten = carrier.listen((text) => this.hear(text))
    this.unlisten.then(
      () => this.say({ is: 'hello' }),
      (error: unknown) => {
        log.warn({ err: error }, 'Other processes cannot be heard')
        this.unlisten = undefined
      },
    )
    this.timer = setInterval(() => this.look(), everyMs)
    this.timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    const { unlisten } = this
    this.unlisten = undefined
    if (unlisten) {
      this.say({ is: 'bye' })
      await this.sending
      await unlisten.then((end) => end()).catch(() => undefined)
    }
    this.peers.clear()
  }

  /** While this process listens to nobody, it does not know who listens to it. */
  notify(notice: Notice): void {
    if (!this.unlisten || this.peers.size > 0) this.say({ is: 'told', told: notice })
  }

  private look(): void {
    const now = performance.now()
    for (const [node, { heardAt }] of this.peers) {
      if (now - heardAt > goneAfterMs) this.lose(node)
    }
    // A connection that broke is made again.
    if (!this.unlisten) {
      clearInterval(this.timer)
      this.start()
    } else this.say({ is: 'here' })
  }

  private lose(node: string): void {
    if (this.peers.delete(node)) this.options.onLost(node)
  }

  /** In pieces, each with who sends it and how many follow. */
  private say(message: BusMessage): void {
    const { node, carrier } = this.options
    const text = Buffer.from(JSON.stringify(message, withBytes)).toString('base64')
    const max = carrier.maxLength - node.length - 20
    const pieces = Math.max(1, Math.ceil(text.length / max))
    if (this.waiting.length + pieces > maxWaiting) return
    for (let i = 0; i < pieces; i++) {
      this.waiting.push(`${node} ${pieces - 1 - i} ${text.slice(i * max, (i + 1) * max)}`)
    }
    this.sending ??= this.send().finally(() => (this.sending = undefined))
  }

  private async send(): Promise<void> {
    const { carrier, log } = this.options
    while (this.waiting.length > 0) {
      try {
        await carrier.publish(this.waiting.splice(0, 100))
      } catch (error) {
        log.warn({ err: error }, 'Other processes cannot be told')
      }
    }
  }

  private hear(text: string): void {
    const [node = '', following = '', piece = ''] = text.split(' ')
    if (node === this.options.node || node === '') return
    const isNew = !this.peers.has(node)
    const peer: Peer = this.peers.get(node) ?? { heardAt: 0, parts: [] }
    this.peers.set(node, peer)
    peer.heardAt = performance.now()
    peer.parts.push(piece)
    if (following !== '0') return
    const whole = peer.parts.splice(0).join('')
    try {
      // Only our own processes know how to speak here; whatever else is said is not understood below.
      const message = JSON.parse(Buffer.from(whole, 'base64').toString(), asBytes) as BusMessage
      this.take(node, message, isNew)
    } catch (error) {
      this.options.log.warn({ err: error }, 'What another process has told is not understood')
    }
  }

  private take(node: string, message: BusMessage, isNew: boolean): void {
    if (message.is === 'bye') return this.lose(node)
    if (message.is === 'told') this.options.onNotice(node, message.told)
    if (message.is === 'hello' || isNew) {
      this.say({ is: 'here' })
      this.say({ is: 'told', told: this.options.state() })
    }
  }
}

/** Bytes are written as an object of their own kind. */
function withBytes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const own = this[key]
  return Buffer.isBuffer(own) ? { $bytes: own.toString('base64') } : value
}

function asBytes(_: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && '$bytes' in value
  return isBytes && typeof value.$bytes === 'string' ? Buffer.from(value.$bytes, 'base64') : value
}

import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js'

export const kinds = ['broadcast', 'presence', 'change', 'system'] as const
export type Kind = (typeof kinds)[number]

/** Something that came over the channel. `at` is in milliseconds since 1970, `text` what a search looks through. */
export type Message = {
  id: number
  at: number
  kind: Kind
  title: string
  payload: unknown
  text: string
}

/** As many as are kept; older ones are let go of. */
export const maxKept = 1000

export type Heard = {
  messages: readonly Message[]
  /** Also of those that are not kept any more. */
  counts: Readonly<Record<Kind, number>>
}

export const nothingHeard: Heard = {
  messages: [],
  counts: { broadcast: 0, presence: 0, change: 0, system: 0 },
}

/** Newest first. */
export function withNew({ messages, counts }: Heard, fresh: readonly Message[]): Heard {
  const more = { ...counts }
  for (const { kind } of fresh) more[kind]++
  return { messages: [...fresh.toReversed(), ...messages].slice(0, maxKept), counts: more }
}

/** Those of a kind, or of all, whose name or content has these words in any case. */
export function matching(
  messages: readonly Message[],
  kind: Kind | 'all',
  words: string,
): readonly Message[] {
  const requested = words.trim().toLowerCase()
  if (kind === 'all' && requested === '') return messages
  return messages.filter(
    (message) =>
      (kind === 'all' || message.kind === kind) &&
      (requested === '' || message.text.toLowerCase().includes(requested)),
  )
}

/** A text that may be JSON; undefined when it is no object. */
export function objectFrom(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    // An object's keys are texts; what stands behind them is the sender's to say.
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export type RequestedChanges = {
  event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  schema: string
  /** Empty: every table of the schema. */
  table: string
  filter: string
}
export type Requested = {
  topic: string
  isPrivate: boolean
  broadcast: boolean
  presence: boolean
  /** Undefined: changes of tables are not listened to. */
  changes: RequestedChanges | undefined
}
export type Phase = 'stopped' | 'connecting' | 'joined' | 'reconnecting' | 'refused'
export type Seen = Heard & {
  phase: Phase
  /** Why it is not joined, in plain words. */
  problem: string | undefined
  /** Who is there, by key. */
  present: Readonly<Record<string, readonly unknown[]>>
}

type Options = {
  /** The public address of the project. */
  url: string
  requested: Requested
  /** A token that counts for some minutes, and the key that goes along. */
  token: () => Promise<{ token: string; api_key: string }>
  onSeen: (seen: Seen) => void
}

/** Milliseconds in which what comes is gathered before it is shown: a flood must not hold up the page. */
const gatherMs = 100

export const unseen: Seen = { ...nothingHeard, phase: 'stopped', problem: undefined, present: {} }

/** One channel, watched with the public client. Not used again once it is stopped. */
export class Inspection {
  private readonly options: Options
  private client: SupabaseClient | undefined
  private channel: RealtimeChannel | undefined
  private seen: Seen = { ...unseen, phase: 'connecting' }
  private fresh: Message[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private ids = 0
  private stopped = false

  constructor(options: Options) {
    this.options = options
  }

  async start(): Promise<void> {
    this.options.onSeen(this.seen)
    try {
      const { token, url } = this.options
      const [{ createClient }, { api_key }] = await Promise.all([
        import('@supabase/supabase-js'),
        token(),
      ])
      if (this.stopped) return
      this.client = createClient(url, api_key, {
        accessToken: async () => (await token()).token,
      })
      // Otherwise the first join would go out before there is a token, as whoever has the key.
      await this.client.realtime.setAuth()
      if (this.stopped) return
      this.channel = this.join(this.client)
    } catch (error) {
      this.show({
        phase: 'refused',
        problem: error instanceof Error ? error.message : String(error),
      })
    }
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    this.flush()
    const { client } = this
    this.options.onSeen({ ...this.seen, phase: 'stopped', problem: undefined, present: {} })
    await client?.removeAllChannels()
    await client?.realtime.disconnect()
  }

  /** @returns whether the service took it */
  async send(event: string, payload: Record<string, unknown>): Promise<boolean> {
    return (await this.channel?.send({ type: 'broadcast', event, payload })) === 'ok'
  }

  async track(payload: Record<string, unknown>): Promise<boolean> {
    return (await this.channel?.track(payload)) === 'ok'
  }

  async untrack(): Promise<boolean> {
    return (await this.channel?.untrack()) === 'ok'
  }

  clear(): void {
    this.fresh = []
    this.show(nothingHeard)
  }

  private join(client: SupabaseClient): RealtimeChannel {
    const { topic, isPrivate, broadcast, presence, changes } = this.options.requested
    const channel = client.channel(topic, {
      config: {
        private: isPrivate,
        broadcast: { self: true, ack: true },
        presence: { enabled: presence },
      },
    })
    if (broadcast) {
      channel.on('broadcast', { event: '*' }, (message) =>
        this.hear('broadcast', message.event, message),
      )
    }
    if (presence) {
      channel.on('presence', { event: 'sync' }, () =>
        this.show({ present: channel.presenceState() }),
      )
      channel.on('presence', { event: 'join' }, (joined) =>
        this.hear('presence', `${joined.key} joined`, joined),
      )
      channel.on('presence', { event: 'leave' }, (left) =>
        this.hear('presence', `${left.key} left`, left),
      )
    }
    if (changes) {
      const { event, schema, table, filter } = changes
      const where = { schema, ...(table && { table }), ...(filter && { filter }) }
      channel.on('postgres_changes', { event: event as '*', ...where }, (change) =>
        this.hear('change', `${change.eventType} ${change.schema}.${change.table}`, change),
      )
    }
    channel.on('system', {}, (told: { message?: string; status?: string }) =>
      this.hear('system', told.message ?? 'system', told),
    )
    return channel.subscribe((status, error) => this.follow(status, error))
  }

  private follow(status: string, error: Error | undefined): void {
    // Letting go of a refused channel closes it as well, which is no news.
    if (this.stopped || this.seen.phase === 'refused') return
    if (status === 'SUBSCRIBED') return this.show({ phase: 'joined', problem: undefined })
    if (status === 'TIMED_OUT') {
      return this.show({ phase: 'reconnecting', problem: 'The service does not answer.' })
    }
    const { text, isFinal } = refusalFrom(
      error?.message ??
        (status === 'CLOSED' ? 'The service closed the channel.' : 'The connection is lost.'),
    )
    const ends = isFinal || status === 'CLOSED'
    this.show({ phase: ends ? 'refused' : 'reconnecting', problem: text, present: {} })
    // The client would try for ever what cannot come right by itself.
    if (ends) void this.client?.removeAllChannels()
  }

  private hear(kind: Kind, title: string, payload: unknown): void {
    const text = `${title} ${JSON.stringify(payload)}`
    this.fresh.push({ id: ++this.ids, at: Date.now(), kind, title, payload, text })
    this.timer ??= setTimeout(() => this.flush(), gatherMs)
  }

  private flush(): void {
    this.timer = undefined
    const { fresh } = this
    this.fresh = []
    if (fresh.length > 0) this.show(withNew(this.seen, fresh))
  }

  private show(change: Partial<Seen>): void {
    this.seen = { ...this.seen, ...change }
    if (!this.stopped) this.options.onSeen(this.seen)
  }
}

/** What the codes of the service mean to somebody who looks at a channel. */
const words: Record<string, string> = {
  Unauthorized: 'No policy of realtime.messages lets this role read the channel.',
  PrivateOnly:
    'This project only allows private channels. Choose Private, or allow public ones in the settings.',
  RealtimeDisabledForTenant:
    'The realtime service of this project is switched off in its settings.',
  ChannelRateLimitReached: 'This connection is in as many channels as the settings allow.',
  ClientJoinRateLimitReached: 'Clients join more channels in a second than the settings allow.',
  ConnectionRateLimitReached: 'As many clients are connected as the settings allow.',
  InvalidJWTToken: 'The token has expired or lacks a required claim.',
  MalformedJWT: 'The token is not a JWT.',
  JwtSignatureError: 'The token was signed by a key that the project does not know.',
  TopicNameRequired: 'A channel needs a name.',
  IncreaseConnectionPool:
    'All connections of the service to the database are busy. Set a larger pool in the settings.',
  DatabaseLackOfConnections: 'The database takes no more connections.',
  InitializingProjectConnection: 'The database is starting.',
  UnableToConnectToProject: 'The service cannot reach the database of the project.',
  RealtimeRestarting: 'The service is restarting.',
  QueryCanceled: 'The policies of realtime.messages take too long.',
}

/** Trying again would not change these. */
const final = new Set([
  'Unauthorized',
  'PrivateOnly',
  'RealtimeDisabledForTenant',
  'TopicNameRequired',
  'MalformedJWT',
  'JwtSignatureError',
])

export type Refused = { text: string; isFinal: boolean }

/** A reason of the service, "<Code>: <message>" wherever it stands, in plain words; other texts stay as they are. */
function refusalFrom(reason: string): Refused {
  const code = Object.keys(words).find((name) => reason.includes(`${name}:`))
  if (code === undefined) return { text: reason, isFinal: false }
  return { text: words[code] ?? reason, isFinal: final.has(code) }
}

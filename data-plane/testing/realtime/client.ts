import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { waitUntil } from '#kit/postgres/processes'
import { startDataPlane, type TestDataPlane } from '../data-plane.ts'

/** No waits before refusals, so that tests do not wait either. */
const quick = { handshakeBackoff: 0, joinBackoff: 0 }

type More = Parameters<typeof startDataPlane>[3]
type Settings = Parameters<typeof startDataPlane>[1]

/** A data plane with one project whose realtime service answers at once. */
export function startRealtime(setup: string, settings: Settings = {}, more: More = {}) {
  const realtimeTiming = { ...quick, ...more?.realtimeTiming }
  return startDataPlane(setup, settings, undefined, { ...more, realtimeTiming })
}

/** The public client, unmodified. */
export function clientOf({ url, project }: TestDataPlane, bearer?: string): SupabaseClient {
  return createClient(url, project.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // The types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never },
    ...(bearer ? { accessToken: () => Promise.resolve(bearer) } : {}),
  })
}

export type Message = {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: Record<string, unknown>
}
type Ended = { code: number; reason: string }

/** A bare socket that speaks the protocol by hand. */
export class Line {
  readonly socket: WebSocket
  readonly heard: Message[] = []
  readonly binary: Buffer[] = []
  ended: Ended | undefined
  private readonly version: 1 | 2
  private refs = 0

  private constructor(socket: WebSocket, version: 1 | 2) {
    this.socket = socket
    this.version = version
    socket.on('error', () => undefined)
    socket.on('close', (code, reason) => (this.ended = { code, reason: reason.toString() }))
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.binary.push(data)
      else this.heard.push(this.read(data.toString()))
    })
  }

  static async open(
    { url, project }: TestDataPlane,
    version: 1 | 2 = 2,
    key: string = project.anonKey,
  ): Promise<Line> {
    const query = new URLSearchParams({ apikey: key, vsn: `${version}.0.0` }).toString()
    const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?${query}`)
    const line = new Line(socket, version)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return line
  }

  send(topic: string, event: string, payload: unknown, joinRef: string | null = null): string {
    const ref = String(++this.refs)
    this.socket.send(
      this.version === 2
        ? JSON.stringify([joinRef, ref, topic, event, payload])
        : JSON.stringify({ join_ref: joinRef, ref, topic, event, payload }),
    )
    return ref
  }

  /** Sends and waits for the answer. */
  async ask(topic: string, event: string, payload: unknown, joinRef: string | null = null) {
    const ref = this.send(topic, event, payload, joinRef)
    const { payload: answer } = await this.hear((message) => message.ref === ref)
    return answer as { status: string; response: Record<string, unknown> }
  }

  join(name: string, config: object = {}, accessToken?: string) {
    const joinRef = String(this.refs + 1)
    const payload = { config, ...(accessToken ? { access_token: accessToken } : {}) }
    return this.ask(`realtime:${name}`, 'phx_join', payload, joinRef)
  }

  /** Takes the first message that fits, waiting for it. */
  async hear(fits: (message: Message) => boolean): Promise<Message> {
    let found = -1
    await waitUntil(() => (found = this.heard.findIndex(fits)) >= 0, 20_000)
    const [message] = found >= 0 ? this.heard.splice(found, 1) : []
    if (!message) throw new Error(`Not heard; instead: ${JSON.stringify(this.heard)}`)
    return message
  }

  hearEvent = (event: string) => this.hear((message) => message.event === event)

  async end(): Promise<Ended> {
    if (!(await waitUntil(() => this.ended !== undefined, 20_000)) || !this.ended)
      throw new Error('The socket is still open')
    return this.ended
  }

  close(): void {
    this.socket.terminate()
  }

  private read(text: string): Message {
    // What the server sends is looked at by each test.
    const value = JSON.parse(text) as unknown
    if (this.version === 1) {
      const { join_ref: joinRef, ...rest } = value as Message & { join_ref: string | null }
      return { ...rest, joinRef }
    }
    const [joinRef, ref, topic, event, payload] = value as [
      string | null,
      string | null,
      string,
      string,
      Record<string, unknown>,
    ]
    return { joinRef, ref, topic, event, payload }
  }
}

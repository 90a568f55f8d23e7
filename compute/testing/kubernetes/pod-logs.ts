import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Refused, type Store, type Stored } from './store.ts'

type Question = {
  container: string | undefined
  follow: boolean
  previous: boolean
  timestamps: boolean
  /** In whole seconds, as the server takes it. */
  since: number
}
const known = ['container', 'follow', 'previous', 'timestamps', 'sinceTime', 'pretty']

/** @throws Refused for what the API does not know */
export function logQuestion(query: URLSearchParams): Question {
  for (const name of query.keys())
    if (!known.includes(name)) throw new Refused(400, 'BadRequest', `unknown option ${name}`)
  const since = query.get('sinceTime')
  const seconds = since === null ? 0 : Math.floor(Date.parse(since) / 1000)
  if (Number.isNaN(seconds)) throw new Refused(400, 'BadRequest', 'sinceTime: Invalid value')
  return {
    container: query.get('container') ?? undefined,
    follow: query.get('follow') === 'true',
    previous: query.get('previous') === 'true',
    timestamps: query.get('timestamps') === 'true',
    since: seconds,
  }
}

async function drained(response: ServerResponse): Promise<void> {
  const either = new AbortController()
  const { signal } = either
  const ways = [once(response, 'drain', { signal }), once(response, 'close', { signal })]
  await Promise.race(ways)
  either.abort()
  await Promise.allSettled(ways)
}

/** What one life of a container has written. */
type Life = { lines: { seconds: number; text: string }[]; ended: boolean; gone: number }
const lookMs = 20

/**
 * The logs of pods as a kubelet keeps them: of each container this life and the last, of each life what was written since the file was
 * begun anew, and nothing once the pod is gone. A question from a moment on is answered from its whole second.
 */
export function createPodLogs(store: Store) {
  const pods = new Map<string, Life[]>()
  const open = new Set<ServerResponse>()
  let source: (pod: Stored) => Promise<readonly string[]> = () => Promise.resolve([])
  /** In nanoseconds; a few lines have the same microsecond. */
  let last = 0n

  const livesOf = (uid: string): Life[] => {
    const lives = pods.get(uid) ?? [{ lines: [], ended: false, gone: 0 }]
    pods.set(uid, lives)
    return lives
  }
  function write(uid: string, text: string, at = Date.now()): void {
    const life = livesOf(uid).at(-1)
    const now = BigInt(at) * 1_000_000n
    last = now > last ? now : last + 400n
    const milliseconds = Number(last / 1_000_000n)
    const rest = String(last % 1_000_000n).padStart(6, '0')
    const stamp = new Date(milliseconds).toISOString().replace('Z', `${rest}Z`)
    life?.lines.push({ seconds: Math.floor(milliseconds / 1000), text: `${stamp} ${text}\n` })
  }
  async function pour(pod: Stored): Promise<void> {
    for (const text of await source(pod)) write(pod.metadata.uid, text)
  }
  store.follow(store.version(), ({ type, object }) => {
    const lives = pods.get(object.metadata.uid)
    if (type !== 'DELETED' || !lives) return
    for (const life of lives) life.ended = true
    pods.delete(object.metadata.uid)
  })

  return {
    write,
    /** Where pods' logs come from, beside `write`. */
    from(next: typeof source): void {
      source = next
    },
    /** The file is begun anew, as when it has become too large: what is in it is not told any more. */
    rotate(uid: string): void {
      const life = livesOf(uid).at(-1)
      if (!life) return
      life.gone += life.lines.length
      life.lines = []
    },
    /** The container ends, and is started again. */
    restart(uid: string): void {
      const lives = livesOf(uid)
      for (const life of lives) life.ended = true
      pods.set(uid, [...lives.slice(-1), { lines: [], ended: false, gone: 0 }])
    },
    /** Breaks every answer off that goes on. */
    drop(): void {
      for (const response of open) response.destroy()
    },
    /** How many go on. */
    followers: () => open.size,
    async send(pod: Stored, asked: Question, response: ServerResponse): Promise<void> {
      const { containers } = pod.spec as { containers: { name: string }[] }
      if (!containers.some(({ name }) => name === asked.container))
        throw new Refused(400, 'BadRequest', `container ${asked.container} is not valid for pod`)
      await pour(pod)
      const life = livesOf(pod.metadata.uid).at(asked.previous ? -2 : -1)
      if (!life || (asked.previous && livesOf(pod.metadata.uid).length < 2))
        throw new Refused(400, 'BadRequest', 'previous terminated container not found')
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.flushHeaders()
      open.add(response)
      response.once('close', () => open.delete(response))
      for (let at = life.gone; ;) {
        const lines = life.lines.slice(Math.max(0, at - life.gone))
        at = life.gone + life.lines.length
        for (const { seconds, text } of lines) {
          if (seconds < asked.since) continue
          const said = asked.timestamps ? text : text.slice(text.indexOf(' ') + 1)
          if (!response.write(said) && !response.destroyed) await drained(response)
        }
        if (response.destroyed) return
        if (!asked.follow || life.ended) break
        await delay(lookMs)
        await pour(pod)
      }
      response.end()
    },
    close(): void {
      for (const response of open) response.destroy()
    },
  }
}

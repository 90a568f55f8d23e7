import type { ScramKeys } from '#kit/postgres/scram-keys'
import { notRunning, paused, type Refusal } from '../refusals.ts'
import { LoginError, openServer } from '../shared/server-login.ts'
import { createLink, type Link } from './link.ts'
import { createStatements } from './statements.ts'

/** As whom, and where to, connections are opened. Those of one `key` are alike. */
export type Login = { key: string; role: string; database: string; keys: ScramKeys }
export const loginOf = (role: string, database: string, keys: ScramKeys): Login => ({
  key: JSON.stringify([role, database, keys.storedKey.toString('base64')]),
  role,
  database,
  keys,
})

type Taker = {
  /** Who it is that waits: it may get back a connection as it has left it. */
  client: object
  onLink(link: Link): void
  onRefused(refusal: Refusal): void
}
type Waiter = Taker & { login: Login; timer: NodeJS.Timeout; since: number }

/** `waits` and what follows are counted since the pool was made; a wait that ended without a connection is a refused one. */
export type PoolFigures = {
  /** To the server, those that are idle among them. */
  connections: number
  idle: number
  /** Clients that wait for a connection now. */
  waiting: number
  waits: number
  waitSeconds: number
  refusedWaits: number
  resets: number
}

/** Read whenever they count. */
export type PoolRules = {
  socketPath: string
  size: number
  /** Where the project is resumed while it is paused. */
  paused: string | null
}
type Options = {
  rules: () => PoolRules
  /** Milliseconds that a client waits for a connection. */
  waitMs: number
  /** Milliseconds without use after which a connection is closed. */
  idleMs: number
  /** Milliseconds for which a client gets back the connection that it had, as it has left it. */
  ownMs: number
}

const noneFree = (waitMs: number): Refusal => ({
  code: '53300',
  message: `no connection to the server became free within ${Math.ceil(waitMs / 1000)} seconds`,
  hint: 'Shorter transactions free connections sooner; a larger compute size has more of them.',
})

/** The connections to the server of one project. Clients that wait are served in the order in which they came. */
export function createProjectPool({ rules, waitMs, idleMs, ownMs }: Options) {
  const links = new Map<Link, Login>()
  const idle = new Map<string, Link[]>()
  const waiters = new Set<Waiter>()
  const opening = new Map<string, number>()
  /** What the server says of itself to those who sign in. */
  const welcomes = new Map<string, ReadonlyMap<string, string>>()
  const statements = createStatements()
  /** Opened before the pool was renewed: nobody is to get them again. */
  const old = new WeakSet<Link>()
  let isClosed = false
  let waits = 0
  let waitedMs = 0
  let refusedWaits = 0
  let resets = 0
  let cleaning: NodeJS.Timeout | undefined

  const openingCount = () => [...opening.values()].reduce((sum, one) => sum + one, 0)
  const hasRoom = () => links.size + openingCount() < rules().size
  const linksOf = (key: string) => [...links.values()].filter((login) => login.key === key).length

  /** One that nobody uses: the one that `client` had last if it can have it as it is, or else one that nobody has used, or any. */
  function takeIdle(key: string, client?: object): Link | undefined {
    const found = idle.get(key)
    if (!found) return undefined
    const own = client ? found.findLastIndex((one) => one.isUsed() && one.isGoodFor(client)) : -1
    const at = own < 0 ? found.findLastIndex((one) => !one.isUsed()) : own
    const [link] = found.splice(at < 0 ? found.length - 1 : at, 1)
    if (found.length === 0) idle.delete(key)
    return link
  }
  /** Ends one that nobody uses, of another login. */
  function evict(): boolean {
    for (const key of idle.keys()) {
      const link = takeIdle(key)
      if (!link) continue
      links.delete(link)
      link.end()
      return true
    }
    return false
  }
  function serve(waiter: Waiter, link: Link): void {
    waiters.delete(waiter)
    waitedMs += performance.now() - waiter.since
    clearTimeout(waiter.timer)
    link.usedAt = performance.now()
    waiter.onLink(link)
  }
  function refuse(waiter: Waiter, refusal: Refusal): void {
    if (!waiters.delete(waiter)) return
    waitedMs += performance.now() - waiter.since
    refusedWaits++
    clearTimeout(waiter.timer)
    waiter.onRefused(refusal)
  }

  function free(link: Link): void {
    const login = links.get(link)
    if (!login) return
    if (links.size > rules().size || old.has(link)) return drop(link)
    const [first] = waiters
    if (first && first.login.key !== login.key && !opening.has(first.login.key)) {
      drop(link)
      return
    }
    const next = first?.login.key === login.key ? first : waiterOf(login.key)
    if (next) return link.isGoodFor(next.client) ? serve(next, link) : clean(link)
    link.usedAt = performance.now()
    const others = idle.get(login.key)
    if (others) others.push(link)
    else idle.set(login.key, [link])
    if (link.isUsed()) cleanSoon()
  }
  function waiterOf(key: string): Waiter | undefined {
    for (const waiter of waiters) if (waiter.login.key === key) return waiter
    return undefined
  }
  /** Makes one as it was before anybody used it; whoever waits gets it then. */
  function clean(link: Link): void {
    resets++
    link.reset(() => free(link))
  }
  /** What a client has left, a lock perhaps, does not stay because it says nothing more. */
  function cleanSoon(): void {
    cleaning ??= setTimeout(() => {
      cleaning = undefined
      const before = performance.now() - ownMs
      let isLeft = false
      for (const [key, some] of idle) {
        const old = some.filter((one) => one.isUsed() && one.usedAt <= before)
        const rest = some.filter((one) => !old.includes(one))
        isLeft ||= rest.some((one) => one.isUsed())
        if (rest.length > 0) idle.set(key, rest)
        else idle.delete(key)
        for (const link of old) clean(link)
      }
      if (isLeft) cleanSoon()
    }, ownMs)
    cleaning.unref()
  }
  function drop(link: Link): void {
    links.delete(link)
    link.end()
    grow()
  }

  async function open(login: Login): Promise<void> {
    const { key, role, database, keys } = login
    opening.set(key, (opening.get(key) ?? 0) + 1)
    const { socketPath } = rules()
    const opened = await openServer(
      socketPath,
      [
        ['user', role],
        ['database', database],
      ],
      keys,
    ).catch((error: unknown) => (error instanceof LoginError ? error.refusal : notRunning))
    const left = (opening.get(key) ?? 1) - 1
    if (left > 0) opening.set(key, left)
    else opening.delete(key)
    if (!('socket' in opened)) {
      // Where others are open, whoever waits gets one of those.
      if (linksOf(key) === 0)
        for (const waiter of waiters) if (waiter.login.key === key) refuse(waiter, opened)
      return
    }
    const link = createLink(opened, socketPath, () => {
      links.delete(link)
      const others = idle.get(key)?.filter((one) => one !== link) ?? []
      if (others.length > 0) idle.set(key, others)
      else idle.delete(key)
      grow()
    })
    if (isClosed) return link.end()
    links.set(link, login)
    if (!welcomes.has(key)) welcomes.set(key, new Map(link.parameters))
    free(link)
  }

  /** Opens connections for those who wait, as far as there may be more. */
  function grow(): void {
    const wanted = new Map<string, number>()
    for (const { login } of waiters) {
      const count = (wanted.get(login.key) ?? 0) + 1
      wanted.set(login.key, count)
      if (count <= (opening.get(login.key) ?? 0)) continue
      if (!hasRoom() && !evict()) return
      void open(login)
    }
  }

  const timer = setInterval(
    () => {
      const before = performance.now() - idleMs
      for (const found of [...idle.values()].map((one) => [...one]))
        for (const link of found) if (link.usedAt < before) link.end()
    },
    Math.min(idleMs, 10_000),
  )
  timer.unref()

  return {
    statements,
    welcome: (key: string) => welcomes.get(key),
    /** Gives a connection, now or later. Returns how to stop waiting. */
    acquire(login: Login, taker: Taker): () => void {
      const { paused: resumeUrl } = rules()
      if (isClosed || resumeUrl !== null) {
        taker.onRefused(resumeUrl === null ? notRunning : paused(resumeUrl))
        return () => undefined
      }
      const found = takeIdle(login.key, taker.client)
      if (found?.isGoodFor(taker.client)) {
        found.usedAt = performance.now()
        taker.onLink(found)
        return () => undefined
      }
      if (!found) waits++
      const late = setTimeout(() => refuse(waiter, noneFree(waitMs)), waitMs)
      const waiter: Waiter = { ...taker, login, timer: late, since: performance.now() }
      waiters.add(waiter)
      if (found) clean(found)
      else grow()
      return () => {
        clearTimeout(late)
        waiters.delete(waiter)
      }
    },
    /** Takes one back that nothing is under way on; `client` may come for it again. */
    release(link: Link, client?: object): void {
      if (!client || !link.isGoodFor(client)) return clean(link)
      link.detach()
      free(link)
    },
    /** Has every connection opened anew: idle ones end now, others when they are given back. */
    renew(): void {
      welcomes.clear()
      for (const link of links.keys()) old.add(link)
      for (const key of idle.keys())
        for (let link = takeIdle(key); link; link = takeIdle(key)) drop(link)
    },
    figures: (): PoolFigures => ({
      connections: links.size,
      idle: [...idle.values()].reduce((sum, one) => sum + one.length, 0),
      waiting: waiters.size,
      waits,
      waitSeconds: waitedMs / 1000,
      refusedWaits,
      resets,
    }),
    /** Ends every connection; who waits is refused. */
    close(): void {
      isClosed = true
      clearInterval(timer)
      clearTimeout(cleaning)
      for (const waiter of waiters) refuse(waiter, notRunning)
      for (const link of links.keys()) link.abort()
    },
  }
}
export type ProjectPool = ReturnType<typeof createProjectPool>

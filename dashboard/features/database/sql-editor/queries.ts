import { snippets } from '#contract/database/snippets'
import { call, CallError } from '../../../api/client.ts'
import type { Drafts } from '../../../session/identity/drafts.ts'
import type { QueryDraft } from './editor/draft.ts'
import { createOpenQuery, type OpenQuery, type Server } from './open-query.ts'
import { emptyValues, savedOf, type Saved, type Values } from './running/query-values.ts'
import { livingTabs } from '../../../session/identity/tab-life.ts'

type Options = { ref: string; server: Server; drafts: Drafts<QueryDraft> }

/** The queries that are open in this tab. They outlive the page, so that nothing is lost by looking elsewhere. */
export function createQueries({ ref, server, drafts }: Options) {
  const open = new Map<string, OpenQuery>()
  const loading = new Map<string, Promise<OpenQuery | undefined>>()
  const watchers = new Set<() => void>()
  let blank: OpenQuery | undefined

  function changed() {
    for (const watch of watchers) watch()
  }
  function add(
    id: string,
    rest: { saved?: Saved | undefined; draft?: QueryDraft | undefined } = {},
  ) {
    const query = createOpenQuery({ id, ...rest, server, drafts })
    open.set(id, query)
    query.subscribe(changed)
    changed()
    return query
  }

  async function read(id: string): Promise<OpenQuery | undefined> {
    const [alive, saved] = await Promise.all([livingTabs(), find(ref, id)])
    const here = open.get(id)
    if (here) return here
    const draft = drafts.orphans(alive).find((orphan) => orphan.id === id)
    if (draft) drafts.adopt(draft)
    return saved || draft ? add(id, { saved, draft }) : undefined
  }

  const queries = {
    get: (id: string) => open.get(id),
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** Undefined when neither the server nor this browser knows it. Throws a CallError when it cannot be read. */
    load(id: string): Promise<OpenQuery | undefined> {
      const known = open.get(id)
      if (known) return Promise.resolve(known)
      const begun = loading.get(id) ?? read(id).finally(() => loading.delete(id))
      loading.set(id, begun)
      return begun
    },
    /** The query behind the address `new`. It stays the same one until it has an address of its own. */
    blank(): OpenQuery {
      blank ??= add(crypto.randomUUID())
      return blank
    },
    /** A query has its own address now: the next new one is another. */
    named(id: string) {
      if (blank?.id === id) blank = undefined
    },
    /** A new query with something in it already. */
    create(values: Partial<Values>): OpenQuery {
      const query = add(crypto.randomUUID())
      query.edit({ ...emptyValues, ...values })
      return query
    },
    /** Looks whether someone saved a newer version, which is shown unless something was typed here. */
    async refresh(id: string): Promise<void> {
      const query = open.get(id)
      const newer = query?.view().saved && query.isClean() ? await server.read(id) : undefined
      if (newer) query?.accept(newer)
    },
    remove(id: string) {
      open.get(id)?.close()
      open.delete(id)
      changed()
    },
    /** Brings back what other tabs could not save any more. */
    async recover(): Promise<void> {
      const orphans = drafts.orphans(await livingTabs())
      const ids = [...new Set(orphans.map(({ id }) => id))]
      await Promise.allSettled(ids.map((id) => queries.load(id)))
    },
    /** Before the page is left: what is typed is kept here at once. */
    keepNow() {
      for (const query of open.values()) query.keepNow()
    },
    /** The network is back. */
    saveNow() {
      for (const query of open.values()) if (!query.isClean()) void query.save()
    },
  }
  return queries
}
export type Queries = ReturnType<typeof createQueries>

async function find(ref: string, id: string): Promise<Saved | undefined> {
  try {
    return savedOf(await call(snippets.item, { ref, id }))
  } catch (error) {
    if (error instanceof CallError && (error.code === 404 || error.code === 400)) return undefined
    throw error
  }
}

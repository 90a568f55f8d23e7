import { useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { snippets } from '#contract/database/snippets'
import { queryIn, readQuery } from '../../../modules/sql/saved-query.ts'
import { profileQuery } from '../../../session/identity/profile.ts'
import { createDrafts, type Drafts } from '../../../session/identity/drafts.ts'
import { showLife, tab, livingTabs } from '../../../session/identity/tab-life.ts'
import { call, CallError, forget, messageOf, queryClient } from '../../../api/client.ts'
import {
  createOpenTabs,
  type OpenQuery,
  type OpenTab,
  type PutResult,
  type QueryView,
  createOpenQuery,
  type Server,
} from './open-query.ts'
import { createTransactions, type RunView, createRuns } from './running/runs.ts'
import { createChecks } from './editor/checks.ts'
import type { QueryDraft } from './editor/query-title.ts'
import { createParameterValues } from './running/parameter-values.ts'
import { emptyValues, savedOf, type Saved, type Values } from './running/query-values.ts'
import { createLastRuns } from './snippets/run-history.ts'

export const WorkspaceContext = createContext<Workspace | undefined>(undefined)

/** What the signed-in person has open in a project. */
export function useWorkspaceOf(ref: string): Workspace {
  const { data: profile } = useSuspenseQuery(profileQuery)
  return workspaceOf(profile.id, ref)
}

/** The workspace of the page one is in. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('This belongs inside the SQL editor page')
  return workspace
}

/** A part of an open query, kept up to date. `select` must answer the same value for the same view. */
export const useQueryView = <T>(query: OpenQuery, select: (view: QueryView) => T): T =>
  useSyncExternalStore(query.subscribe, () => select(query.view()))

/** The last run of a query. */
export function useRun(queryId: string): RunView | undefined {
  const { runs } = useWorkspace()
  return useSyncExternalStore(runs.subscribe, () => runs.of(queryId))
}

export function useOpenTabs(): readonly OpenTab[] {
  const { tabs } = useWorkspace()
  return useSyncExternalStore(tabs.subscribe, tabs.list)
}

/** Whether an open query has something that is not saved. */
export function useIsUnsaved(id: string): boolean {
  const { queries } = useWorkspace()
  return useSyncExternalStore(queries.subscribe, () => {
    const kind = queries.get(id)?.view().save.kind
    return kind !== undefined && kind !== 'saved'
  })
}

function create(person: number, ref: string) {
  const drafts = createDrafts<QueryDraft>(
    localStorage,
    { kind: 'sql-draft', scope: `${person}.${ref}` },
    tab,
  )
  const queries = createQueries({ ref, server: snippetServer(ref), drafts })
  showLife()
  addEventListener('pagehide', () => queries.keepNow())
  addEventListener('online', () => queries.saveNow())
  void queries.recover()
  return {
    ref,
    person,
    queries,
    runs: createRuns(ref),
    tabs: createOpenTabs(localStorage, ref),
    lastRuns: createLastRuns(localStorage, ref),
    parameters: createParameterValues(localStorage, ref),
    checks: createChecks(ref),
    transactions: createTransactions(ref),
  }
}
type Workspace = ReturnType<typeof create>

const workspaces = new Map<string, Workspace>()

/** What one person has open in one project. It lives as long as the tab, so that pages can come and go. */
function workspaceOf(person: number, ref: string): Workspace {
  const key = `${person}.${ref}`
  const workspace = workspaces.get(key) ?? create(person, ref)
  workspaces.set(key, workspace)
  return workspace
}

type Options = { ref: string; server: Server; drafts: Drafts<QueryDraft> }

/** The queries that are open in this tab. They outlive the page, so that nothing is lost by looking elsewhere. */
function createQueries({ ref, server, drafts }: Options) {
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
    return savedOf(await readQuery(ref, id))
  } catch (error) {
    if (error instanceof CallError && (error.code === 404 || error.code === 400)) return undefined
    throw error
  }
}

/** Saves and reads the snippets of one project for the queries that are open. */
function snippetServer(ref: string): Server {
  /** What lists show of each: they are read again only when that changed. */
  const listed = new Map<string, string>()
  return {
    async put(id, values, revision): Promise<PutResult> {
      const { sql, chart = null, ...rest } = values
      const content = {
        schema_version: '1.0' as const,
        content_id: id,
        sql,
        ...(chart ? { chart } : {}),
      }
      try {
        const answer = queryIn(await call(snippets.put, { ref, id, ...rest, content, revision }))
        queryClient.setQueryData([snippets.item.name, { ref, id }], answer)
        const { name, visibility, favorite } = answer
        const now = JSON.stringify([name, visibility, favorite])
        if (listed.get(id) !== now) void forget(snippets.list, snippets.count)
        listed.set(id, now)
        return { ok: true, saved: savedOf(answer) }
      } catch (error) {
        return refusal(error)
      }
    },
    async read(id): Promise<Saved | undefined> {
      try {
        return savedOf(await readQuery(ref, id))
      } catch {
        // The caller says so and tries again.
        return undefined
      }
    },
  }
}

function refusal(error: unknown): PutResult {
  if (!(error instanceof CallError))
    return { ok: false, reason: 'failed', message: messageOf(error), again: true, unsure: true }
  const { code, reason, message } = error
  if (code === 409 && reason === 'conflict') return { ok: false, reason: 'conflict' }
  const unsure = code === 0 || code >= 500
  return { ok: false, reason: 'failed', message, again: unsure || code === 429, unsure }
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { profileQuery } from '../../../session/identity/profile.ts'
import { createDrafts } from '../../../session/identity/drafts.ts'
import { showLife, tab } from '../../../session/identity/tab-life.ts'
import type { OpenQuery, QueryView } from './open-query.ts'
import { type OpenTab, createOpenTabs } from './open-tabs.ts'
import { type RunView, createRuns } from './running/runs.ts'
import { createChecks } from './editor/checks.ts'
import type { QueryDraft } from './editor/draft.ts'
import { createLastRuns } from './running/last-runs.ts'
import { createParameterValues } from './running/parameter-values.ts'
import { createQueries } from './queries.ts'
import { snippetServer } from './snippets/snippet-server.ts'
import { createTransactions } from './running/transactions.ts'

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

import { useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { profileQuery } from '../../../session/identity/profile.ts'
import type { OpenQuery, QueryView } from './open-query.ts'
import type { OpenTab } from './open-tabs.ts'
import type { RunView } from './running/runs.ts'
import { workspaceOf, type Workspace } from './workspace.ts'

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

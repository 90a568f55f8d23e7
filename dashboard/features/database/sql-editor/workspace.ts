import { createChecks } from './checks.ts'
import { createDrafts } from '../../../session/drafts.ts'
import { showLife, tab } from '../../../session/tab-life.ts'
import type { QueryDraft } from './draft.ts'
import { createLastRuns } from './last-runs.ts'
import { createOpenTabs } from './open-tabs.ts'
import { createParameterValues } from './parameter-values.ts'
import { createQueries } from './queries.ts'
import { createRuns } from './runs.ts'
import { snippetServer } from './snippet-server.ts'
import { createTransactions } from './transactions.ts'

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
export type Workspace = ReturnType<typeof create>

const workspaces = new Map<string, Workspace>()

/** What one person has open in one project. It lives as long as the tab, so that pages can come and go. */
export function workspaceOf(person: number, ref: string): Workspace {
  const key = `${person}.${ref}`
  const workspace = workspaces.get(key) ?? create(person, ref)
  workspaces.set(key, workspace)
  return workspace
}

import { createChecks } from './editor/checks.ts'
import { createDrafts } from '../../../session/identity/drafts.ts'
import { showLife, tab } from '../../../session/identity/tab-life.ts'
import type { QueryDraft } from './editor/draft.ts'
import { createLastRuns } from './running/last-runs.ts'
import { createOpenTabs } from './open-tabs.ts'
import { createParameterValues } from './running/parameter-values.ts'
import { createQueries } from './queries.ts'
import { createRuns } from './running/runs.ts'
import { snippetServer } from './snippets/snippet-server.ts'
import { createTransactions } from './running/transactions.ts'

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

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState, type RefObject } from 'react'
import { pgMeta } from '#contract/pg-meta'
import { sqlQuery } from '#contract/sql-query'
import { tableRows } from '#contract/table-rows'
import { forget } from '../../api/client.ts'
import { useDenials } from '../../session/permissions.ts'
import { projectQuery } from '../../session/project.ts'
import { toast } from '../../ui/toast.ts'
import { dangersIn, type Danger } from './dangers.ts'
import { useEditorPreferences } from './editor-preferences.ts'
import { placeOfError } from './error-place.ts'
import type { OpenQuery } from './open-query.ts'
import { failureOf } from './run-state.ts'
import type { RunView } from './runs.ts'
import type { Picked, SqlBox } from './sql-box.ts'
import { useRun, useWorkspace } from './use-workspace.ts'

type Asking = { dangers: readonly Danger[]; picked: Picked; limit: number | null }

/** Running a query: what is picked in the editor, after asking about what is destructive. */
export function useQueryRun(query: OpenQuery, box: RefObject<SqlBox | undefined>) {
  const { ref, runs, lastRuns } = useWorkspace()
  const { data: project } = useSuspenseQuery(projectQuery(ref))
  const why = useDenials({ organizationSlug: project.organization_slug, projectRef: ref })
  const limit = useEditorPreferences((preferences) => preferences.limit)
  const run = useRun(query.id)
  const [asking, setAsking] = useState<Asking>()
  const denial = why(sqlQuery.run)

  function start(picked: Picked, rowLimit: number | null) {
    setAsking(undefined)
    box.current?.mark(undefined)
    void runs.start(query.id, picked, rowLimit).then(ended)
  }

  function ended(done: RunView) {
    const { id, queryId, state, sent } = done
    const error = failureOf(state)?.error
    lastRuns.add({
      id,
      queryId,
      name: query.view().values.name,
      failed: error !== undefined || done.failure !== undefined,
      ...(state.ms === undefined ? {} : { ms: state.ms }),
    })
    const { text = '' } = box.current?.picked() ?? {}
    const place = error && placeOfError(error, { ...sent, sent: sent.sql, text })
    if (error && place) box.current?.mark({ place, message: error.message })
    // What has no rows may have changed tables or what is in them: nothing read before counts any more.
    if (state.statements.some(({ fields, status }) => status === 'done' && !fields))
      void forget(...Object.values(pgMeta), ...Object.values(tableRows))
  }

  function ask() {
    const picked = box.current?.picked()
    if (!picked || run?.state.phase === 'running' || denial) return
    if (!picked.sql.trim()) return void toast.info('Write a query first', { id: 'sql-empty' })
    const dangers = dangersIn(picked.sql)
    if (dangers.length > 0) setAsking({ dangers, picked, limit })
    else start(picked, limit)
  }

  const error = run && failureOf(run.state)?.error
  const { sql: text } = query.view().values
  return {
    run,
    denial,
    /** Where the error of the last run is in the text as it is now. */
    place: error && placeOfError(error, { ...run.sent, sent: run.sent.sql, text }),
    ask,
    asking,
    confirm: () => asking && start(asking.picked, asking.limit),
    stopAsking: () => setAsking(undefined),
    again: () => run && start(run.sent, run.limit),
    withoutLimit: () => run && start(run.sent, null),
    cancel: () => void runs.cancel(query.id),
  }
}

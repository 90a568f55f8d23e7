import { useSuspenseQuery } from '@tanstack/react-query'
import { useState, type RefObject } from 'react'
import type { ScriptItem } from '#contract/database/sql/sql-script'
import { migrations } from '#contract/database/migrations'
import { pgMeta } from '#contract/database/pg-meta'
import { sqlQuery } from '#contract/database/sql/sql-query'
import type { SqlDanger } from '#contract/database/sql/sql-tools'
import { tableRows } from '#contract/database/rows/table-rows'
import { CallError, forget } from '../../../../api/client.ts'
import type { Impersonation } from '../../../../modules/roles/impersonation.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { projectQuery } from '../../../../session/project/project.ts'
import { useMadeReplicas } from '../../../../session/project/replicas.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { useEditorPreferences } from '../editor/editor-preferences.ts'
import { placeOfFailure } from '../editor/error-place.ts'
import type { OpenQuery } from '../open-query.ts'
import { historyEntry, writeDown } from '../snippets/run-history.ts'
import { failureOf } from './run-state.ts'
import type { RunView, RunOptions } from './runs.ts'
import { saveCopied } from '../results/CopiedResult.tsx'
import type { Picked, SqlBox } from '../editor/sql-box.ts'
import { copiedName, wantsFile, withData } from './sql-file.ts'
import { useRun, useWorkspace } from '../use-workspace.ts'

type Asking = { dangers: readonly SqlDanger[]; picked: Picked; options: RunOptions }
export type RunWhat = { explain?: 'plan' | 'analyze'; atCursor?: boolean; oneTransaction?: boolean }
type Copying = { item: ScriptItem; picked: Picked; options: RunOptions }

/** Running a query: what is picked in the editor, after asking about what is destructive. */
export function useQueryRun(query: OpenQuery, box: RefObject<SqlBox | undefined>) {
  const { ref, runs, lastRuns, parameters, checks, transactions } = useWorkspace()
  const { data: project } = useSuspenseQuery(projectQuery(ref))
  const why = useDenials({ organizationSlug: project.organization_slug, projectRef: ref })
  const preferences = useEditorPreferences()
  const run = useRun(query.id)
  const [asking, setAsking] = useState<Asking>()
  const [copying, setCopying] = useState<Copying>()
  const [missing, setMissing] = useState<readonly string[]>([])
  const [as, setAs] = useState<Impersonation>()
  const [chosen, setReplica] = useState<string>()
  const replicas = useMadeReplicas(ref)
  // One that is gone leaves the primary.
  const replica = replicas.find((one) => one === chosen)
  const denial = why(sqlQuery.run)
  /** Why nothing that runs here can be committed. */
  const writeDenial = why(migrations.change)

  function start(picked: Picked, options: RunOptions) {
    setAsking(undefined)
    const item = options.file || options.explain ? undefined : wantsFile(picked.sql)
    if (item) return setCopying({ item, picked, options })
    setCopying(undefined)
    box.current?.mark(undefined)
    const requested = preferences.inTransaction && !options.readOnly && !writeDenial
    const isAlone = options.readOnly || options.file !== undefined || options.oneTransaction
    const transaction = isAlone ? undefined : transactions.next(query.id, requested)
    const done = runs.start(query.id, picked, { ...options, transaction })
    const began = runs.of(query.id)
    if (began) void writeDown(ref, entryOf(began))
    void done.then(ended)
  }

  const entryOf = (one: RunView) => {
    const { values, saved } = query.view()
    return historyEntry(one, { name: values.name, isSaved: saved !== undefined })
  }

  function ended(done: RunView) {
    const { id, queryId, state, sent, options, failure } = done
    const failed = failureOf(state)
    const error = failed?.error
    lastRuns.add({
      id,
      queryId,
      name: query.view().values.name,
      failed: error !== undefined || failure !== undefined,
      ...(state.ms === undefined ? {} : { ms: state.ms }),
    })
    void writeDown(ref, entryOf(runs.of(queryId) ?? done))
    if (options.transaction) {
      const isRefused = failure instanceof CallError && failure.code >= 400
      // What was refused never came to the transaction, unless that is gone.
      if (isRefused && failure.reason !== 'transaction_gone') transactions.rest(queryId)
      else transactions.after(queryId, options.transaction.id, state.transaction)
    }
    for (const statement of state.statements) {
      const name = sent.sql.slice(statement.start, statement.end)
      if (statement.copied.length > 0 && copiedName(name) !== undefined)
        saveCopied(statement, name, query.view().values.name)
    }
    const { text = '' } = box.current?.picked() ?? {}
    const where = { ...sent, sent: sent.sql, text }
    const place = error && !options.file && placeOfFailure({ error, start: failed.start }, where)
    if (error && place) box.current?.mark({ place, message: error.message })
    // What has no rows may have changed tables or what is in them: nothing read before counts any more.
    if (state.statements.some(({ fields, status }) => status === 'done' && !fields))
      void forget(...Object.values(pgMeta), ...Object.values(tableRows))
  }

  const settings = (): RunOptions => ({
    limit: preferences.limit,
    timeoutMs: preferences.timeoutMs,
    readOnly: preferences.readOnly,
    as,
    replica,
    parameters: {},
    explain: undefined,
    transaction: undefined,
    oneTransaction: false,
    file: undefined,
  })

  /** Runs a file in place of the text. */
  function runFile(file: File, oneTransaction: boolean) {
    if (runs.of(query.id)?.state.phase === 'running' || denial) return
    const options = { ...settings(), oneTransaction, file: { name: file.name, blob: file } }
    start({ sql: '', offset: 0, text: '' }, options)
  }

  async function copyFrom(file: File) {
    if (!copying) return
    const { item, picked, options } = copying
    const blob = await withData(picked.sql, item, file)
    start(picked, { ...options, file: { name: file.name, blob } })
  }

  function ask(what: RunWhat = {}) {
    const picked = what.atCursor ? box.current?.atCursor() : box.current?.picked()
    if (!picked || run?.state.phase === 'running' || denial) return
    if (!picked.sql.trim()) return void toast.info('Write a query first', { id: 'sql-empty' })
    const given = parameters.for(query.id, picked.sql)
    setMissing(given.missing)
    if (given.missing.length > 0) return
    const options: RunOptions = {
      ...settings(),
      parameters: given.values,
      explain: what.explain,
      oneTransaction: what.oneTransaction ?? false,
    }
    // What only reads, or is taken back, takes nothing away.
    if (options.readOnly || options.explain) return start(picked, options)
    void checks.dangers(picked.sql).then((dangers) => {
      if (runs.of(query.id)?.state.phase === 'running') return
      if (dangers.length > 0) setAsking({ dangers, picked, options })
      else start(picked, options)
    })
  }

  const failed = run && failureOf(run.state)
  const error = failed?.error
  const { sql: text } = query.view().values
  const isFile = run?.options.file !== undefined
  return {
    run,
    denial,
    writeDenial,
    onlyReads: preferences.readOnly || writeDenial !== undefined,
    missing,
    as,
    setAs,
    replica,
    replicas,
    setReplica,
    /** Where the error of the last run is in the text as it is now. */
    place:
      error && run && !isFile
        ? placeOfFailure({ error, start: failed.start }, { ...run.sent, sent: run.sent.sql, text })
        : undefined,
    ask,
    runFile,
    copying: copying?.item,
    copyFrom: (file: File) => void copyFrom(file),
    stopCopying: () => setCopying(undefined),
    asking,
    confirm: () => asking && start(asking.picked, asking.options),
    stopAsking: () => setAsking(undefined),
    again: () => run && start(run.sent, run.options),
    withoutLimit: () => run && start(run.sent, { ...run.options, limit: null }),
    cancel: () => void runs.cancel(query.id),
  }
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { Play, SquareTerminal } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { pgMeta } from '#contract/pg-meta'
import { sqlQuery } from '#contract/sql-query'
import { forget } from '../../api/client.ts'
import { useDenials } from '../../session/permissions.ts'
import { profileQuery } from '../../session/profile.ts'
import { projectQuery } from '../../session/project.ts'
import { useCommands } from '../../ui/commands.ts'
import { toast } from '../../ui/toast.ts'
import { readCatalog } from './catalog.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { DangerDialog } from './DangerDialog.tsx'
import { dangersIn, type Danger } from './dangers.ts'
import { useEditorPreferences } from './editor-preferences.ts'
import { EditorBar } from './EditorBar.tsx'
import { placeOfError } from './error-place.ts'
import type { OpenQuery } from './open-query.ts'
import { ResultPane } from './ResultPane.tsx'
import { failureOf } from './run-state.ts'
import type { Picked, SqlBox } from './sql-box.ts'
import { SplitHandle } from './SplitHandle.tsx'
import { SqlText } from './SqlText.tsx'
import { useQueryView, useRun, useWorkspace } from './use-workspace.ts'

type Props = { query: OpenQuery; onList: () => void; onFirstEdit: (id: string) => void }

/** One query: its text, and what running it brings. */
export function QueryPane({ query, onList, onFirstEdit }: Props) {
  const { ref, runs, queries } = useWorkspace()
  const navigate = useNavigate()
  const box = useRef<SqlBox>(undefined)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: project } = useSuspenseQuery(projectQuery(ref))
  const why = useDenials({ organizationSlug: project.organization_slug, projectRef: ref })
  const limit = useEditorPreferences((preferences) => preferences.limit)
  const split = useEditorPreferences((preferences) => preferences.split)
  const run = useRun(query.id)
  const name = useQueryView(query, (view) => view.values.name)
  const replaced = useQueryView(query, (view) => view.replaced)
  const save = useQueryView(query, (view) => view.save)
  const saved = useQueryView(query, (view) => view.saved)
  const [asking, setAsking] = useState<{
    dangers: Danger[]
    picked: Picked
    limit: number | null
  }>()
  // A conflict asks once by itself; closed, it waits behind the Review button.
  const [putOff, setPutOff] = useState<unknown>()
  const foreignOwner = saved && saved.ownerId !== profile.id ? saved.owner : undefined

  function start(picked: Picked, rowLimit: number | null) {
    setAsking(undefined)
    box.current?.mark(undefined)
    void runs.start(query.id, picked, rowLimit).then(() => afterRun(picked))
  }
  function afterRun(picked: Picked) {
    const { state } = runs.of(query.id) ?? {}
    const error = state && failureOf(state)?.error
    const place = error && placeOfError(error, { ...picked, sent: picked.sql, text: now().text })
    if (error && place) box.current?.mark({ place, message: error.message })
    // What tables there are may be another thing now; completion asks again when it needs it.
    const changes = state?.statements.some(({ fields, status }) => status === 'done' && !fields)
    if (changes) void forget(...Object.values(pgMeta))
  }
  const now = (): Picked =>
    box.current?.picked() ?? {
      sql: query.view().values.sql,
      offset: 0,
      text: query.view().values.sql,
    }

  function ask(rowLimit = limit) {
    if (run?.state.phase === 'running' || why(sqlQuery.run)) return
    const picked = now()
    if (!picked.sql.trim()) return void toast.info('Write a query first', { id: 'sql-empty' })
    const dangers = dangersIn(picked.sql)
    if (dangers.length > 0) setAsking({ dangers, picked, limit: rowLimit })
    else start(picked, rowLimit)
  }
  async function format() {
    try {
      const { formatSql } = await import('./format-sql.ts')
      box.current?.write(formatSql(now().text))
    } catch {
      toast.error('This text can not be formatted', { id: 'sql-format' })
    }
  }
  function copyMine(): string {
    const { values } = query.view()
    const copy = queries.create({ sql: values.sql, name: `${values.name} (copy)` })
    void copy.save()
    return copy.id
  }
  const goToCopy = () =>
    void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: copyMine() } })

  useCommands([
    {
      id: 'sql.run',
      section: 'This page',
      name: 'Run query',
      icon: Play,
      keys: 'mod+enter',
      everywhere: true,
      run: () => ask(),
    },
    {
      id: 'sql.focus',
      section: 'This page',
      name: 'Go to the editor',
      icon: SquareTerminal,
      keys: 'e',
      run: () => box.current?.focus(),
    },
  ])

  // A newer version may have been saved by another tab while this one was out of sight.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void queries.refresh(query.id)
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [queries, query])

  const error = run && failureOf(run.state)?.error
  const text = query.view().values.sql
  const place = run && error && placeOfError(error, { ...run.sent, sent: run.sent.sql, text })
  return (
    <>
      <EditorBar
        query={query}
        run={run}
        foreignOwner={foreignOwner}
        runDenial={why(sqlQuery.run)}
        onList={onList}
        onRun={() => ask()}
        onCancel={() => void runs.cancel(query.id)}
        onFormat={() => void format()}
        onReview={() => setPutOff(undefined)}
        onDuplicate={goToCopy}
      />
      <div className="sql-work" style={{ '--split': `${split}%` }}>
        <SqlText
          ref={(made) => {
            box.current = made ?? undefined
          }}
          shown={{
            id: query.id,
            sql: text,
            version: replaced,
            readOnly: foreignOwner !== undefined,
          }}
          events={{
            onEdit: (id, sql) => {
              const edited = queries.get(id)
              edited?.edit({ sql })
              if (edited && !edited.view().saved) onFirstEdit(id)
            },
            onRun: () => ask(),
            onSave: () => void query.save(),
            catalog: () => readCatalog(ref),
          }}
        />
        <SplitHandle />
        <ResultPane
          run={run}
          name={name}
          place={place}
          onGoTo={(target) => box.current?.goTo(target)}
          onRun={() => ask()}
          onRunWithoutLimit={() => run && start(run.sent, null)}
        />
      </div>
      {asking && (
        <DangerDialog
          dangers={asking.dangers}
          onClose={() => setAsking(undefined)}
          onRun={() => start(asking.picked, asking.limit)}
        />
      )}
      {save.kind === 'conflict' && putOff !== save && (
        <ConflictDialog
          mine={query.view().values}
          theirs={save.theirs}
          onClose={() => setPutOff(save)}
          onKeepMine={() => void query.keepMine()}
          onCopy={() => {
            goToCopy()
            query.takeTheirs()
          }}
          onTakeTheirs={() => query.takeTheirs()}
        />
      )}
    </>
  )
}

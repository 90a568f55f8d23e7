import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Play, SquareTerminal } from 'lucide-react'
import {
  useEffect,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import { profileQuery } from '../../../session/identity/profile.ts'
import { useWindowName } from '../../../session/window-name.ts'
import { useCommands } from '../../../ui/floats/commands.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { readCatalog, readFunctions } from './editor/catalog.ts'
import { DangerDialog } from './running/RunControls.tsx'
import { useEditorPreferences, setEditorPreference } from './editor/editor-preferences.ts'
import { ConflictDialog, EditorBar } from './EditorBar.tsx'
import type { OpenQuery } from './open-query.ts'
import { retitled } from './editor/query-title.ts'
import { copyOf } from './running/query-values.ts'
import { ResultPane } from './results/ResultPane.tsx'
import { RunFileDialog, CopyFileDialog } from './running/FileDialogs.tsx'
import type { SqlBox } from './editor/sql-box.ts'
import { SqlAsk, type Rewrite } from './editor/SqlAsk.tsx'
import { SqlText } from './editor/SqlText.tsx'
import { TransactionBar, ParameterBar } from './running/RunBars.tsx'
import { useQueryRun } from './running/use-query-run.ts'
import { useQueryView, useWorkspace } from './use-workspace.ts'

type Props = { query: OpenQuery; onList: () => void }

/** One query: its text, and what running it brings. */
export function QueryPane({ query, onList }: Props) {
  const { ref, queries, checks } = useWorkspace()
  const navigate = useNavigate()
  const box = useRef<SqlBox>(undefined)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const split = useEditorPreferences((preferences) => preferences.split)
  const wrap = useEditorPreferences((preferences) => preferences.wrap)
  const name = useQueryView(query, (view) => view.values.name)
  useWindowName(name)
  const replaced = useQueryView(query, (view) => view.replaced)
  const save = useQueryView(query, (view) => view.save)
  const saved = useQueryView(query, (view) => view.saved)
  const running = useQueryRun(query, box)
  // A conflict asks once by itself; closed, it waits behind the Review button.
  const [asking, setAsking] = useState(false)
  const [filing, setFiling] = useState<{ dropped: File | undefined }>()
  const [putOff, setPutOff] = useState<unknown>()
  const foreignOwner = saved && saved.ownerId !== profile.id ? saved.owner : undefined

  async function format() {
    try {
      const { formatSql } = await import('./editor/format-sql.ts')
      box.current?.write(formatSql(query.view().values.sql))
    } catch {
      toast.error('This SQL cannot be formatted', { id: 'sql-format' })
    }
  }
  function accept({ before, after }: Rewrite) {
    if (query.view().values.sql !== before) {
      toast.error('The text has changed since you asked. Ask again', { id: 'sql-ask' })
      return
    }
    box.current?.write(after)
    setAsking(false)
    box.current?.focus()
  }
  function openCopy() {
    const copy = queries.create(copyOf(query.view().values))
    void copy.save()
    void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: copy.id } })
  }

  useCommands([
    {
      id: 'sql.run',
      section: 'This page',
      name: 'Run query',
      icon: Play,
      keys: 'mod+enter',
      everywhere: true,
      run: () => running.asking ?? running.ask(),
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

  return (
    <>
      <EditorBar
        query={query}
        run={running.run}
        foreignOwner={foreignOwner}
        runDenial={running.denial}
        writeDenial={running.writeDenial}
        as={running.as}
        onAs={running.setAs}
        source={{
          replicas: running.replicas,
          replica: running.replica,
          onChange: running.setReplica,
        }}
        onList={onList}
        onRun={running.ask}
        onCancel={running.cancel}
        onAsk={() => setAsking(true)}
        onFormat={() => void format()}
        onReview={() => setPutOff(undefined)}
        onFile={() => setFiling({ dropped: undefined })}
        onDuplicate={openCopy}
      />
      <div className="sql-work" style={{ '--split': `${split}%` }} {...takesFiles(setFiling)}>
        {asking && (
          <SqlAsk
            key={query.id}
            projectRef={ref}
            picked={() => box.current?.picked()}
            onAccept={accept}
            onClose={() => {
              setAsking(false)
              box.current?.focus()
            }}
          />
        )}
        <SqlText
          ref={(made) => {
            box.current = made ?? undefined
          }}
          shown={{
            id: query.id,
            sql: query.view().values.sql,
            version: replaced,
            readOnly: foreignOwner !== undefined,
            wrap,
          }}
          events={{
            onEdit: (id, sql) => {
              const edited = queries.get(id)
              edited?.edit(retitled(edited.view().values, sql))
            },
            onRun: () => running.ask(),
            onRunAtCursor: () => running.ask({ atCursor: true }),
            onAsk: () => foreignOwner === undefined && setAsking(true),
            onSave: () => void query.save(),
            catalog: () => readCatalog(ref),
            functions: (name) => readFunctions(ref, name),
            problems: (sql, signal) => checks.problems(sql, signal),
          }}
        />
        <ParameterBar query={query} missing={running.missing} onRun={() => running.ask()} />
        <TransactionBar queryId={query.id} isRunning={running.run?.state.phase === 'running'} />
        <SplitHandle />
        <ResultPane
          run={running.run}
          name={name}
          query={query}
          isForeign={foreignOwner !== undefined}
          place={running.place}
          onGoTo={(target) => box.current?.goTo(target)}
          onRun={running.again}
          onRunWithoutLimit={running.withoutLimit}
        />
      </div>
      {filing && (
        <RunFileDialog
          dropped={filing.dropped}
          onlyReads={running.onlyReads}
          onClose={() => setFiling(undefined)}
          onRun={(file, oneTransaction) => {
            setFiling(undefined)
            running.runFile(file, oneTransaction)
          }}
        />
      )}
      {running.copying && (
        <CopyFileDialog
          item={running.copying}
          onClose={running.stopCopying}
          onRun={running.copyFrom}
        />
      )}
      {running.asking && (
        <DangerDialog
          dangers={running.asking.dangers}
          onClose={running.stopAsking}
          onRun={running.confirm}
        />
      )}
      {save.kind === 'conflict' && putOff !== save && (
        <ConflictDialog
          mine={query.view().values}
          theirs={save.theirs}
          onClose={() => setPutOff(save)}
          onKeepMine={() => void query.keepMine()}
          onCopy={() => {
            openCopy()
            query.takeTheirs()
          }}
          onTakeTheirs={query.takeTheirs}
        />
      )}
    </>
  )
}

/** A file that is dropped anywhere on the editor is asked about; text that is dropped goes into it. */
const takesFiles = (onFile: (asked: { dropped: File | undefined }) => void) => ({
  onDragOverCapture(event: DragEvent) {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault()
  },
  onDropCapture(event: DragEvent) {
    const [dropped] = event.dataTransfer.files
    if (!dropped) return
    event.preventDefault()
    event.stopPropagation()
    onFile({ dropped })
  },
})

const least = 15
const max = 85
const within = (split: number) => Math.round(Math.min(max, Math.max(least, split)) * 10) / 10

/** The line between editor and results: dragged, or moved with the arrows. */
function SplitHandle() {
  const split = useEditorPreferences((preferences) => preferences.split)
  const handle = useRef<HTMLDivElement>(null)
  const move = (next: number) => setEditorPreference({ split: within(next) })

  function drag(event: PointerEvent<HTMLDivElement>) {
    const box = handle.current?.parentElement?.getBoundingClientRect()
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    move(((event.clientY - box.top) / box.height) * 100)
  }
  function press(event: KeyboardEvent<HTMLDivElement>) {
    const step = { ArrowUp: -2, ArrowDown: 2, PageUp: -10, PageDown: 10 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(split + step)
  }
  return (
    <div
      ref={handle}
      className="sql-split"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a separator that moves is a control, a line is not
      role="separator"
      aria-label="Height of the editor"
      aria-orientation="horizontal"
      aria-valuenow={Math.round(split)}
      aria-valuemin={least}
      aria-valuemax={max}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onDoubleClick={() => move(60)}
      onKeyDown={press}
    />
  )
}

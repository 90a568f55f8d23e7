import {
  Check,
  CloudOff,
  Copy,
  LoaderCircle,
  PanelLeft,
  Sparkles,
  TextAlignStart,
  ChevronDown,
  TriangleAlert,
} from 'lucide-react'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuChoice, MenuLabel } from '../../../ui/floats/MenuItem.tsx'
import { Tooltip } from '../../../ui/floats/Tooltip.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { CodeWell } from './editor/CodeWell.tsx'
import type { OpenQuery, SaveState } from './open-query.ts'
import { RolePicker } from '../../../modules/roles/RolePicker.tsx'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import type { Saved, Values } from './running/query-values.ts'
import { RunMenu, RunButton, LimitPicker, RunSettings } from './running/RunControls.tsx'
import type { RunView } from './running/runs.ts'
import type { RunWhat } from './running/use-query-run.ts'
import { useQueryView, useWorkspace } from './use-workspace.ts'

type Props = {
  query: OpenQuery
  run: RunView | undefined
  /** Whose it is, when it is not the reader's. */
  foreignOwner: string | undefined
  runDenial: string | undefined
  /** Why nothing that runs can be kept. */
  writeDenial: string | undefined
  as: Impersonation | undefined
  onAs: (as: Impersonation | undefined) => void
  source: Source
  onList: () => void
  onRun: (what?: RunWhat) => void
  onCancel: () => void
  onAsk: () => void
  onFormat: () => void
  onReview: () => void
  onFile: () => void
  onDuplicate: () => void
}

/** What can be done with the query, above its text. */
export function EditorBar(props: Props) {
  const { query, run, foreignOwner, runDenial } = props
  const { ref } = useWorkspace()
  return (
    <div className="bar sql-bar">
      <IconButton
        className="narrow-only"
        icon={PanelLeft}
        label="Saved queries"
        onClick={props.onList}
      />
      {props.source.replicas.length > 0 && <SourcePicker {...props.source} />}
      <LimitPicker />
      <RunSettings writeDenial={props.writeDenial} />
      {foreignOwner === undefined ? (
        <SaveNote query={query} onReview={props.onReview} />
      ) : (
        <>
          <Badge>Read only</Badge>
          <span className="t12 muted ell hide-narrow">Shared by {foreignOwner}</span>
          <Button variant="ghost" icon={Copy} onClick={props.onDuplicate}>
            Duplicate
          </Button>
        </>
      )}
      <span className="grow" />
      {foreignOwner === undefined && (
        <>
          <IconButton icon={Sparkles} label="Ask for a change" onClick={props.onAsk} />
          <IconButton icon={TextAlignStart} label="Format" onClick={props.onFormat} />
        </>
      )}
      <span className="hide-narrow">
        <RolePicker projectRef={ref} value={props.as} onChange={props.onAs} verb="Run as" />
      </span>
      <span className="sql-run-pair">
        <RunButton
          run={run}
          disabledReason={runDenial}
          onRun={() => props.onRun()}
          onCancel={props.onCancel}
        />
        <RunMenu
          disabledReason={runDenial ?? (run?.state.phase === 'running' && 'A query is running')}
          writeDenial={props.writeDenial}
          onRun={props.onRun}
          onFile={props.onFile}
        />
      </span>
    </div>
  )
}

type Source = {
  /** Those that there are. */
  replicas: readonly string[]
  /** The one that queries run on; the primary unless told. */
  replica: string | undefined
  onChange: (replica: string | undefined) => void
}

/** On which server of the project a query runs. */
function SourcePicker({ replicas, replica, onChange }: Source) {
  const name = replica === undefined ? 'Primary' : `Replica ${replica}`
  return (
    <Menu
      label="Source"
      trigger={
        <Button variant="ghost" aria-label={`Source: ${name}`}>
          {name}
          <Icon of={ChevronDown} size="xs" className="sql-caret" />
        </Button>
      }
    >
      <MenuLabel>Server that runs the query</MenuLabel>
      <MenuChoice
        label="Source"
        options={[
          { value: '', label: 'Primary database' },
          ...replicas.map((one) => ({ value: one, label: `Read replica ${one} (read only)` })),
        ]}
        value={replica ?? ''}
        onChange={(value) => onChange(value === '' ? undefined : value)}
      />
    </Menu>
  )
}

type SaveNoteProps = { query: OpenQuery; onReview: () => void }

/** Whether what is typed is on the server. */
function SaveNote({ query, onReview }: SaveNoteProps) {
  const save = useQueryView(query, (view) => view.save)
  const isSaved = useQueryView(query, (view) => view.saved !== undefined)
  const unkept = useQueryView(query, (view) => view.unkept)
  return (
    <output className="sql-save t12 muted" data-save={save.kind}>
      <Words save={save} isSaved={isSaved} unkept={unkept} />
      {save.kind === 'failed' && <Button onClick={() => void query.save()}>Retry</Button>}
      {save.kind === 'conflict' && <Button onClick={onReview}>Review</Button>}
    </output>
  )
}

type Words = { save: SaveState; isSaved: boolean; unkept: boolean }

function Words({ save, isSaved, unkept }: Words) {
  switch (save.kind) {
    case 'saved':
      return isSaved ? (
        <>
          <Icon of={Check} size="s" />
          <span className="hide-narrow">Saved</span>
        </>
      ) : null
    case 'waiting':
    case 'saving':
      return (
        <>
          <Icon of={LoaderCircle} size="s" className="turning" />
          <span className="hide-narrow">Saving</span>
        </>
      )
    case 'failed':
      return (
        <Tooltip text={unkept ? `${save.message} Keep this tab open.` : save.message}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the reason is only in the tooltip */}
          <span className="st tone-danger" tabIndex={0}>
            <Icon of={CloudOff} size="s" />
            {unkept ? 'Not saved' : 'Kept in this browser'}
          </span>
        </Tooltip>
      )
    case 'conflict':
      return (
        <span className="st tone-warning">
          <Icon of={TriangleAlert} size="s" />
          Changed elsewhere
        </span>
      )
  }
}

type ConflictDialogProps = {
  mine: Values
  theirs: Saved
  onClose: () => void
  onKeepMine: () => void
  onCopy: () => void
  onTakeTheirs: () => void
}

/** Two versions of one query, and what to do about it. Closing decides nothing: both stay. */
export function ConflictDialog({
  mine,
  theirs,
  onClose,
  onKeepMine,
  onCopy,
  onTakeTheirs,
}: ConflictDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="This query was changed elsewhere"
      size="xlarge"
      footer={
        <>
          {/* First, so that work in the dialog begins at what loses nothing; shown last. */}
          <Button size="form" variant="primary" className="sql-last" onClick={onCopy}>
            Save mine as a copy
          </Button>
          <Button size="form" variant="danger-quiet" onClick={onTakeTheirs}>
            Take theirs
          </Button>
          <Button size="form" onClick={onKeepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      <p>
        Another tab or person saved <b className="med">{theirs.name}</b> while you were writing.
        Nothing is overwritten until you choose.
      </p>
      <div className="sql-versions">
        <Version title="Mine, not saved" name={mine.name} sql={mine.sql} />
        <Version title={`Saved by ${theirs.owner}`} name={theirs.name} sql={theirs.sql} />
      </div>
    </Dialog>
  )
}

function Version({ title, name, sql }: { title: string; name: string; sql: string }) {
  return (
    <section className="stack" aria-label={title}>
      <p className="t12 muted">
        {title}: {name}
      </p>
      <CodeWell label={title}>{sql || 'Nothing'}</CodeWell>
    </section>
  )
}

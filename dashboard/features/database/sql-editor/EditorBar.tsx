import { Copy, PanelLeft, Sparkles, TextAlignStart, ChevronDown } from 'lucide-react'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuChoice, MenuLabel } from '../../../ui/floats/MenuItem.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import type { OpenQuery } from './open-query.ts'
import { RolePicker } from '../../../modules/roles/RolePicker.tsx'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { RunMenu, RunButton, LimitPicker, RunSettings } from './running/RunControls.tsx'
import type { RunView } from './running/runs.ts'
import type { RunWhat } from './running/use-query-run.ts'
import { useWorkspace } from './use-workspace.ts'
import { SaveNote } from './snippets/SaveNote.tsx'

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

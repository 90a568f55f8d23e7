import { Link } from '@tanstack/react-router'
import {
  ChevronDown,
  ChevronsUpDown,
  Code,
  Copy,
  CopyPlus,
  Ellipsis,
  FileUp,
  Lock,
  Pencil,
  Plus,
  Rows3,
  ShieldCheck,
  ShieldOff,
  Trash2,
  LockOpen,
  Radio,
} from 'lucide-react'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { pgMeta } from '#contract/database/pg-meta'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { tableTransfer } from '#contract/database/table-transfer'
import { setRowSecurity, setRealtime } from '#contract/ddl/tables/table-marks'
import { tableDefinition } from '#contract/database/table-definition'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Tooltip } from '../../../ui/floats/Tooltip.tsx'
import { useCopy } from '../../../ui/controls/CopyButton.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { kindIcons } from './entities/EntityRow.tsx'
import type { Overlay } from './overlay.ts'
import { definitionQuery } from './queries.ts'
import { shortCount } from './grid/short-count.ts'
import { TableDialogs, type TableDialog } from './TableDialogs.tsx'

type Props = {
  projectRef: string
  entity: EntityDetail
  readOnly: string | undefined
  readOnlySchema: string | undefined
  narrow: boolean
  isDefinition: boolean
  onDefinition: (on: boolean) => void
  onOpen: (overlay: Overlay) => void
  onDeleted: () => unknown
}

/** Name, what it is for, how it is secured, and what can be done with it as a whole. */
export function TableHeader(props: Props) {
  const { projectRef, entity, readOnly, narrow, isDefinition, onDefinition, onOpen } = props
  const [dialog, setDialog] = useState<TableDialog>()
  const [securing, setSecuring] = useState(false)
  const { copy } = useCopy()
  const why = useDenials(useProject(projectRef))
  const isTable = entity.kind === 'table' || entity.kind === 'partitioned_table'
  const fixed = readOnly ?? entity.fixed_rows_because
  const denied = props.readOnlySchema ?? why(pgMeta.updateTable)
  // Rows without a primary key cannot be edited, but more of them can be added from a file.
  const noImport = isTable
    ? (props.readOnlySchema ?? why(tableTransfer.start))
    : 'Rows are imported into tables only'
  const open = (kind: TableDialog['kind']) => setDialog({ kind, id: entity.id })
  return (
    <header className="obj">
      {narrow ? (
        <Picker projectRef={projectRef} entity={entity} />
      ) : (
        <h1 className="ell">{entity.name}</h1>
      )}
      {entity.comment && <p className="muted ell hide-narrow">{entity.comment}</p>}
      {!narrow && <span className="grow" />}
      {fixed && !narrow && (
        <Tooltip text={fixed}>
          <button type="button" className="badge read-only">
            <Icon of={Lock} />
            {readOnly ? 'Read-only' : 'Insert only'}
          </button>
        </Tooltip>
      )}
      {isTable && !narrow && (
        <>
          <Security projectRef={projectRef} entity={entity} />
          <RealtimeSwitch projectRef={projectRef} entity={entity} denied={denied} />
        </>
      )}
      {!narrow && (
        <Segmented
          label="What is shown of it"
          options={[
            { value: 'rows', label: 'Rows', icon: Rows3 },
            { value: 'definition', label: 'SQL definition', icon: Code },
          ]}
          value={isDefinition ? 'definition' : 'rows'}
          onChange={(value) => onDefinition(value === 'definition')}
        />
      )}
      <Menu
        label="Table actions"
        align="end"
        trigger={<IconButton icon={Ellipsis} label="Table actions" />}
      >
        <MenuItem icon={Copy} onSelect={() => void copy(entity.name)}>
          Copy name
        </MenuItem>
        {narrow && (
          <MenuItem icon={isDefinition ? Rows3 : Code} onSelect={() => onDefinition(!isDefinition)}>
            {isDefinition ? 'Rows' : 'SQL definition'}
          </MenuItem>
        )}
        {isTable && (
          <>
            <MenuItem icon={Pencil} disabledReason={denied} onSelect={() => open('edit')}>
              Edit table
            </MenuItem>
            <MenuItem
              icon={CopyPlus}
              disabledReason={props.readOnlySchema ?? why(pgMeta.createTable)}
              onSelect={() => open('duplicate')}
            >
              Duplicate table
            </MenuItem>
            <MenuItem
              icon={entity.rls_enabled ? ShieldOff : ShieldCheck}
              disabledReason={denied}
              onSelect={() => setSecuring(true)}
            >
              {entity.rls_enabled ? 'Turn row level security off' : 'Turn row level security on'}
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              icon={Trash2}
              danger
              disabledReason={props.readOnlySchema ?? why(pgMeta.deleteTable)}
              onSelect={() => open('drop')}
            >
              Delete table
            </MenuItem>
          </>
        )}
      </Menu>
      <span className="split-button">
        <Button icon={Plus} disabledReason={readOnly} onClick={() => onOpen({ kind: 'insert' })}>
          {narrow ? 'Row' : 'Insert row'}
        </Button>
        <Menu
          label="More ways to insert"
          align="end"
          trigger={
            <IconButton icon={ChevronDown} label="More ways to insert" variant="secondary" />
          }
        >
          <MenuItem
            icon={Plus}
            disabledReason={readOnly}
            onSelect={() => onOpen({ kind: 'insert' })}
          >
            Insert row
          </MenuItem>
          <MenuItem
            icon={FileUp}
            disabledReason={noImport}
            onSelect={() => onOpen({ kind: 'import' })}
          >
            Import CSV or TSV
          </MenuItem>
        </Menu>
      </span>
      {securing && (
        <SecurityChange
          projectRef={projectRef}
          entity={entity}
          onClose={() => setSecuring(false)}
        />
      )}
      <TableDialogs
        projectRef={projectRef}
        schema={entity.schema}
        dialog={dialog}
        onClose={() => setDialog(undefined)}
        onDropped={props.onDeleted}
      />
    </header>
  )
}

/** On a phone the list of tables is a page of its own; this leads back to it. */
function Picker({ projectRef, entity }: { projectRef: string; entity: EntityDetail }) {
  return (
    <h1 className="table-picker">
      <Link
        className="in f sel grow"
        to="/project/$ref/editor"
        params={{ ref: projectRef }}
        search={{ schema: entity.schema }}
      >
        <Icon of={kindIcons[entity.kind]} size="s" />
        <span className="grow ell">{entity.name}</span>
        {entity.rows_estimate !== null && (
          <span className="muted t12">
            {shortCount(entity.rows_estimate)} {entity.rows_estimate === 1 ? 'row' : 'rows'}
          </span>
        )}
        <Icon of={ChevronsUpDown} size="xs" />
        <span className="sr">All tables</span>
      </Link>
    </h1>
  )
}

type SecurityProps = { projectRef: string; entity: EntityDetail }

/** Who may see the rows: a warning, or the way to the policies. */
function Security({ projectRef, entity }: SecurityProps) {
  const { policies, rls_enabled: secured, schema, name } = entity
  if (!secured)
    return (
      <Badge tone="warning" icon={LockOpen}>
        Row level security off
      </Badge>
    )
  const words = policies === 1 ? '1 policy' : `${policies} policies`
  return (
    <Link
      className="badge policies-link"
      to="/project/$ref/auth/policies"
      params={{ ref: projectRef }}
      search={{ schema, find: name }}
    >
      <Icon of={policies === 0 ? Plus : ShieldCheck} />
      {policies === 0 ? 'Add policy' : words}
    </Link>
  )
}

type SecurityChangeProps = { projectRef: string; entity: EntityDetail; onClose: () => void }

/** Row level security of a table, on or off, as the change that it is. */
function SecurityChange({ projectRef, entity, onClose }: SecurityChangeProps) {
  const on = !entity.rls_enabled
  return (
    <ReviewChange
      projectRef={projectRef}
      change={setRowSecurity(entity, on)}
      title={on ? 'Turn row level security on?' : 'Turn row level security off?'}
      verb={on ? 'Turn on' : 'Turn off'}
      danger={!on}
      onClose={onClose}
      changes={[pgMeta.entity, pgMeta.entities, tableDefinition.get]}
      onDone={() => {
        toast.success(on ? 'Row level security is on' : 'Row level security is off')
        onClose()
      }}
    >
      <p>
        {on
          ? `Through the API, clients can reach only rows of ${entity.name} that a policy allows.`
          : `Everybody who has the public key of the API can then reach every row of ${entity.name} that the role's privileges allow.`}
      </p>
    </ReviewChange>
  )
}

type RealtimeSwitchProps = { projectRef: string; entity: EntityDetail; denied: string | undefined }

/** Whether clients hear of changes of the rows. */
function RealtimeSwitch({ projectRef, entity, denied }: RealtimeSwitchProps) {
  const { data } = useQuery(definitionQuery(projectRef, entity.id))
  const [asking, setAsking] = useState(false)
  if (!data) return null
  const { realtime } = data
  const on = realtime !== true
  return (
    <>
      <Button
        variant="ghost"
        icon={Radio}
        aria-pressed={realtime === true}
        disabledReason={denied}
        onClick={() => setAsking(true)}
      >
        {realtime ? 'Realtime on' : 'Realtime off'}
      </Button>
      <ReviewChange
        projectRef={projectRef}
        change={asking ? setRealtime(entity, on, realtime !== null) : undefined}
        title={on ? 'Send changes to clients?' : 'Stop sending changes to clients?'}
        verb={on ? 'Turn on' : 'Turn off'}
        onClose={() => setAsking(false)}
        changes={[tableDefinition.get]}
        onDone={() => {
          toast.success(on ? 'Realtime is on' : 'Realtime is off')
          setAsking(false)
        }}
      >
        <p>
          {on
            ? `Clients that listen to ${entity.name} receive each row that is inserted, updated or deleted, if their policies let them see it.`
            : `Clients that listen to ${entity.name} receive no further changes.`}
        </p>
      </ReviewChange>
    </>
  )
}

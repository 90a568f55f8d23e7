import { useQuery } from '@tanstack/react-query'
import { EyeOff, Plus, X } from 'lucide-react'
import { useState } from 'react'
import {
  maskKinds,
  maskName,
  maxMasks,
  type BranchMask,
  type MaskKind,
} from '#contract/projects/branch-masks'
import { pauseAfterHours, type BranchSettings } from '#contract/projects/branches'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Form, SaveCancel } from '../../../ui/controls/Form.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { ApprovalsForm } from './ApprovalsForm.tsx'
import { branchSettingsQuery, useBranchSettings } from './queries.ts'

type Props = {
  /** Of the project that they are branches of. */
  projectRef: string
  /** Why this person may not change them. */
  denied: string | undefined
}

/** What a project chooses for its branches: the columns that none gets the values of, and when they are paused. */
export function SettingsCards({ projectRef, denied }: Props) {
  const { data, error, refetch } = useQuery(branchSettingsQuery(projectRef))
  if (error && !data)
    return (
      <Card title="Settings of branches" padded={false}>
        <ErrorNote what="The settings of branches" error={error} onRetry={() => void refetch()} />
      </Card>
    )
  if (!data)
    return (
      <Card title="Masked columns">
        <Skeleton width="60%" />
      </Card>
    )
  return (
    <>
      <MaskedColumns projectRef={projectRef} denied={denied} settings={data} />
      <PauseForm projectRef={projectRef} denied={denied} settings={data} />
      <ApprovalsForm projectRef={projectRef} denied={denied} settings={data} />
    </>
  )
}

function MaskedColumns({ projectRef, denied, settings }: Props & { settings: BranchSettings }) {
  const { masks } = settings
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<BranchMask>()
  const save = useBranchSettings(() => {
    toast.success('The list of masked columns is saved')
    setAdding(false)
    setRemoving(undefined)
  })
  const write = (next: BranchMask[]) => save.mutate({ ref: projectRef, ...settings, masks: next })
  const full = masks.length >= maxMasks ? `There can be up to ${maxMasks}` : undefined
  const add = (
    <Button
      icon={Plus}
      disabledReason={denied ?? full}
      onClick={() => {
        save.reset()
        setAdding(true)
      }}
    >
      Add column
    </Button>
  )
  return (
    <Card title="Masked columns" padded={false} end={masks.length > 0 && add}>
      {masks.length === 0 ? (
        <EmptyState icon={EyeOff} title="No masked columns" action={add}>
          A branch with the data of main never gets the values of the columns listed here. Other
          values stand in their place before anybody can connect to it.
        </EmptyState>
      ) : (
        <Table
          label="Masked columns"
          columns={columnsOf({
            denied,
            onRemove: (mask) => {
              save.reset()
              setRemoving(mask)
            },
          })}
          rows={masks}
          keyOf={maskName}
          empty={null}
        />
      )}
      {adding && (
        <MaskForm
          known={masks.map(maskName)}
          pending={save.isPending}
          error={save.error?.message}
          onSave={(mask) => write([...masks, mask])}
          onClose={() => setAdding(false)}
        />
      )}
      {removing && (
        <ConfirmDialog
          open
          title="Stop masking this column?"
          verb="Stop masking"
          error={save.error?.message}
          pending={save.isPending}
          onClose={() => setRemoving(undefined)}
          onConfirm={() => write(masks.filter((mask) => mask !== removing))}
        >
          <p>
            Branches with data that are made or reset from now on get the values of{' '}
            <span className="mono">{maskName(removing)}</span>. Branches that exist stay as they
            are.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

type Parts = { denied: string | undefined; onRemove: (mask: BranchMask) => void }

const columnsOf = ({ denied, onRemove }: Parts): Column<BranchMask>[] => [
  {
    id: 'column',
    head: 'Column',
    cell: (mask) => <span className="mono">{maskName(mask)}</span>,
  },
  {
    id: 'value',
    head: 'Value in branches',
    width: '220px',
    cell: ({ kind, text }) =>
      kind === 'fixed' ? <span className="mono">{text}</span> : maskWords[kind].name,
  },
  {
    id: 'remove',
    head: 'Actions',
    hideHead: true,
    width: '56px',
    numeric: true,
    cell: (mask) => (
      <IconButton
        icon={X}
        label={`Stop masking ${maskName(mask)}`}
        disabledReason={denied}
        onClick={() => onRemove(mask)}
      />
    ),
  },
]

type PauseFormProps = { projectRef: string; denied: string | undefined; settings: BranchSettings }

const mostHours = 720

/** When branches that are not persistent are paused. */
function PauseForm({ projectRef, denied, settings }: PauseFormProps) {
  const saved = settings.pause_after_hours
  const [pauses, setPauses] = useState(saved !== null)
  const [hours, setHours] = useState(String(saved ?? pauseAfterHours))
  const save = useBranchSettings(() => toast.success('The pausing of branches is saved'))
  const chosen = pauses ? Number(hours) : null
  const isWhole =
    chosen === null || (Number.isInteger(chosen) && chosen >= 1 && chosen <= mostHours)
  const dirty = chosen !== saved

  function reset() {
    setPauses(saved !== null)
    setHours(String(saved ?? pauseAfterHours))
    save.reset()
  }
  return (
    <Form
      error={save.error?.message}
      pending={save.isPending}
      onSubmit={() => {
        if (dirty && isWhole && !denied)
          save.mutate({ ref: projectRef, ...settings, pause_after_hours: chosen })
      }}
    >
      <Card
        title="Pausing"
        footer={
          <SaveCancel dirty={dirty} pending={save.isPending} reason={denied} onCancel={reset} />
        }
      >
        <div className="form-stack">
          <Checkbox
            label="Pause branches that nobody uses"
            checked={pauses}
            disabled={denied !== undefined}
            onChange={(event) => setPauses(event.target.checked)}
          />
          {pauses && (
            <div className="branch-hours">
              <TextField
                label="After"
                unit="hours"
                inputMode="numeric"
                autoComplete="off"
                value={hours}
                disabled={denied !== undefined}
                error={isWhole ? undefined : `Enter a number from 1 to ${mostHours}`}
                help="Requests, connections and visits count as use. Persistent branches are never paused. A paused branch keeps its data and is resumed with one click."
                onChange={(event) => setHours(event.target.value)}
              />
            </div>
          )}
        </div>
      </Card>
    </Form>
  )
}

type MaskFormProps = {
  /** Columns that are in the list. */
  known: readonly string[]
  pending: boolean
  error: string | undefined
  onSave: (mask: BranchMask) => void
  onClose: () => void
}

const isKind = (word: string): word is MaskKind => maskKinds.some((kind) => kind === word)

/** Adds a column to those that no branch gets the values of. */
function MaskForm({ known, pending, error, onSave, onClose }: MaskFormProps) {
  const [column, setColumn] = useState('')
  const [kind, setKind] = useState<MaskKind>('hash')
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const parts = column.trim().split('.')
  const [schema = '', table = '', name = ''] = parts
  const isWhole = parts.length === 3 && schema !== '' && table !== '' && name !== ''
  const problem = !isWhole
    ? 'Write it as schema.table.column'
    : known.includes(column.trim())
      ? 'This column is in the list'
      : undefined
  const textProblem = kind === 'fixed' && text === '' ? 'Enter a text' : undefined

  function submit() {
    setTried(true)
    if (problem || textProblem) return
    onSave({ schema, table, column: name, kind, text: kind === 'fixed' ? text : '' })
  }
  return (
    <FormDialog
      title="Mask a column"
      verb="Add column"
      pending={pending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="form-stack">
        <TextField
          label="Column"
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="public.customers.email"
          help="As schema.table.column. Of users, auth.users.email and auth.users.phone can be masked."
          value={column}
          error={tried ? problem : undefined}
          onChange={(event) => setColumn(event.target.value)}
        />
        <RadioGroup label="Value in branches">
          {Object.entries(maskWords).map(([each, { name: label, about }]) => (
            <Radio
              key={each}
              name="kind"
              label={label}
              help={about}
              checked={kind === each}
              onChange={() => isKind(each) && setKind(each)}
            />
          ))}
        </RadioGroup>
        {kind === 'fixed' && (
          <TextField
            label="Text"
            autoComplete="off"
            value={text}
            error={tried ? textProblem : undefined}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {error && <Alert variant="danger" title={error} />}
      </div>
    </FormDialog>
  )
}

/** How the values that stand in the place of others are called, in the order in which they are offered. */
const maskWords: Record<MaskKind, { name: string; about: string }> = {
  hash: {
    name: 'Hash',
    about: 'Equal values stay equal within a branch. Nobody can work out what they were.',
  },
  fake_email: { name: 'Made-up email', about: 'Such as user-42@example.com, one for each row.' },
  fixed: { name: 'Fixed text', about: 'The same text in all rows.' },
  empty: { name: 'Empty text', about: 'An empty text in all rows.' },
  null: { name: 'Null', about: 'No value. For columns of any type that may be null.' },
}

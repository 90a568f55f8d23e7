import { useQuery } from '@tanstack/react-query'
import { EyeOff, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { maskName, maxMasks, type BranchMask } from '#contract/projects/branch-masks'
import type { BranchSettings } from '#contract/projects/branches'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { MaskForm, maskWords } from './MaskForm.tsx'
import { PauseForm } from './PauseForm.tsx'
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

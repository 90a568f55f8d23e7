import { useState } from 'react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { SearchX, Trash2 } from 'lucide-react'
import { maxTrashItems, storageTrash, type TrashItem } from '#contract/storage/storage-trash'
import { useCall } from '../../../../api/client.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { counted } from '../../../../ui/text/number.ts'
import { Page, PageHead } from '../../../../ui/Page.tsx'
import { PagedTable } from '../../../../ui/lists/Table.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { bucketsQuery, ofFiles, trashQuery } from '../queries.ts'
import type { TrashFilter } from '../search.ts'
import { trashColumns, type TrashAct } from './trash-columns.tsx'
import { EmptyTrashDialog, PurgeDialog, RestoreAsDialog } from './TrashDialogs.tsx'
import { useNow } from '../../../../ui/text/Time.tsx'
import '../../../../ui/lists/list-page.css'
import '../storage.css'

type Asked =
  | { kind: 'as'; item: TrashItem; reason: string | undefined }
  | { kind: 'purge'; items: readonly TrashItem[] }
  | { kind: 'empty' }
type Props = {
  projectRef: string
  filter: TrashFilter
  onFilter: (filter: TrashFilter) => void
}

/** /project/{ref}/storage/trash: what was deleted and can be had back. */
export function TrashPage({ projectRef, filter, onFilter }: Props) {
  const query = useInfiniteQuery({
    ...trashQuery(projectRef, filter),
    placeholderData: keepPreviousData,
  })
  const { data: list } = useQuery(bucketsQuery(projectRef))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<Asked>()
  const now = useNow()
  const why = useDenials(useProject(projectRef))
  const items = query.data?.pages.flatMap((page) => page.items)
  const days = query.data?.pages[0]?.days
  const picked = items?.filter(({ id }) => chosen.has(id)) ?? []
  const filtered = Boolean(filter.find ?? filter.bucket)
  const close = () => {
    setAsked(undefined)
    setChosen(new Set())
  }
  const { one, many } = useRestore(projectRef, {
    onTaken: (item, reason) => setAsked({ kind: 'as', item, reason }),
    onDone: () => setChosen(new Set()),
  })
  const act = (kind: TrashAct, item: TrashItem) => {
    if (kind === 'restore') one(item)
    else if (kind === 'purge') setAsked({ kind, items: [item] })
    else setAsked({ kind: 'as', item, reason: undefined })
  }
  return (
    <Page>
      <PageHead
        title="Trash"
        help={
          days === undefined
            ? 'Deleted files, as long as the plan keeps them.'
            : `Deleted files. Each stays for ${counted(days, 'day')}.`
        }
        actions={
          <Button
            variant="danger-quiet"
            icon={Trash2}
            disabledReason={
              why(storageTrash.empty) ?? (items?.length === 0 && 'There is nothing to empty')
            }
            onClick={() => setAsked({ kind: 'empty' })}
          >
            Empty trash
          </Button>
        }
      />
      <div className="narrow-bar">
        <SearchField
          label="Find a deleted file"
          value={filter.find ?? ''}
          onChange={(find) => onFilter({ ...filter, find })}
        />
        <div className="narrow-select">
          <Select
            label="Bucket"
            size="tool"
            options={[
              { value: '', label: 'All buckets' },
              ...(list?.buckets ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={filter.bucket ?? ''}
            onChange={(bucket) => onFilter({ ...filter, bucket })}
          />
        </div>
      </div>
      {picked.length > 0 && (
        <Chosen
          count={picked.length}
          deniedToRestore={why(storageTrash.restoreMany)}
          deniedToPurge={why(storageTrash.purge)}
          onClear={() => setChosen(new Set())}
          onRestore={() => many(picked)}
          onPurge={() => setAsked({ kind: 'purge', items: picked })}
        />
      )}
      <PagedTable
        label="Deleted files"
        rowHeight={60}
        columns={trashColumns({
          items: items ?? [],
          chosen,
          onChosen: setChosen,
          onAct: act,
          why,
          now,
        })}
        rows={items}
        keyOf={({ id }) => id}
        query={query}
        empty={
          filtered ? (
            <EmptyState
              icon={SearchX}
              title="Nothing found"
              action={<Button onClick={() => onFilter({})}>Clear filters</Button>}
            >
              No deleted file is like that.
            </EmptyState>
          ) : (
            <EmptyState icon={Trash2} title="The trash is empty">
              Deleted files stay here and can be restored, however they were deleted.
            </EmptyState>
          )
        }
      />
      {asked?.kind === 'as' && (
        <RestoreAsDialog
          projectRef={projectRef}
          item={asked.item}
          reason={asked.reason}
          onClose={close}
        />
      )}
      {asked?.kind === 'purge' && (
        <PurgeDialog projectRef={projectRef} items={asked.items} onClose={close} />
      )}
      {asked?.kind === 'empty' && (
        <EmptyTrashDialog projectRef={projectRef} bucket={filter.bucket} onClose={close} />
      )}
    </Page>
  )
}

type Restoring = { onTaken: (item: TrashItem, reason: string) => void; onDone: () => void }

/** Brings back one, or each of many by itself. */
function useRestore(ref: string, { onTaken, onDone }: Restoring) {
  const restore = useCall(storageTrash.restore, {
    changes: ofFiles,
    onSuccess: ({ name, bucket }) => {
      toast.success(`${name} restored to ${bucket}`)
      onDone()
    },
  })
  const restoreMany = useCall(storageTrash.restoreMany, {
    changes: ofFiles,
    onSuccess: ({ results }) => {
      const failed = results.filter(({ error }) => error !== null)
      const back = `${counted(results.length - failed.length, 'file')} restored`
      if (failed.length === 0) toast.success(back)
      else
        toast.warning(back, {
          description: `${counted(failed.length, 'file')} stayed: ${failed[0]?.error?.message ?? ''}`,
        })
      onDone()
    },
    onError: (error) => void toast.error(error.message),
  })
  return {
    one: (item: TrashItem) =>
      restore.mutate(
        { ref, item: item.id },
        {
          onError: (error) => {
            if (error.reason === 'name_taken') onTaken(item, error.message)
            else toast.error(error.message)
          },
        },
      ),
    many: (items: readonly TrashItem[]) =>
      restoreMany.mutate({ ref, ids: items.map(({ id }) => id) }),
  }
}

type ChosenProps = {
  count: number
  deniedToRestore: string | undefined
  deniedToPurge: string | undefined
  onClear: () => void
  onRestore: () => void
  onPurge: () => void
}

function Chosen({ count, onClear, onRestore, onPurge, ...denied }: ChosenProps) {
  const tooMany = count > maxTrashItems && `At most ${counted(maxTrashItems, 'file')} at once`
  return (
    <div className="trash-chosen">
      <output>{counted(count, 'file')} selected</output>
      <Button variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
      <Button disabledReason={denied.deniedToRestore ?? tooMany} onClick={onRestore}>
        Restore selected
      </Button>
      <Button
        variant="danger-quiet"
        disabledReason={denied.deniedToPurge ?? tooMany}
        onClick={onPurge}
      >
        Delete forever
      </Button>
    </div>
  )
}

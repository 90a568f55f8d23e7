import { useInfiniteQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { trash, trashHolds, type TrashedProject } from '#contract/projects/trash'
import { useCall } from '../../../api/client.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { ofProjectLists } from '../../../session/project/project-lists.ts'
import { trashQuery, useTrashDays } from '../../../session/project/trash.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { PagedTable } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { counted } from '../../../ui/text/number.ts'
import { useNow } from '../../../ui/text/Time.tsx'
import { trashColumns } from './trash-columns.tsx'
import '../../../ui/lists/list-page.css'
import './trash.css'

const movingMs = 2_000
type Notice = { variant: 'warning' | 'danger'; title: string; text: string }

/** /org/{slug}/trash: deleted projects and branches, which can be restored for a while. */
export function TrashPage({ slug }: { slug: string }) {
  const query = useInfiniteQuery({
    ...trashQuery(slug),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.projects.some(({ state }) => state !== 'waiting'))
        ? movingMs
        : false,
  })
  const days = useTrashDays()
  const holds = trashHolds[useOrganization(slug).plan.id === 'free' ? 'free' : 'paid']
  const now = useNow()
  const [removing, setRemoving] = useState<TrashedProject>()
  const [notice, setNotice] = useState<Notice>()
  const restore = useCall(trash.restore, {
    changes: ofProjectLists,
    onSuccess: ({ name, left }) => {
      toast.success(`${name} is being restored`)
      if (left.length > 0)
        setNotice({
          variant: 'warning',
          title: `${name} comes back without something`,
          text: `${left.join('. ')}.`,
        })
    },
  })
  const onRestore = ({ ref, name }: TrashedProject) => {
    setNotice(undefined)
    restore.mutate(
      { slug, ref },
      {
        onError: ({ message: text }) =>
          setNotice({ variant: 'danger', title: `${name} was not restored`, text }),
      },
    )
  }
  return (
    <Page width="list">
      <PageHead
        title="Deleted projects"
        help={
          days === 0
            ? 'New ones are removed at once here.'
            : `You can restore a deleted project or branch for ${counted(days, 'day')}. Meanwhile it costs nothing. The last ${holds} are kept; older ones are removed for good.`
        }
      />
      <div className="sections">
        {notice && (
          <Alert variant={notice.variant} title={notice.title}>
            {notice.text}
          </Alert>
        )}
        <PagedTable
          label="Deleted projects"
          rowHeight={60}
          columns={trashColumns({
            now,
            restoring: restore.isPending ? restore.variables.ref : undefined,
            onRestore,
            onRemove: (project) => {
              setNotice(undefined)
              setRemoving(project)
            },
          })}
          rows={query.data?.pages.flatMap((page) => page.projects)}
          keyOf={({ ref }) => ref}
          query={query}
          empty={
            <EmptyState icon={Trash2} title="No deleted projects">
              {days === 0
                ? 'Deleted projects are removed at once here.'
                : `What you delete stays here for ${counted(days, 'day')}, with its data, keys and address.`}
            </EmptyState>
          }
        />
      </div>
      {removing && (
        <RemoveDialog slug={slug} project={removing} onClose={() => setRemoving(undefined)} />
      )}
    </Page>
  )
}

type RemoveDialogProps = { slug: string; project: TrashedProject; onClose: () => void }

function RemoveDialog({ slug, project, onClose }: RemoveDialogProps) {
  const { ref, name, branches } = project
  const remove = useCall(trash.remove, {
    changes: ofProjectLists,
    onSuccess: () => {
      toast.success(`${name} is being removed for good`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name} now`}
      verb="Delete now"
      typeName={name}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ slug, ref })}
    >
      <p>
        This removes its database, users, backups and keys for good. Nobody can restore it
        afterwards.
      </p>
      {branches > 0 && (
        <p>{`Its ${counted(branches, 'deleted branch', 'deleted branches')} go with it.`}</p>
      )}
    </ConfirmDialog>
  )
}

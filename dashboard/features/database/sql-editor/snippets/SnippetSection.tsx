import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { type SnippetListItem, snippets } from '#contract/database/snippets'
import { assistant } from '#contract/assistant/assistant'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { numberText } from '../../../../ui/text/number.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { useWorkspace } from '../use-workspace.ts'
import { useCall, messageOf, q } from '../../../../api/client.ts'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { longestName } from '../running/query-values.ts'
import { suggestName } from '../editor/query-title.ts'
import { MoveDialog } from './FolderDialogs.tsx'
import { pageSize, snippetListQuery, type Section, type Sort } from './snippet-lists.ts'
import { SnippetRow, type Picking, type RowAction, useSnippetChange } from './SnippetRow.tsx'

/** What all lists of the side share. */
export type ListProps = {
  /** What is searched for. */
  name: string
  sort: Sort
  current: string | undefined
  /** Rows are chosen and not opened while it is there. */
  picking: Picking | undefined
  onChosen: (() => void) | undefined
}
type Props = ListProps & {
  section: Section
  /** One folder, or `none`: what is in no folder. */
  folder?: string | undefined
  title: string
  count: number | undefined
  /** Above the rows, as the folders are. */
  children?: ReactNode
}

/** One section of the list. Shared and favourites show only when there are some. */
export function SnippetSection({
  section,
  folder,
  title,
  count,
  name,
  sort,
  current,
  picking,
  onChosen,
  children,
}: Props) {
  const { ref } = useWorkspace()
  const list = useInfiniteQuery(snippetListQuery(ref, { section, name, sort, folder }))
  const [asked, setAsked] = useState<{ action: RowAction; snippet: SnippetListItem }>()
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  if (rows.length === 0 && section !== 'private' && !list.error) return null
  const close = () => setAsked(undefined)
  const isFolder = folder !== undefined && folder !== 'none'
  return (
    <section aria-label={title}>
      {!isFolder && (
        <h3>
          {title}
          <span className="tn">{count !== undefined && numberText(count)}</span>
        </h3>
      )}
      {children}
      {list.isPending && <Waiting />}
      {list.error && (
        <div className="sql-side-note">
          <p>{list.error.message}</p>
          <Button onClick={() => void list.refetch()}>Try again</Button>
        </div>
      )}
      {list.isSuccess && rows.length === 0 && (
        <p className="sql-side-note">
          {isFolder
            ? 'This folder is empty.'
            : name
              ? 'No query has this name.'
              : 'Queries are saved here automatically.'}
        </p>
      )}
      <ul>
        {rows.map((snippet) => (
          <SnippetRow
            key={snippet.id}
            snippet={snippet}
            isCurrent={snippet.id === current}
            picking={picking}
            onChosen={onChosen}
            onAsk={(action) => setAsked({ action, snippet })}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          variant="ghost"
          className="wide"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Load {pageSize} more
        </Button>
      )}
      {asked?.action === 'rename' && (
        <RenameDialog projectRef={ref} snippet={asked.snippet} onClose={close} />
      )}
      {asked?.action === 'move' && (
        <MoveDialog ids={[asked.snippet.id]} onClose={close} onMoved={() => undefined} />
      )}
      {asked?.action === 'share' && <ShareDialog snippet={asked.snippet} onClose={close} />}
      {asked?.action === 'delete' && (
        <DeleteSnippetDialog
          snippet={asked.snippet}
          isCurrent={asked.snippet.id === current}
          onClose={close}
        />
      )}
    </section>
  )
}

const bars = [120, 88, 140]

function Waiting() {
  return (
    <div className="sql-side-wait" aria-busy>
      <progress className="sr" aria-label="Loading queries" />
      {bars.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  )
}

type ShareDialogProps = { snippet: SnippetListItem; onClose: () => void }

/** Asks before a query becomes visible to everyone in the project, or stops being so. */
function ShareDialog({ snippet: { id, name, visibility }, onClose }: ShareDialogProps) {
  const { change, isPending, error } = useSnippetChange()
  const shared = visibility === 'project'

  async function confirm() {
    if (!(await change(id, { visibility: shared ? 'user' : 'project' }))) return
    toast.success(shared ? `${name} is private again` : `${name} is shared`)
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={shared ? `Stop sharing ${name}?` : `Share ${name}?`}
      verb={shared ? 'Stop sharing' : 'Share query'}
      danger={shared}
      error={error}
      pending={isPending}
      onConfirm={() => void confirm()}
    >
      <p>
        {shared
          ? 'Only you will see it. It disappears from the lists of everybody else in this project.'
          : 'Everybody in this project can read and run it. Only you can change it.'}
      </p>
    </ConfirmDialog>
  )
}

type DeleteSnippetDialogProps = {
  snippet: SnippetListItem
  isCurrent: boolean
  onClose: () => void
}

function DeleteSnippetDialog({
  snippet: { id, name, visibility },
  isCurrent,
  onClose,
}: DeleteSnippetDialogProps) {
  const { ref, queries, runs, tabs } = useWorkspace()
  const navigate = useNavigate()
  const remove = useCall(snippets.remove, {
    onAnswer: async () => {
      const next = tabs.close(id)
      if (isCurrent)
        await navigate({
          to: '/project/$ref/sql/$id',
          params: { ref, id: next ?? 'new' },
          replace: true,
        })
      queries.remove(id)
      runs.forget(id)
    },
    changes: [snippets.list, snippets.count],
    onSuccess: () => {
      toast.success(`${name} was deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      verb="Delete query"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref, ids: id })}
    >
      <p>
        Its text is deleted permanently
        {visibility === 'project' ? ', for everybody in this project.' : '.'}
      </p>
    </ConfirmDialog>
  )
}

type RenameDialogProps = { projectRef: string; snippet: SnippetListItem; onClose: () => void }

function RenameDialog({ projectRef, snippet, onClose }: RenameDialogProps) {
  const [name, setName] = useState(snippet.name)
  const { change, isPending, error } = useSnippetChange()
  const { data: status } = useQuery(q(assistant.status, {}))
  const suggest = useMutation({
    mutationFn: () => suggestName(projectRef, snippet.id),
    onSuccess: setName,
  })
  const trimmed = name.trim()
  const invalid =
    trimmed.length > longestName ? `A name has at most ${longestName} characters` : undefined

  async function save() {
    if (!trimmed || invalid) return
    if (await change(snippet.id, { name: trimmed })) onClose()
  }
  return (
    <FormDialog
      title="Rename query"
      size="small"
      verb="Rename"
      disabled={!trimmed || Boolean(invalid) || trimmed === snippet.name}
      pending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        error={invalid ?? error ?? (suggest.error ? messageOf(suggest.error) : undefined)}
        labelEnd={
          status?.configured && (
            <button
              type="button"
              className="link"
              disabled={suggest.isPending}
              onClick={() => suggest.mutate()}
            >
              {suggest.isPending ? 'Thinking' : 'Suggest a name'}
            </button>
          )
        }
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}

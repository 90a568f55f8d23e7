import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SnippetListItem } from '#contract/database/snippets'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { numberText } from '../../../../ui/text/number.ts'
import { DeleteSnippetDialog } from './DeleteSnippetDialog.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { pageSize, snippetListQuery, type Section, type Sort } from './snippet-lists.ts'
import { SnippetRow, type Picking, type RowAction } from './SnippetRow.tsx'
import { useWorkspace } from '../use-workspace.ts'

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

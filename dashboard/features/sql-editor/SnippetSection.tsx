import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SnippetListItem } from '#contract/snippets'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { DeleteSnippetDialog } from './DeleteSnippetDialog.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { pageSize, snippetListQuery, type Section } from './snippet-lists.ts'
import { SnippetRow } from './SnippetRow.tsx'
import { useWorkspace } from './use-workspace.ts'

type Props = {
  section: Section
  title: string
  count: number | undefined
  /** What is searched for. */
  name: string
  current: string | undefined
  onChosen: (() => void) | undefined
}
export type RowAction = 'rename' | 'share' | 'delete'

/** One section of the list. Shared and favourites show only when there are some. */
export function SnippetSection({ section, title, count, name, current, onChosen }: Props) {
  const { ref } = useWorkspace()
  const list = useInfiniteQuery(snippetListQuery(ref, section, name))
  const [asked, setAsked] = useState<{ action: RowAction; snippet: SnippetListItem }>()
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  if (rows.length === 0 && section !== 'private' && !list.error) return null
  const close = () => setAsked(undefined)
  return (
    <section aria-label={title}>
      <h3>
        {title}
        <span className="tn">{count?.toLocaleString('en')}</span>
      </h3>
      {list.isPending && <Waiting />}
      {list.error && (
        <div className="sql-side-note">
          <p>{list.error.message}</p>
          <Button onClick={() => void list.refetch()}>Try again</Button>
        </div>
      )}
      {list.isSuccess && rows.length === 0 && (
        <p className="sql-side-note">
          {name ? 'No query has this name.' : 'What you write is saved here by itself.'}
        </p>
      )}
      <ul>
        {rows.map((snippet) => (
          <SnippetRow
            key={snippet.id}
            snippet={snippet}
            isCurrent={snippet.id === current}
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
      {asked?.action === 'rename' && <RenameDialog snippet={asked.snippet} onClose={close} />}
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
    <div className="sql-side-wait" aria-busy aria-label="Loading queries">
      {bars.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  )
}

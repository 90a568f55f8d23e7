import { ArrowDown, ArrowUp } from 'lucide-react'
import type { FileSort } from '#contract/storage/storage'
import { Icon } from '../../../../ui/Icon.tsx'
import type { FolderOrder } from '../queries.ts'

type Moment = Exclude<FileSort, 'name'>
type Props = {
  order: FolderOrder
  /** Which moment the lines tell. */
  moment: Moment
  onOrder: (order: Pick<FolderOrder, 'sort' | 'order'>) => void
}

const moments: Record<Moment, string> = {
  created_at: 'Created',
  updated_at: 'Last modified',
  last_accessed_at: 'Last accessed',
}

/** What the columns of a list of files are. The service sorts by name and by moments. */
export function FileHead({ order, moment, onOrder }: Props) {
  const sorter = (sort: FileSort, name: string) => {
    const mine = order.sort === sort ? order.order : undefined
    return (
      <button
        type="button"
        onClick={() => onOrder({ sort, order: mine === 'asc' ? 'desc' : 'asc' })}
      >
        {name}
        {mine && (
          <>
            <Icon of={mine === 'desc' ? ArrowDown : ArrowUp} size="xs" />
            <span className="sr">{mine === 'desc' ? ', descending' : ', ascending'}</span>
          </>
        )}
      </button>
    )
  }
  return (
    <div className="file-head">
      <span className="file-head-choice" />
      {sorter('name', 'Name')}
      <span className="file-type">Type</span>
      <span className="file-size">Size</span>
      <span className="file-time">{sorter(moment, moments[moment])}</span>
      <span className="file-head-more" />
    </div>
  )
}
